import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { loadRunState, type RunState, recordEarlierName, saveRunState } from '../../src/vault/runState.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const plan = toQualifiedId('Demo/project-root/child');
const session = '01HZY0000000000000000000S1' as Ulid;

async function makeLayout(text?: string): Promise<VaultLayout> {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  await mkdir(layout.plans, { recursive: true });
  if (text !== undefined) await writeFile(layout.runState(plan), text);
  return layout;
}

test('a saved run state is loaded unchanged', async () => {
  const state: RunState = {
    cycle: 3,
    earlierNames: [{ plan: toQualifiedId('Demo/project-root/old'), head: 'abc' }],
    baselines: { work: { commit: 'abc', dirty: [{ path: 'a: b', hash: null }] }, reflect: 'def' },
    workSession: session,
    running: { phase: 'work', step: 'session', session, harness: 'scripted', startedAt: '2026-01-02T03:04:05Z' },
    waiting: { phase: 'work', session, approval: session, kind: 'needs-input', reason: 'Which one?\nThis?' },
    interrupted: { phase: 'dream', session, reason: '', failed: true, at: '2026-01-02T03:04:05Z' },
    last: { phase: 'triage', session, end: 'finished', at: '2026-01-02T03:04:05Z', summary: 'x'.repeat(200) },
  };
  const layout = await makeLayout();
  await saveRunState({ disk: nodeDisk, layout }, plan, state);
  expect(await loadRunState({ disk: nodeDisk, layout }, plan)).toEqual(state);
});

test('a plan that never ran has an empty run state', async () => {
  expect(await loadRunState({ disk: nodeDisk, layout: await makeLayout() }, plan)).toEqual({ cycle: 0, baselines: {} });
});

describe('a run state file is refused that', () => {
  test.each([
    ['is not YAML', 'cycle: [\n'],
    ['is empty', ''],
    ['has an unknown step', `running: { phase: work, step: dancing, session: ${session}, startedAt: now }\n`],
    ['has a negative cycle', 'cycle: -1\n'],
  ])('%s', async (_name, text) => {
    const layout = await makeLayout(text);
    expect(await failureOf(() => loadRunState({ disk: nodeDisk, layout }, plan))).toMatchObject({
      ...{ code: 'plan/badState', subject: plan, file: layout.runState(plan) },
    });
  });
});

describe('recordEarlierName', () => {
  const first = { plan: toQualifiedId('Demo/project-root/a'), head: 'abc' };
  const second = { plan: toQualifiedId('Demo/project-root/b') };
  const note = (layout: VaultLayout, ...names: readonly (typeof first | typeof second)[]) =>
    names.reduce(
      (before, name) => before.then(() => recordEarlierName({ disk: nodeDisk, layout }, plan, name)),
      Promise.resolve(),
    );

  test('notes a name once and keeps the rest of the state, even for a plan that never ran', async () => {
    const layout = await makeLayout('cycle: 3\n');
    await note(layout, first, first, second);
    expect(await loadRunState({ disk: nodeDisk, layout }, plan)).toMatchObject({
      cycle: 3,
      earlierNames: [first, second],
    });
    const empty = new VaultLayout(await makeTemporaryDirectory());
    await note(empty, second);
    expect((await loadRunState({ disk: nodeDisk, layout: empty }, plan)).earlierNames).toEqual([second]);
  });

  test('notes a name again if the plan had it again', async () => {
    const layout = await makeLayout();
    await note(layout, first, second, first);
    expect((await loadRunState({ disk: nodeDisk, layout }, plan)).earlierNames).toEqual([first, second, first]);
  });

  test('keeps the newest hundred names', async () => {
    const layout = await makeLayout();
    await note(layout, ...Array.from({ length: 101 }, (_, n) => ({ ...first, head: `${n}` })));
    const { earlierNames = [] } = await loadRunState({ disk: nodeDisk, layout }, plan);
    expect([earlierNames.length, earlierNames[0]?.head, earlierNames.at(-1)?.head]).toEqual([100, '1', '100']);
  });

  test('leaves an unreadable run state alone', async () => {
    const layout = await makeLayout('cycle: [\n');
    await note(layout, first);
    expect(await readFile(layout.runState(plan), 'utf8')).toBe('cycle: [\n');
  });
});
