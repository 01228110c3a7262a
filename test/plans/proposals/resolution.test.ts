import { describe, expect, test } from 'vitest';
import type { Conflict } from '../../../src/model/merge.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import { type FileSides, mergePlanFile } from '../../../src/plans/proposals/merge.ts';
import {
  loadResolution,
  type ResolvedConflict,
  saveResolution,
  type Take,
} from '../../../src/plans/proposals/resolution.ts';
import { backlogOf, demoPlan, makePlanWorld, memoryOf } from '../../support/planServices.ts';

const backlog = 'backlog.yaml' satisfies PlanFile;

/** The conflicts of three texts, all resolved the same way. */
function resolve(texts: FileSides, take: Take, file: PlanFile = backlog): ResolvedConflict[] {
  const merged = mergePlanFile(file, texts, demoPlan);
  if (!('conflicts' in merged)) throw new Error('there is nothing to resolve');
  return merged.conflicts.map((conflict) => ({ conflict, take }));
}

function settle(texts: FileSides, take: Take, file: PlanFile = backlog): string | undefined {
  const merged = mergePlanFile(file, texts, demoPlan, resolve(texts, take, file));
  if ('conflicts' in merged) throw new Error(`not settled: ${merged.conflicts[0]?.reason}`);
  return merged.text;
}

describe('a field that both sides changed', () => {
  const texts = {
    base: backlogOf('one', 'two'),
    session: backlogOf('one: done', 'two: done'),
    person: `# by Ada\n${backlogOf('one: in_progress', 'two')}`,
  };

  test.each([
    ['the session’s value', 'session', 'done'],
    ['the person’s value', 'person', 'in_progress'],
    ['a third value', { value: 'blocked' }, 'blocked'],
  ] as const)('can take %s, and the session’s other changes are kept', (_name, take, status) => {
    expect(settle(texts, take)).toBe(`# by Ada\n${backlogOf(`one: ${status}`, 'two: done')}`);
  });

  test('can be removed', () => {
    expect(settle(texts, { value: undefined })).toBe(
      `# by Ada\n${backlogOf('one: gone', 'two: done').replace('    status: gone\n', '')}`,
    );
  });

  test('opens its conflict again when either side changes', () => {
    const resolved = resolve(texts, 'session');
    const person = backlogOf('one: blocked', 'two');
    expect(mergePlanFile(backlog, { ...texts, person }, demoPlan, resolved)).toHaveProperty('conflicts');
    const session = backlogOf('one: blocked', 'two: done');
    expect(mergePlanFile(backlog, { ...texts, session }, demoPlan, resolved)).toHaveProperty('conflicts');
  });

  test('stays open with all other conflicts until every one is resolved', () => {
    const both = { ...texts, person: backlogOf('one: in_progress', 'two: blocked') };
    const [first] = resolve(both, 'session');
    if (first === undefined) throw new Error('two conflicts were expected');
    expect(mergePlanFile(backlog, both, demoPlan, [first])).toMatchObject({ conflicts: [{}, {}] });
  });
});

describe('a record that one side changed and the other removed', () => {
  const base = backlogOf('one', 'two', 'three');
  const without = backlogOf('one', 'three');
  const changed = backlogOf('one', 'two: done', 'three');

  test('can stay removed by the session or be kept as the person changed it', () => {
    const texts = { base, session: without, person: changed };
    expect(settle(texts, 'session')).toBe(without);
    expect(settle(texts, 'person')).toBe(changed);
  });

  test('can stay removed by the person or be kept as the session changed it', () => {
    const texts = { base, session: changed, person: without };
    expect(settle(texts, 'session')).toBe(changed);
    expect(settle(texts, 'person')).toBe(without);
  });

  test('can be written again', () => {
    const value = { id: 'two', title: 'By hand', category: 'core', status: 'blocked' };
    const texts = { base, session: without, person: changed };
    expect(settle(texts, { value })).toBe(backlogOf('one', 'two: blocked', 'three').replace('Title of two', 'By hand'));
  });
});

test('a key of a single document can take either side, and the person’s comment stays', () => {
  const texts = { base: 'id: a\nbody: x\n', session: 'id: a\nbody: s\n', person: 'id: a\nbody: z # mine\n' };
  expect(settle(texts, 'session', 'latest-session.yaml')).toBe('id: a\nbody: s # mine\n');
  expect(settle(texts, 'person', 'latest-session.yaml')).toBe('id: a\nbody: z # mine\n');
});

describe('a whole file that cannot be merged', () => {
  const texts = { base: memoryOf({ a: 'x' }), session: memoryOf({ a: 'y' }), person: 'entries: [\n' };
  test.each([
    ['session', texts.session],
    ['person', texts.person],
    [{ value: 'entries: []\n' }, 'entries: []\n'],
    [{ value: undefined }, undefined],
  ] as const)('resolves to %j', (take, expected) => expect(settle(texts, take, 'memory.yaml')).toBe(expected));
});

test('a resolution is kept beside the proposal until it is applied', async () => {
  const world = await makePlanWorld();
  const { paths } = await world.begin('triage');
  expect(await loadResolution(world.services.disk, paths)).toBeUndefined();
  const conflict: Conflict = { list: 'tasks', base: 'a', session: null, person: undefined, reason: 'Both.' };
  const resolution = {
    approval: world.services.newUlid(),
    files: { [backlog]: [{ conflict, take: 'person' as const }] },
  };
  await saveResolution(world.services.disk, paths, resolution);
  expect(await loadResolution(world.services.disk, paths)).toEqual(resolution);
});
