import { existsSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { ReasoningPhase } from '../../../src/model/phase.ts';
import { type PlanFile, planFiles } from '../../../src/model/plan.ts';
import { applyPhase, resumeCopyBack, undoCopyBack } from '../../../src/plans/proposals/applyPhase.ts';
import type { ApplyJob } from '../../../src/plans/proposals/plannedMerge.ts';
import { changePlanFiles } from '../../../src/plans/proposals/planWriter.ts';
import { failureOf } from '../../support/failureOf.ts';
import { removeLocks } from '../../support/locks.ts';
import {
  backlogOf,
  makePlanWorld,
  memoryOf,
  type PlanWorld,
  type PlanWorldOptions,
} from '../../support/planServices.ts';
import { failingDisk, traceDisk } from '../../support/tracingDisk.ts';

type Files = Partial<Record<PlanFile, string>>;

const plan: Files = { 'backlog.yaml': backlogOf('one', 'two'), 'memory.yaml': memoryOf({ a: 'First.' }) };

interface Begin extends PlanWorldOptions {
  readonly phase?: ReasoningPhase;
  /** The files as the session left them. */
  readonly session: Files;
}

/** A phase whose session made a proposal that was accepted. */
async function begin({ phase = 'triage', session, ...options }: Begin) {
  const world = await makePlanWorld({ ...options, plan: { ...plan, 'phase.md': `${phase}\n`, ...options.plan } });
  const staged = await world.begin(phase, { harness: 'claude-code' });
  for (const [file, text] of Object.entries(session)) await writeFile(join(staged.paths.plan, file), text);
  const verdict = { kind: 'accepted', finish: { outcome: 'done', summary: 'It works.' } } as const;
  const job: ApplyJob = { ...staged, verdict };
  return { world, job };
}

const everything = (world: PlanWorld): Files =>
  Object.fromEntries(Object.values(planFiles).map((file) => [file, world.planText(file)]));

describe('an accepted proposal', () => {
  test('is written to the plan with the next phase, and announced', async () => {
    const { world, job } = await begin({ session: { 'backlog.yaml': backlogOf('one: done', 'two') } });
    const result = await applyPhase(world.services, job);
    expect(result).toEqual({ outcome: 'applied', files: ['backlog.yaml', 'phase.md'], personEdited: [] });
    expect(world.planText('backlog.yaml')).toBe(backlogOf('one: done', 'two'));
    expect(world.planText('phase.md')).toBe('git-commit-triage\n');
    expect(world.events).toMatchObject([{ type: 'state.merged', files: ['backlog.yaml'], personEdited: [] }]);
  });

  test('does not take files that the phase is not allowed to write', async () => {
    const { world, job } = await begin({ phase: 'work', session: { 'memory.yaml': memoryOf({ a: 'Changed.' }) } });
    await applyPhase(world.services, job);
    expect(world.planText('memory.yaml')).toBe(plan['memory.yaml']);
  });

  test('an accepted proposal of a dream updates the word count, and a given-up dream updates only that', async () => {
    const session = { 'memory.yaml': memoryOf({ a: 'First and second.' }) };
    const dreamt = await begin({ phase: 'dream', session });
    await applyPhase(dreamt.world.services, dreamt.job);
    expect(dreamt.world.planText('dream-word-count')).toBe('6\n');
    const { world, job } = await begin({ phase: 'dream', session });
    await applyPhase(world.services, { ...job, verdict: { kind: 'givenUp', reason: 'It lost a number.' } });
    expect(world.planText('memory.yaml')).toBe(plan['memory.yaml']);
    expect(world.planText('dream-word-count')).toBe('4\n');
    expect(world.planText('phase.md')).toBe('git-commit-dream\n');
  });
});

describe('a person’s edit during a phase', () => {
  const done = backlogOf('one: done', 'two');

  test('is merged and named in the event', async () => {
    const { world, job } = await begin({ session: { 'backlog.yaml': done } });
    world.writePlan('backlog.yaml', `# by Ada\n${backlogOf('one', 'two', 'three')}`);
    const result = await applyPhase(world.services, job);
    expect(result).toMatchObject({ outcome: 'applied', personEdited: ['backlog.yaml'] });
    expect(world.planText('backlog.yaml')).toBe(`# by Ada\n${backlogOf('one: done', 'two', 'three')}`);
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'state.merged', personEdited: ['backlog.yaml'] }),
    );
  });

  test('is kept in a file that the session did not change', async () => {
    const { world, job } = await begin({ session: { 'backlog.yaml': done } });
    world.writePlan('memory.yaml', memoryOf({ b: 'By Ada.' }));
    expect(await applyPhase(world.services, job)).toMatchObject({ outcome: 'applied', personEdited: [] });
    expect(world.planText('memory.yaml')).toBe(memoryOf({ b: 'By Ada.' }));
  });

  test('a person’s edit during a phase of the phase is obeyed', async () => {
    const { world, job } = await begin({ session: { 'backlog.yaml': done } });
    world.writePlan('phase.md', 'reflect\n');
    await applyPhase(world.services, job);
    expect(world.planText('phase.md')).toBe('reflect\n');
  });

  /** Checks that a question is asked and that no file has changed. */
  async function checkQuestion(session: Files, person: Files, expected: object, options: Partial<Begin> = {}) {
    const { world, job } = await begin({ session, ...options });
    for (const [file, text] of Object.entries(person)) world.writePlan(file, text);
    const before = everything(world);
    expect(await applyPhase(world.services, job)).toMatchObject({ outcome: 'question', ...expected });
    expect(everything(world)).toEqual(before);
    expect(existsSync(job.paths.copyBack)).toBe(false);
  }

  test('a person’s edit during a phase of the field that the session changed is a conflict with both sides', () =>
    checkQuestion(
      { 'backlog.yaml': done },
      { 'backlog.yaml': backlogOf('one: in_progress', 'two'), 'memory.yaml': memoryOf({ b: 'By Ada.' }) },
      {
        ...{ kind: 'merge-conflict', reason: expect.stringContaining('backlog.yaml') },
        details: { 'backlog.yaml': [expect.objectContaining({ session: 'done', person: 'in_progress' })] },
      },
    ));

  test('a person’s edit during a phase that makes a dependency cycle with the session’s edit is a conflict', () =>
    checkQuestion(
      { 'backlog.yaml': backlogOf('one', 'two').replace(/(id: one\n)/, '$1    dependencies: [two]\n') },
      { 'backlog.yaml': backlogOf('one', 'two').replace(/(id: two\n)/, '$1    dependencies: [one]\n') },
      { kind: 'merge-conflict', reason: expect.stringContaining('do not go together') },
    ));

  test('while a session that can write runs is unattributed, and a person is asked', () =>
    checkQuestion(
      { 'backlog.yaml': done },
      { 'memory.yaml': memoryOf({ b: 'By somebody.' }) },
      { kind: 'unattributed-change', details: { files: [expect.objectContaining({ file: 'memory.yaml' })] } },
      { phase: 'work' },
    ));

  test('by a verb is attributed to the person even while such a session runs', async () => {
    const { world, job } = await begin({ phase: 'work', session: { 'backlog.yaml': done } });
    await changePlanFiles(world.services, world.plan, () => ({
      edits: new Map([['backlog.yaml', backlogOf('one', 'two', 'three')]]),
      result: 0,
    }));
    expect(await applyPhase(world.services, job)).toMatchObject({ outcome: 'applied' });
    expect(world.planText('backlog.yaml')).toBe(backlogOf('one: done', 'two', 'three'));
  });

  test('a person’s edit during a phase that removes the plan is not undone: the plan is gone', async () => {
    const { world, job } = await begin({ session: { 'backlog.yaml': done } });
    const directory = join(world.project, 'ravel/project-root');
    rmSync(directory, { recursive: true });
    expect(await failureOf(() => applyPhase(world.services, job))).toMatchObject({ code: 'plan/gone' });
    expect(existsSync(directory)).toBe(false);
  });
});

describe('an interrupted copy-back', () => {
  const session: Files = { 'backlog.yaml': backlogOf('one: done', 'two'), 'memory.yaml': memoryOf({ a: 'Changed.' }) };
  const after: Files = { ...session, 'phase.md': 'git-commit-triage\n' };

  test('does not exist before the copy-back begins', async () => {
    const { world, job } = await begin({ session });
    expect(await resumeCopyBack(world.services, job)).toBeUndefined();
  });

  test('is finished after a crash at any rename or removal', async () => {
    const seen = new Set<string>();
    for (let [cut, finished] = [1, false]; !finished; cut++) {
      const { world, job } = await begin({ session });
      const before = everything(world);
      let count = 0;
      const disk = traceDisk(nodeDisk, (_n, name) => {
        const changes = name === 'rename' || name === 'unlink';
        if (count >= cut || (changes && ++count === cut)) throw new Error('the power is cut');
      });
      finished = await applyPhase({ ...world.services, disk }, job).then(
        () => true,
        () => false,
      );
      rmSync(world.layout.plans, { recursive: true });
      await removeLocks(world.layout);
      const resumed = await resumeCopyBack(world.services, job);
      const expected = resumed === undefined ? before : { ...before, ...after };
      expect(everything(world), `cut ${cut}`).toEqual(expected);
      seen.add(resumed?.outcome ?? 'before');
    }
    expect(seen).toEqual(new Set(['before', 'applied']));
  });

  test('is undone when the disk refuses, and the disk error is reported', async () => {
    const { world, job } = await begin({ session });
    const before = everything(world);
    const matches = (name: string, path: string) => name === 'rename' && path.includes('memory.yaml');
    const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches });
    expect(await failureOf(() => applyPhase({ ...world.services, disk }, job))).toMatchObject({ code: 'disk/full' });
    expect(everything(world)).toEqual(before);
    expect(await resumeCopyBack(world.services, job)).toBeUndefined();
  });

  test('is undone when it is dropped, but a person’s edit stays', async () => {
    const { world, job } = await begin({ session });
    const [before, { plan: id }] = [everything(world), job.transaction];
    await undoCopyBack(world.services, id, job.paths);
    expect(everything(world)).toEqual(before);
    const matches = (name: string, path: string) => name === 'rename' && path.includes('/project-root/');
    // The first file is written; from then on nothing is, so nothing can be put back.
    const disk = failingDisk(nodeDisk, { code: 'EACCES', at: 2, matches, forEver: true });
    await failureOf(() => applyPhase({ ...world.services, disk }, job));
    rmSync(world.layout.plans, { recursive: true });
    expect(everything(world)).toEqual({ ...before, 'backlog.yaml': session['backlog.yaml'] });
    world.writePlan('backlog.yaml', backlogOf('one: done', 'two', 'three'));
    await undoCopyBack(world.services, id, job.paths);
    expect(everything(world)).toEqual({ ...before, 'backlog.yaml': backlogOf('one', 'two', 'three') });
    expect(await resumeCopyBack(world.services, job)).toBeUndefined();
  });

  test('becomes a question when a person has edited a copied file', async () => {
    const { world, job } = await begin({ session });
    const matches = (name: string, path: string) => name === 'rename' && path.includes('memory.yaml');
    const disk = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches, forEver: true });
    const broken = { ...world.services, disk: { ...disk, unlink: () => Promise.reject(new Error('cut')) } };
    await applyPhase(broken, job).catch(() => undefined);
    rmSync(world.layout.plans, { recursive: true });
    await removeLocks(world.layout);
    const mine = memoryOf({ a: 'By Ada.' });
    world.writePlan('memory.yaml', mine);
    expect(await resumeCopyBack(world.services, job)).toMatchObject({ outcome: 'question', kind: 'merge-conflict' });
    expect(everything(world)).toMatchObject({ ...plan, 'memory.yaml': mine, 'phase.md': 'triage\n' });
    expect(existsSync(job.paths.copyBack)).toBe(false);
  });
});
