import { execFile } from 'node:child_process';
import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { type Diagnostic, isRavelError } from '../../src/base/errors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { copyWorld } from '../support/copyWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { finishDone, goodReflection, makeReflectWorld, oneEntry, runOptionsOf } from '../support/phaseWorld.ts';
import { type DiskOperationName, diskChanges, failingDisk, shortWritingDisk } from '../support/tracingDisk.ts';
import { startCore, type World } from '../support/world.ts';

type Place = Awaited<ReturnType<typeof copyWorld>>;

const changes: ReadonlySet<DiskOperationName> = new Set(['open', ...diskChanges]);

/** The plan's folder refuses changes from the merge to the end of the phase, and is well for good afterwards. */
interface Folder {
  state: 'not yet' | 'refuses' | 'well';
}

const inPlan = (path: string) => path.includes('/projects/greeter/project-root/');

describe('a disk that fails while an accepted proposal is copied back', () => {
  // What the system says takes the same way as far as the message: the two take turns.
  const codes = ['EACCES', 'ENOSPC'] as const;
  test.each([{ forEver: false }, { forEver: true }])(
    'at any change (for good: $forEver) loses nothing, and a retry applies the proposal',
    { timeout: 300_000 },
    async ({ forEver }) => {
      const template = await makeAcceptedWorld();
      const ends: End[] = [];
      for (let at = 1; ; at++) {
        const code = codes[at % 2] ?? 'EACCES';
        const place = await copyWorld(template, `${at}`);
        const folder: Folder = { state: 'not yet' };
        let reached = 0;
        const matches = (name: DiskOperationName, path: string) => {
          const counts = folder.state === 'refuses' && changes.has(name) && (inPlan(path) || inPlan(`${path}/`));
          if (counts) reached++;
          return counts;
        };
        const end = await tryCopyBack(place, failingDisk(nodeDisk, { code, at, forEver, matches }), folder, code);
        await rm(join(place.vault, '..'), { recursive: true, force: true });
        if (reached < at) break;
        ends.push(end);
      }
      expect(ends.length).toBeGreaterThan(15);
      expect(new Set(ends)).toContain('before');
      expect(new Set(ends)).toContain('after');
      expect(new Set(ends).has('half')).toBe(forEver);
    },
  );

  test('with a short write loses nothing, and a retry applies the proposal', { timeout: 300_000 }, async () => {
    const template = await makeAcceptedWorld();
    const ends: End[] = [];
    for (const bytes of [0, 1, 60, 115, 130, 150, 1_000_000]) {
      const place = await copyWorld(template, `${bytes}`);
      const folder: Folder = { state: 'not yet' };
      const disk = shortWritingDisk(nodeDisk, bytes, (path) => folder.state === 'refuses' && inPlan(path));
      ends.push(await tryCopyBack(place, disk, folder, 'ENOSPC'));
    }
    expect(ends[0]).toBe('before');
    expect(ends.at(-1)).toBe('after');
  });
});

test.each(['open', 'file.write', 'file.sync'])(
  'a disk that is full for one %s as a session ends fails that phase only, and a retry finishes it',
  async (operation) => {
    const world = await makeReflectWorld(goodReflection);
    const matches = (name: DiskOperationName, path: string) => name === operation && path.endsWith('spending.jsonl');
    const { core } = await startCore(world, { disk: failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches }) });
    const problem = await failureOf(() => core.api.request('run_phase', runOptionsOf(world)));
    expect(problem).toMatchObject({ code: 'disk/full', message: expect.stringContaining('spending.jsonl') });
    const report = await core.api.request('retry', runOptionsOf(world));
    expect(report).toMatchObject({ end: 'finished', next: 'triage' });
  },
);

test('an owner that fails to stop in order still frees its vault', async () => {
  const world = await makeReflectWorld(goodReflection);
  const matches = (name: DiskOperationName, path: string) =>
    name === 'file.close' && path.endsWith('routing-history.jsonl');
  const core = await openCore(world, { disk: failingDisk(nodeDisk, { code: 'EIO', at: 1, forEver: true, matches }) });
  await core.api.request('dispatch', { 'target-plan': world.plan, reason: 'Now', body: 'Greet the cat.' });
  expect(await failureOf(() => core.stop())).toMatchObject({ code: 'disk/failed' });
  const next = await openCore(world);
  await next.stop();
});

test('a retry delivers the messages that a full disk kept from being sent', async () => {
  const dispatch = { 'target-plan': 'greeter/project-root/second', reason: 'It is theirs.', body: 'Learn French.' };
  const world = await makeReflectWorld([{ call: 'message_dispatch', with: dispatch }, finishDone]);
  // The first thing after a phase is that its plan notes what it sends.
  const matches = (name: DiskOperationName, path: string) =>
    name === 'rename' && path.includes('.backlog.yaml.') && !path.includes('/second/');
  const { core } = await startCore(world, { disk: failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches }) });
  const second = await core.api.request('create', { plan: dispatch['target-plan'], description: 'The other half' });
  const problem = await failureOf(() => core.api.request('run_phase', runOptionsOf(world)));
  expect(problem).toMatchObject({ code: 'disk/full', message: expect.stringContaining('backlog.yaml') });
  await checkInterrupted(core, world, problem);
  const backlog = () => readFile(join(second.directory, 'backlog.yaml'), 'utf8');
  expect(await backlog()).not.toContain('Learn French.');
  const report = await core.api.request('retry', runOptionsOf(world));
  expect(report).toMatchObject({ phase: 'git-commit-reflect', end: 'finished', next: 'triage' });
  expect(await backlog()).toContain('Learn French.');
});

test.each([
  [
    'staging',
    'EPERM',
    (name: DiskOperationName, path: string) => name === 'removeDirectory' && path.includes('/staging/'),
  ],
  ['a view', 'ENOSPC', (name: DiskOperationName, path: string) => name === 'rename' && path.includes('.memory.md.')],
])(
  'if %s cannot be removed because of %s, the phase is finished all the same, with a warning',
  async (_what, code, matches) => {
    const world = await makeReflectWorld(goodReflection);
    const disk = failingDisk(nodeDisk, { code, at: 1, forEver: true, matches });
    const { core, events } = await startCore(world, { disk });
    const report = await core.api.request('run_phase', runOptionsOf(world));
    expect(report).toMatchObject({ end: 'finished', next: 'triage' });
    expect((await core.api.request('status', { plan: world.plan })).interrupted).toBeUndefined();
    const warnings = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.severity] : []));
    // A view is tried after the phase, and after its commit.
    expect([warnings.length > 0, [...new Set(warnings)]]).toEqual([true, ['warning']]);
  },
);

test('dismiss takes a half-copied proposal back once the disk is well', async () => {
  const place = await copyWorld(await makeAcceptedWorld(), 'dropped');
  const folder: Folder = { state: 'refuses' };
  const matches = (name: DiskOperationName, path: string) =>
    folder.state === 'refuses' && name === 'rename' && inPlan(path);
  // The memory is already replaced when phase.md cannot be written, and the memory cannot be put back.
  const core = await openCore(place, {
    disk: failingDisk(nodeDisk, { code: 'EACCES', at: 2, forEver: true, matches }),
  });
  onTestFinished(() => core.stop());
  const problem = await failureOf(() => core.api.request('retry', runOptionsOf(place)));
  expect(problem).toMatchObject({ code: 'disk/denied', message: expect.stringContaining('phase.md') });
  expect(await endOf(core, place)).toBe('half');
  const refused = await failureOf(() => core.api.request('dismiss', { plan: place.plan }));
  expect(refused.code).toBe('disk/denied');
  await checkInterrupted(core, place, problem);
  folder.state = 'well';
  await core.api.request('dismiss', { plan: place.plan });
  expect(await endOf(core, place)).toBe('before');
  expect((await core.api.request('status', { plan: place.plan })).interrupted).toBeUndefined();
});

type End = 'before' | 'after' | 'half';

const diskCodes: Readonly<Record<string, string>> = { EACCES: 'disk/denied', ENOSPC: 'disk/full' };

/** A world whose reflection was accepted but could not be copied back: what follows needs no session. */
async function makeAcceptedWorld(): Promise<World> {
  const world = await makeReflectWorld(goodReflection);
  const folder: Folder = { state: 'refuses' };
  const matches = (name: DiskOperationName, path: string) =>
    folder.state === 'refuses' && name === 'rename' && inPlan(path);
  // The name that is matched is that of the temporary file, which is in the same folder.
  const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, forEver: true, matches });
  const { core } = await startCore(world, { disk });
  const problem = await failureOf(() => core.api.request('run_phase', runOptionsOf(world)));
  expect(problem).toMatchObject({ code: 'disk/full' });
  await checkInterrupted(core, world, problem);
  expect(await endOf(core, world)).toBe('before');
  return world;
}

/** Retries over a disk that refuses, then over one that does not. Returns the state that the first try left. */
async function tryCopyBack(place: Place, disk: Disk, folder: Folder, code: string): Promise<End> {
  const core = await openCore(place, { disk });
  let sessions = 0;
  core.api.onEvent((event) => {
    if (event.type === 'state.merged' && folder.state === 'not yet') folder.state = 'refuses';
    if (event.type === 'phase.ended') folder.state = 'well';
    if (event.type === 'session.started') sessions++;
  });
  try {
    const problem = await problemOf(() => core.api.request('retry', runOptionsOf(place)));
    folder.state = 'well';
    const end = await endOf(core, place);
    if (problem !== undefined) {
      expect(problem.code).toBe(diskCodes[code]);
      await checkInterrupted(core, place, problem);
      await core.api.request('retry', runOptionsOf(place));
    }
    await checkApplied(core, place);
    expect(sessions).toBe(0);
    return end;
  } finally {
    await core.stop();
  }
}

async function problemOf(operation: () => Promise<unknown>): Promise<Diagnostic | undefined> {
  try {
    await operation();
    return undefined;
  } catch (error) {
    if (isRavelError(error)) return error.diagnostic;
    throw error;
  }
}

async function checkInterrupted(core: Core, place: Pick<World, 'plan'>, problem: Diagnostic): Promise<void> {
  const status = await core.api.request('status', { plan: place.plan });
  expect(status.running).toBeUndefined();
  expect(status.interrupted).toMatchObject({ reason: problem.message });
  if (status.interrupted?.phase === 'reflect') await access(join(status.interrupted.directory, 'transaction.json'));
}

/** A half state is a known one: the journal of the copy-back is kept with it. */
async function endOf(core: Core, place: Pick<World, 'plan' | 'readPlan'>): Promise<End> {
  const memory = await place.readPlan('memory.yaml');
  const phase = await place.readPlan('phase.md');
  if (memory === oneEntry && phase === 'reflect\n') return 'before';
  expect(memory.match(/- id: learned/g)).toHaveLength(1);
  if (phase !== 'reflect\n') return 'after';
  const { interrupted } = await core.api.request('status', { plan: place.plan });
  await access(join(interrupted?.directory ?? '', 'copy-back.json'));
  return 'half';
}

async function checkApplied(core: Core, place: Place): Promise<void> {
  const status = await core.api.request('status', { plan: place.plan });
  expect([status.phase, status.interrupted, status.waiting, status.running]).toEqual([
    'triage',
    undefined,
    undefined,
    undefined,
  ]);
  expect(await endOf(core, place)).toBe('after');
  const git = async (...args: string[]) =>
    (await promisify(execFile)('git', args, { cwd: place.project, env: place.environment })).stdout;
  expect((await git('log', '--format=%s')).match(/Record the memory of greeter after reflection/g)).toHaveLength(1);
  expect(await git('ls-files', 'ravel')).not.toContain('.tmp');
  expect(await git('status', '--porcelain', 'ravel')).toBe('');
}
