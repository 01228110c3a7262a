import { expect, test } from 'vitest';
import { localTime } from '../../../src/base/localTime.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import { type QualifiedId, toQualifiedId } from '../../../src/model/id.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts, jsonLines } from '../fakePorts.ts';

const cart = toQualifiedId('shop/project-root/cart');
const basket = toQualifiedId('shop/project-root/basket');
const item = toQualifiedId(`${cart}/item`);
const archive = 'plans/shop%2Fproject-root%2Fcart-01HZY0000000000000000000S1';
const dangling = diagnostic('plan/dangling', 'shop/project-root', 'It names the old id.', { severity: 'warning' });

/** Runs a command; returns its exit code, its output, and whether it opened the vault as owner. */
async function check(
  handlers: FakeHandlers,
  args: readonly string[],
): Promise<{ code: number; stdout: string; owner: boolean }> {
  const ports = await createFakePorts(handlers);
  const code = await runCommandLine(args, ports);
  return { code, stdout: ports.written.stdout, owner: ports.asked.includes('open /vault as owner') };
}

test('ravel rename says what moved, where the old id is still named, and what to commit', async () => {
  const names = [
    { from: cart, to: basket },
    { from: item, to: toQualifiedId(`${basket}/item`) },
  ];
  const seen: unknown[] = [];
  const rename = (params: unknown) => {
    seen.push(params);
    return { plan: basket, directory: '/d', project: '/code/shop', names, diagnostics: [dangling] };
  };
  const { code, stdout, owner } = await check({ rename }, ['rename', cart, basket]);
  expect({ code, owner, seen }).toEqual({ code: 0, owner: true, seen: [{ plan: cart, to: basket }] });
  expect(stdout).toContain(`Renamed to ${basket}, with 1 plan below it.`);
  expect(stdout).toContain('It names the old id.');
  expect(stdout).toContain('git -C /code/shop add -A ravel');
});

test('ravel remove says how to restore the plan', async () => {
  const seen: unknown[] = [];
  const remove = (params: unknown) => {
    seen.push(params);
    return { archive, plans: [cart, item], project: '/code/shop', diagnostics: [] };
  };
  const { code, stdout } = await check({ remove }, ['remove', cart, '--with-children']);
  expect({ code, seen }).toEqual({ code: 0, seen: [{ plan: cart, withChildren: true }] });
  expect(stdout).toContain(`Removed ${cart}, with 1 plan below it.`);
  expect(stdout).toContain(`ravel archive restore ${archive}`);
});

test('ravel archive lists and restores removed plans', async () => {
  const archives = [{ archive, of: cart, kind: 'plan' as const, plans: [cart], at: '2026-01-02T03:04:05Z' }];
  const listed = await check({ archives: () => ({ archives, diagnostics: [] }) }, ['archive', 'list']);
  expect(listed.stdout).toBe(`${cart}  ${localTime('2026-01-02T03:04:05Z')}  1 plan    ${archive}\n`);
  const none = await check({ archives: () => ({ archives: [], diagnostics: [] }) }, ['archive', 'list']);
  expect(none.stdout).toBe('The archive is empty.\n');
  const restore = ({ as }: { as?: string | undefined }) => ({ plan: as as QualifiedId, plans: [], directory: '/d' });
  const handlers = { restore, archives: () => ({ archives, diagnostics: [] }) };
  const restored = await check(handlers, ['archive', 'restore', archive, '--as', basket, '--json']);
  expect(jsonLines(restored.stdout)).toEqual([{ result: { plan: basket, plans: [], directory: '/d' } }]);
});

test('ravel archive restore takes the id of a plan unless it was removed several times', async () => {
  const seen: unknown[] = [];
  const restore = (params: object) => {
    seen.push(params);
    return { plan: cart, plans: [], directory: '/d' };
  };
  const of = (...names: readonly string[]) => ({
    archives: names.map((name) => ({ archive: name, of: cart, kind: 'plan' as const, plans: [cart], at: 'T' })),
    diagnostics: [],
  });
  const named = (name: string, ...names: readonly string[]) =>
    check({ restore, archives: () => of(...names) }, ['archive', 'restore', name]);
  expect((await named(cart, 'plans/a')).code).toBe(0);
  expect((await named(cart, 'plans/a', 'plans/b')).code).toBe(2);
  expect((await named('plans/b', 'plans/a', 'plans/b')).code).toBe(0);
  expect(seen).toEqual([{ archive: 'plans/a' }, { archive: 'plans/b' }]);
});

test('ravel archive restore takes the name of a project unless it was removed several times', async () => {
  const seen: unknown[] = [];
  const restore = (params: object) => {
    seen.push(params);
    return { plan: cart, plans: [], directory: '/d' };
  };
  const row = (archive: string, of: string) => ({ archive, of, kind: 'project' as const, plans: [cart], at: 'T' });
  const archives = () => ({
    archives: [row('projects/a', 'shop'), row('projects/b', 'till'), row('projects/c', 'till')],
    diagnostics: [],
  });
  expect((await check({ restore, archives }, ['archive', 'restore', 'shop'])).code).toBe(0);
  expect(seen).toEqual([{ archive: 'projects/a' }]);
  const ports = await createFakePorts({ restore, archives });
  expect(await runCommandLine(['archive', 'restore', 'till'], ports)).toBe(2);
  expect(ports.written.stderr).toContain('name one of projects/b, projects/c');
  expect(seen).toHaveLength(1);
});

test('ravel archive without a verb lists', async () => {
  const none = await check({ archives: () => ({ archives: [], diagnostics: [] }) }, ['archive']);
  expect(none).toMatchObject({ code: 0, stdout: 'The archive is empty.\n' });
});
