import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { terminateSession } from '../../src/harness/terminate.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { HarnessName } from '../../src/model/harnesses.ts';
import { readCalls } from '../../src/plans/proposals/callJournal.ts';
import { claudeSettings, startClaudeWorld } from './claudeWorld.ts';
import { makeCycleWorld } from './cycleWorld.ts';
import { describeOutcome } from './describeOutcome.ts';
import { createNormaliser, formatEvents } from './eventText.ts';
import { expectGolden } from './golden.ts';
import { type OwnerProcess, startOwner } from './ownerProcess.ts';
import { processesOfSession } from './sessionProcesses.ts';
import { ports } from './sessions.ts';
import { startCore, type World } from './world.ts';

export type InterruptedPhase = keyof typeof phases;

/** Steps with pauses between them, and verbs that would show if they were carried out twice. */
const phases = {
  work: `
    - say: I begin.
    - edit: { path: farewell.mjs, content: "export const farewell = 'Goodbye';\\n" }
    - call: backlog_set_results
      with: { id: add-a-farewell, body: The farewell is there. }
    - wait: 400ms
    - read: { path: greet.mjs }
    - edit: { path: greet.mjs, replace: "Hello \${name}", with: "Hello, \${name}" }
    - call: backlog_set_status
      with: { id: add-a-farewell, status: done }
    - wait: 600ms
    - finish: { outcome: done, summary: Added the farewell. }
    - wait: 600ms
    - say: It is over.
`,
  reflect: `
    - say: I begin.
    - call: memory_add
      with: { title: First, body: Something. }
    - wait: 400ms
    - call: memory_add
      with: { title: Second, body: Something else. }
    - call: memory_delete
      with: { id: esm-only }
    - wait: 600ms
    - finish: { outcome: done, summary: Learned two things. }
    - wait: 600ms
    - say: It is over.
`,
} as const;

const verbsOf: Readonly<Record<InterruptedPhase, readonly string[]>> = {
  work: ['backlog/set-results', 'backlog/set-status'],
  reflect: ['memory/add', 'memory/add', 'memory/delete'],
};

export interface PhaseWorld extends World {
  readonly phase: InterruptedPhase;
  readonly harness: HarnessName;
}

/** A world that stands before a phase, whose session one of the harnesses plays. */
export async function makePhaseWorld(
  harness: HarnessName,
  phase: InterruptedPhase,
  options: { readonly settings?: string; readonly steps?: string } = {},
): Promise<PhaseWorld> {
  const scenario = `version: 1\nphases:\n  ${phase}:${options.steps ?? phases[phase]}`;
  const world = await makeCycleWorld({ scenario, settings: `${options.settings ?? ''}\n${settingsOf(harness)}` });
  await world.writePlan('phase.md', `${phase}\n`);
  onTestFinished(() => endSessions(world));
  if (harness === 'scripted') return { ...world, phase, harness };
  const { environment } = await startClaudeWorld(world, scenario);
  return { ...world, environment, phase, harness };
}

/** What a test that fails leaves behind would outlive it. */
async function endSessions(world: World): Promise<void> {
  for (const session of await sessionsOf(world)) {
    const text = await readFile(join(world.vault, 'runtime/sessions', session, 'pid'), 'utf8').catch(() => '0');
    await terminateSession(ports, { pid: Number(text.split('\n')[0]), session });
  }
}

function settingsOf(harness: HarnessName): string {
  return harness === 'claude-code' ? claudeSettings() : '';
}

export function runOptions({ harness, scenario }: PhaseWorld) {
  return { harness, ...(harness === 'scripted' && { scenario }) } as const;
}

export function startOwnerOf(world: PhaseWorld): Promise<OwnerProcess> {
  return startOwner(world, runOptions(world));
}

/** Waits for the n-th event of the owner, or for its end: two runs differ by an event or two. */
export async function whenReported(owner: OwnerProcess, count: number): Promise<void> {
  const told = owner.when((_event, index) => index === count - 1).catch(() => undefined);
  await Promise.race([told, owner.ended]);
}

export async function sessionOf(owner: OwnerProcess): Promise<string> {
  const started = await owner.when((event) => event.type === 'session.started');
  return 'session' in started ? (started.session ?? '') : '';
}

/** A new owner in this process; resolves once nothing of the phase goes on any more. */
export async function takeOver(world: PhaseWorld): Promise<Core> {
  const { core } = await startCore(world, { sessions: 'processes' });
  const ended = new Promise<void>((done) => {
    core.api.onEvent((event) => {
      if (event.type === 'recovered' && event.outcome !== 'reattached') done();
    });
  });
  if ((await ledgerOf(world)).at(-1) === 'reattached') await ended;
  return core;
}

export async function ledgerOf({ vault }: Pick<World, 'vault'>): Promise<string[]> {
  const lines = (await readFile(join(vault, 'runtime/ledger.jsonl'), 'utf8').catch(() => '')).split('\n');
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line).outcome]));
}

/** Whatever happened meanwhile: files, commits and what was said are those of a phase that nobody disturbed. */
export async function expectUndisturbed(world: PhaseWorld): Promise<void> {
  const session = (await sessionsOf(world)).at(-1) ?? '';
  expect(await processesOfSession(session)).toEqual([]);
  const transcript = await readTranscript(world, session);
  const outputs = transcript.filter((event) => event.type === 'session.output');
  expect(outputs.map(({ seq }) => seq)).toEqual(outputs.map((_output, index) => index + 1));
  const calls = await readCalls(nodeDisk, join(world.vault, 'runtime/sessions', session));
  expect(calls.flatMap(({ verb }) => (verb === undefined ? [] : [verb]))).toEqual(verbsOf[world.phase]);
  expect(calls.filter(({ finish }) => finish?.kind === 'accepted')).toHaveLength(1);
  const normalise = createNormaliser(world.root);
  const text = `${formatEvents(outputs, normalise)}\n${normalise(await describeOutcome(world))}`;
  await expectGolden(text, `scenarios/undisturbed-${world.phase}.txt`);
}

async function sessionsOf({ vault }: World): Promise<string[]> {
  return (await readdir(join(vault, 'runtime/sessions')).catch(() => [])).sort();
}

async function readTranscript({ vault }: World, session: string): Promise<RavelEvent[]> {
  const text = await readFile(join(vault, 'runtime/sessions', session, 'transcript.jsonl'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** The wrapper that a session's program runs under, and the program. */
export async function programOf(world: World, session: string): Promise<{ leader: number; program: number }> {
  const text = await readFile(join(world.vault, 'runtime/sessions', session, 'pid'), 'utf8');
  const leader = Number(text.split('\n')[0]);
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const program = rows.find(([, parent]) => parent === leader)?.[0];
  // To signal the number 0 would end the test's own processes.
  if (!(leader > 1) || program === undefined) throw new Error(`no program runs under ${leader} of session ${session}`);
  return { leader, program };
}
