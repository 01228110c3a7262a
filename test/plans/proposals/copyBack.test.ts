import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { PlanFile } from '../../../src/model/plan.ts';
import {
  assertPlanThere,
  dropIntent,
  type FileChange,
  loadIntent,
  recordIntent,
  rollBack,
  rollForward,
} from '../../../src/plans/proposals/copyBack.ts';
import { stagingPaths } from '../../../src/plans/transaction.ts';
import { failureOf } from '../../support/failureOf.ts';
import { MemoryDisk } from '../../support/memoryDisk.ts';
import { backlogOf, makePlanWorld, memoryOf, type PlanWorld } from '../../support/planServices.ts';
import { failingDisk, traceDisk } from '../../support/tracingDisk.ts';

type Texts = Partial<Record<PlanFile, string>>;

const before: Texts = {
  'backlog.yaml': backlogOf('one', 'two'),
  'memory.yaml': memoryOf({ a: 'First.', b: 'Second.' }),
  'phase.md': 'analyse-work\n',
  'commits.yaml': 'commits: []\n',
};
const after: Texts = {
  'backlog.yaml': backlogOf('one: done', 'two'),
  'memory.yaml': memoryOf({ a: 'First, changed.', b: 'Second.' }),
  'phase.md': 'git-commit-work\n',
  'latest-session.yaml': 'id: x\n',
};
const files = ['backlog.yaml', 'latest-session.yaml', 'memory.yaml', 'commits.yaml', 'phase.md'] as const;
const changes: readonly FileChange[] = files.map((file) => ({
  file,
  before: before[file] ?? null,
  after: after[file] ?? null,
}));

async function makeWorld(): Promise<PlanWorld> {
  return makePlanWorld({ plan: before });
}

function textsOf(world: PlanWorld): Texts {
  const texts = files.map((file) => [file, world.planText(file)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

const ports = (world: PlanWorld, disk: Disk = nodeDisk) => ({ disk, layout: world.layout });

describe('copying a proposal into the plan', () => {
  test('writes, makes and removes files, and changes nothing the second time', async () => {
    const world = await makeWorld();
    for (let n = 0; n < 2; n++) {
      expect(await rollForward(ports(world), world.plan, changes)).toEqual({ outcome: 'finished' });
      expect(textsOf(world)).toEqual(after);
    }
  });

  test('can be rolled back, and changes nothing the second time', async () => {
    const world = await makeWorld();
    await rollForward(ports(world), world.plan, changes);
    for (let n = 0; n < 2; n++) {
      await rollBack(ports(world), world.plan, changes);
      expect(textsOf(world)).toEqual(before);
    }
  });

  /** Checks a copy when a person has saved `file` between the decision and the copy. */
  async function check(file: PlanFile, text: string, expected: Texts | { readonly conflict: PlanFile }): Promise<void> {
    const world = await makeWorld();
    world.writePlan(file, text);
    const copied = await rollForward(ports(world), world.plan, changes);
    if ('conflict' in expected) {
      expect(copied).toMatchObject({ outcome: 'undone', file: expected.conflict, conflicts: [{}] });
      expect(textsOf(world)).toEqual({ ...before, [file]: text });
    } else {
      expect(copied).toEqual({ outcome: 'finished' });
      expect(textsOf(world)).toEqual({ ...after, ...expected });
    }
  }

  test('merges a file that a person saved in between', async () => {
    await check('backlog.yaml', backlogOf('one', 'two', 'three'), {
      'backlog.yaml': backlogOf('one: done', 'two', 'three'),
    });
    await check('memory.yaml', memoryOf({ a: 'First.', b: 'Second, by Ada.' }), {
      'memory.yaml': memoryOf({ a: 'First, changed.', b: 'Second, by Ada.' }),
    });
  });

  test('is undone when a file cannot be merged, and the person’s text stays', async () => {
    await check('backlog.yaml', backlogOf('one: blocked', 'two'), { conflict: 'backlog.yaml' });
    await check('memory.yaml', memoryOf({ a: 'First, by Ada.', b: 'Second.' }), { conflict: 'memory.yaml' });
    await check('phase.md', 'triage\n', { conflict: 'phase.md' });
  });

  test('takes the session’s change out of a merged file when it is undone', async () => {
    const world = await makeWorld();
    const [backlog, memory] = [backlogOf('one', 'two', 'three'), memoryOf({ a: 'First, by Ada.', b: 'Second.' })];
    world.writePlan('backlog.yaml', backlog);
    world.writePlan('memory.yaml', memory);
    expect(await rollForward(ports(world), world.plan, changes)).toMatchObject({ outcome: 'undone' });
    expect(textsOf(world)).toEqual({ ...before, 'backlog.yaml': backlog, 'memory.yaml': memory });
  });
});

test('a file that a person saves in the moment of its replacement is merged', async () => {
  const world = await makeWorld();
  let renames = 0;
  const disk = traceDisk(nodeDisk, (_n, name, at) => {
    if (name === 'rename' && at.includes('.backlog.yaml.') && ++renames === 1)
      world.writePlan('backlog.yaml', backlogOf('one', 'two', 'three'));
  });
  expect(await rollForward(ports(world, disk), world.plan, changes)).toEqual({ outcome: 'finished' });
  expect(textsOf(world)).toEqual({ ...after, 'backlog.yaml': backlogOf('one: done', 'two', 'three') });
});

test('a file that a person saves while it is being removed stays', async () => {
  const world = await makeWorld();
  let reads = 0;
  const disk = traceDisk(nodeDisk, (_n, name, at) => {
    if (name === 'readFile' && at.endsWith('/commits.yaml') && ++reads === 2)
      world.writePlan('commits.yaml', '# saved\n');
  });
  const copied = await rollForward(ports(world, disk), world.plan, changes);
  expect(copied).toMatchObject({ outcome: 'undone', file: 'commits.yaml' });
  expect(world.planText('commits.yaml')).toBe('# saved\ncommits: []\n');
});

describe('the intent of a copy', () => {
  test('does not come back after a power cut once it was dropped', async () => {
    const world = await makeWorld();
    const disk = MemoryDisk.copyOf(world.folder);
    const paths = stagingPaths(world.folder);
    await recordIntent({ ...ports(world), disk }, paths, changes);
    await dropIntent({ disk }, paths);
    for (let seed = 0; seed < 20; seed++) {
      const later = { ...ports(world), disk: disk.afterPowerCut(seed) };
      expect(await loadIntent(later, paths), `seed ${seed}`).toBeUndefined();
    }
  });

  test('is loaded as it was recorded, and is undefined before that', async () => {
    const world = await makeWorld();
    const paths = stagingPaths(world.folder);
    expect(await loadIntent(ports(world), paths)).toBeUndefined();
    await recordIntent(ports(world), paths, changes);
    expect(await loadIntent(ports(world), paths)).toEqual(changes);
  });
});

/** Copies with a disk that stops before operation `cut`; returns whether the copy finished. */
async function copyUntil(cut: number, world: PlanWorld): Promise<boolean> {
  const disk = traceDisk(nodeDisk, (n) => {
    if (n >= cut) throw new Error('the power is cut');
  });
  const paths = stagingPaths(world.folder);
  try {
    await recordIntent(ports(world, disk), paths, changes);
    await rollForward(ports(world, disk), world.plan, changes);
    return true;
  } catch {
    return false;
  }
}

test('after a crash at any operation every file is as before or every file is as after', async () => {
  const world = await makeWorld();
  const paths = stagingPaths(world.folder);
  const seen = new Set<string>();
  for (let [cut, finished] = [1, false]; !finished; cut++) {
    await rollBack(ports(world), world.plan, changes);
    rmSync(paths.copyBack, { force: true });
    finished = await copyUntil(cut, world);
    const intent = await loadIntent(ports(world), paths);
    if (intent !== undefined) await rollForward(ports(world), world.plan, intent);
    expect(textsOf(world), `cut before operation ${cut}`).toEqual(intent === undefined ? before : after);
    seen.add(intent === undefined ? 'before' : 'after');
  }
  expect(seen).toEqual(new Set(['before', 'after']));
});

test('a plan that is gone is named', async () => {
  const world = await makeWorld();
  await assertPlanThere(ports(world), world.plan);
  rmSync(join(world.project, 'ravel/project-root'), { recursive: true });
  expect(await failureOf(() => assertPlanThere(ports(world), world.plan))).toMatchObject({
    code: 'plan/gone',
    subject: world.plan,
  });
});

test('a disk error does not make a plan look gone', async () => {
  const world = await makeWorld();
  const disk = failingDisk(nodeDisk, { code: 'EACCES', at: 1 });
  expect(await failureOf(() => assertPlanThere(ports(world, disk), world.plan))).toMatchObject({ code: 'disk/denied' });
});
