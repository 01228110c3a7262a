import { expect, test } from 'vitest';
import type { LeftFileRow } from '../../src/model/requests/inspect.ts';
import { stamp } from '../webview/events.ts';
import { plan, session, textEvents, useShownPages } from './support/shownPage.ts';

const show = useShownPages();

test('the Changes tab has a way back for each file that can go back, and the reason for each that cannot', async () => {
  const paths = ['a.ts', 'b.ts', 'mine.ts', 'big.bin'];
  let left: readonly LeftFileRow[] = [
    { path: 'a.ts', now: 'left', isKept: false },
    { path: 'b.ts', now: 'left', isKept: false },
    { path: 'mine.ts', now: 'changed', isKept: false },
    { path: 'big.bin', now: 'left', isKept: false, why: 'git stores it through a filter' },
  ];
  const page = () => {
    const isShown = (path: string) => left.find((row) => row.path === path)?.now !== 'before';
    const files = paths.filter(isShown).map((path) => ({ path, status: 'changed', added: 1, removed: 1 }));
    const source = { set: 'source', kind: 'source', title: 'Files of the project', files, fileCount: files.length };
    return { plan, session, phase: 'work', state: 'failed', left, sets: [source], claims: [] };
  };
  const runner = await show({ events: textEvents('Hello.'), answers: { changes: page } });
  const tab = runner.page;
  await tab.getByRole('tab', { name: 'Changes' }).click();
  await tab.getByRole('button', { name: 'Put Back… a.ts' }).click();
  await tab.getByRole('button', { name: 'Put All Back…' }).click();
  expect(runner.opened).toEqual([
    { kind: 'putBack', path: 'a.ts', to: 'before' },
    { kind: 'putBack', to: 'before' },
  ]);
  expect(await tab.getByRole('button', { name: /^Put Back…/ }).count()).toBe(2);
  await tab.getByText('changed after the session').waitFor();
  await tab.getByText('cannot be put back: git stores it through a filter').waitFor();

  left = left.map((row) => (row.path === 'a.ts' ? { ...row, now: 'before', isKept: true } : row));
  const event = { ...stamp, type: 'plan.changed' as const, change: 'edited' as const, files: [], summary: 'put back' };
  await runner.send({ type: 'events', events: [event] });
  await tab.getByRole('button', { name: 'Bring Again… a.ts' }).click();
  expect(runner.opened.at(-1)).toEqual({ kind: 'putBack', path: 'a.ts', to: 'after' });
  expect(runner.problems).toEqual([]);
  await tab.close();
});

test('the Snapshots tab lists states in local time, compares one with now, and asks the editor for the way back', async () => {
  const row = (id: string, title: string, isNow: boolean) => ({
    ...{ id: id.repeat(40), commit: id.repeat(40), title, isNow },
    at: new Date(2026, 10, 3, 14, 5).toISOString(),
  });
  const files = [{ file: 'memory.yaml', before: 'two\n', after: 'one\n' }];
  const runner = await show({
    events: textEvents('Hello.'),
    answers: {
      snapshots: () => ({ plan, snapshots: [row('b', 'Newest', true), row('a', 'Older', false)] }),
      compare_snapshot: () => ({ plan, snapshot: 'a'.repeat(40), files }),
    },
  });
  const { page } = runner;
  await page.getByRole('tab', { name: 'Snapshots' }).click();
  const list = page.getByRole('list', { name: 'Snapshots' });
  await list.getByText('Nov 3, 2026').first().waitFor();
  expect(await list.getByRole('button').count()).toBe(1);
  await list.getByRole('button', { name: /Older/ }).click();
  await list.getByRole('button', { name: 'memory.yaml' }).click();
  await list.getByRole('button', { name: 'Roll Back…' }).click();
  expect(runner.asked).toContainEqual({ name: 'compare_snapshot', params: { plan, snapshot: 'a'.repeat(40) } });
  expect(runner.opened).toEqual([
    {
      kind: 'diff',
      path: 'memory.yaml',
      title: expect.stringMatching(/^memory\.yaml as on Nov 3, 2026, 2:05/),
      before: { text: 'two\n' },
      after: { text: 'one\n' },
    },
    { kind: 'rollBack', snapshot: 'a'.repeat(40) },
  ]);
  expect(runner.problems).toEqual([]);
  await page.close();
});
