import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { idFromSegment } from '../../src/model/id.ts';
import { startServer } from '../../src/server/server.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { isUnderWay, loadRunState } from '../../src/vault/runState.ts';
import { listUnderWay } from '../../src/vault/underWay.ts';
import type { OwnerOrder } from '../fixtures/owner.ts';
import { type CoreScene, type CrashPlace, type CrashPoints, everyCrashPoint, sceneOf } from '../support/crashPoints.ts';
import { type OpenOptions, openCore } from '../support/openCore.ts';
import { someSignals } from '../support/signalPoints.ts';
import { makeWorld, type World } from '../support/world.ts';

/** One phase, and what tells the state before it from the state after it. */
export interface CrashCase {
  readonly name: string;
  readonly scenario: string;
  /** Files of the plan and of the project when the phase begins; the project's are not committed. */
  readonly plan: Readonly<Record<string, string>>;
  readonly source: Readonly<Record<string, string>>;
  readonly phases: { readonly before: string; readonly after: string };
  /** The file that the phase changes, as it is before, and a line that only the state after has, once. */
  readonly file: string;
  readonly line: string;
  /** Titles of the commits after it, newest first. */
  readonly titles: readonly string[];
}

export const reflectCase: CrashCase = {
  name: 'a reflection',
  scenario: `version: 1
phases:
  reflect:
    - call: memory_add
      with: { title: Learned, body: Something. }
    - finish: { outcome: done, summary: Learned something. }
`,
  plan: { 'memory.yaml': 'entries: [] # nothing yet\n', 'phase.md': 'reflect\n' },
  source: {},
  phases: { before: 'reflect\n', after: 'triage\n' },
  file: 'memory.yaml',
  line: 'id: learned',
  titles: ['Record the memory of greeter after reflection: 1 entry added'],
};

export const analysisCase: CrashCase = {
  name: 'an analysis and its commits',
  scenario: `version: 1
phases:
  analyse-work:
    - call: session_set_latest
      with: { title: Greetings, body: Greets twice. }
    - call: commits_set
      with:
        commits:
          - { paths: [one.mjs], message: Greet once }
          - { paths: [two.mjs], message: Greet twice }
    - finish: { outcome: done, summary: Recorded it. }
`,
  plan: { 'phase.md': 'analyse-work\n', 'session-log.yaml': 'sessions: [] # none yet\n' },
  source: { 'one.mjs': 'export const one = 1;\n', 'two.mjs': 'export const two = 2;\n' },
  phases: { before: 'analyse-work\n', after: 'reflect\n' },
  file: 'session-log.yaml',
  line: '-greetings',
  titles: ['Record the backlog of greeter after work: no change', 'Greet twice', 'Greet once'],
};

/** How many moments are tried by a signal to a real process, unless all are. */
const samples = 4;

/** Makes the world that a case begins with. */
async function makeTemplate(crash: CrashCase): Promise<World> {
  const template = await makeWorld({ scenario: crash.scenario, plan: crash.plan });
  for (const [path, text] of Object.entries(crash.source)) await template.write(path, text);
  return template;
}

/** The owner dies at every moment of the phase, or of what comes after an event of it, in this process. */
export async function tryEveryPoint(crash: CrashCase, from?: CoreScene<'run_phase'>['from']): Promise<CrashPoints> {
  const scene = await sceneFor(crash, { sessions: 'inProcess' });
  return everyCrashPoint(sceneOf({ ...scene, ...(from !== undefined && { from }) }));
}

/** Has the plan's next phase run; `options` are those of the owner that finds what is left. */
async function sceneFor(crash: CrashCase, options: OpenOptions): Promise<CoreScene<'run_phase'>> {
  const template = await makeTemplate(crash);
  // A copy of a world has the same plan and the same scenario.
  const { plan, scenario } = template;
  return {
    ...{ what: crash.name, template, request: 'run_phase', params: { plan, harness: 'scripted', scenario } },
    async look(place, { isTold }) {
      await assertIndexed(place);
      const end = await endStateAfterRestart(place, crash, options);
      const text = await place.readPlan(crash.file);
      const times = text.split(crash.line).length - 1;
      return { end, times, isOwed: isTold || (await isAccepted(place)) };
    },
  };
}

/** Whatever the moment, the next owner finds in the index what a run state says is under way. */
async function assertIndexed({ vault }: CrashPlace): Promise<void> {
  const layout = new VaultLayout(vault);
  const named = (await listUnderWay({ disk: nodeDisk, layout })) ?? [];
  for (const name of await readdir(layout.plans).catch(() => [])) {
    if (!name.endsWith('.yaml')) continue;
    const plan = idFromSegment(name.slice(0, -'.yaml'.length));
    if (plan !== undefined && isUnderWay(await loadRunState({ disk: nodeDisk, layout }, plan)))
      expect(named).toContain(plan);
  }
}

/** Whether the phase was accepted, which its session was told. */
async function isAccepted({ vault }: CrashPlace): Promise<boolean> {
  const folder = join(vault, 'runtime/sessions');
  const sessions = await readdir(folder).catch(() => []);
  const calls = await Promise.all(
    sessions.map((session) => readFile(join(folder, session, 'calls.jsonl'), 'utf8').catch(() => '')),
  );
  return calls.some((text) => text.includes('"kind":"accepted"'));
}

/** Ends an owner in a process of its own by this signal before some changes of the disk during a phase. */
export function describeSignals(signal: NonNullable<OwnerOrder['signal']>, crash: CrashCase): void {
  const which = process.env['RAVEL_EVERY_CRASH'] === undefined ? `${samples} random changes` : 'every change';
  test(`an owner that gets ${signal} before ${which} of the disk during ${crash.name} loses and doubles nothing`, {
    timeout: 1_200_000,
  }, async () => {
    const scene = await sceneFor(crash, { sessions: 'processes' });
    const result = await someSignals({ ...scene, signals: [signal], samples });
    expect(result).toMatchObject({ end: 'finished' });
  });
}

/** Starts a new owner, waits until nothing goes on any more, and says which state the plan is in; throws at a third one. */
async function endStateAfterRestart(
  place: CrashPlace,
  crash: CrashCase,
  options: OpenOptions,
): Promise<'before' | 'after'> {
  const core = await openCore(place, options);
  const { api, socketPath, sessionSocketPath } = core;
  const ports = { disk: nodeDisk, clock: systemClock, log: silentLogger };
  const server = await startServer({ api, socketPath, sessionSocketPath, ...ports });
  try {
    await settled(core.api, place);
    return await endState(core.api, place, crash);
  } finally {
    await server.stop();
    await core.stop();
  }
}

type Api = Awaited<ReturnType<typeof openCore>>['api'];

/** Resolves once what goes on after a recovery has ended, which the ledger's last line says. */
async function settled(api: Api, place: CrashPlace): Promise<void> {
  const ended = new Promise<void>((done) => {
    api.onEvent((event) => {
      if (event.type === 'recovered' && event.outcome !== 'reattached') done();
    });
  });
  if ((await ledgerOutcomes(place)).at(-1) === 'reattached') await ended;
}

async function ledgerOutcomes(place: CrashPlace): Promise<string[]> {
  // Its first line makes it.
  const ledger = await readFile(join(place.vault, 'runtime/ledger.jsonl'), 'utf8').catch(() => '');
  return ledger
    .split('\n')
    .filter((line) => line !== '')
    .map((line): string => JSON.parse(line).outcome);
}

/** Titles of the commits since the first one; the plan's folder must be clean, and nothing staged. */
async function commitsOf(place: CrashPlace): Promise<string[]> {
  const git = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: place.project, env: place.environment });
    return stdout.split('\n').filter((line) => line !== '');
  };
  expect(await git('status', '--porcelain', '--', 'ravel')).toEqual([]);
  expect(await git('diff', '--cached', '--name-only')).toEqual([]);
  return (await git('log', '--format=%s')).filter((title) => title !== 'Start');
}

async function endState(api: Api, place: CrashPlace, crash: CrashCase): Promise<'before' | 'after'> {
  const status = await api.request('status', { plan: place.plan });
  const read = (file: string) => readFile(join(place.project, 'ravel/project-root', file), 'utf8');
  const [text, phase] = [await read(crash.file), await read('phase.md')];
  const outcomes = await ledgerOutcomes(place);
  if (phase === crash.phases.before) {
    expect(text).toBe(crash.plan[crash.file]);
    if (status.interrupted !== undefined) {
      expect(outcomes).toContain('interrupted');
      // A session goes on without its owner, so only one that never started can be interrupted.
      expect(status.interrupted.reason).not.toMatch(/the session was gone/);
    }
    return 'before';
  }
  expect(phase).toBe(crash.phases.after);
  expect(text.split(crash.line)).toHaveLength(2);
  expect(status.interrupted).toBeUndefined();
  expect(status.waiting).toBeUndefined();
  // Whatever the restart had to do, the ledger says that it came to its end.
  if (outcomes.length > 0) expect(outcomes.at(-1)).toBe('finished');
  expect(await commitsOf(place)).toEqual(crash.titles);
  return 'after';
}
