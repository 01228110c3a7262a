import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { HarnessSession, SessionOutcome } from '../../../src/harness/adapter.ts';
import { readRecord } from '../../../src/harness/callsRecord.ts';
import { networkTickets } from '../../../src/harness/confinement/networkTicket.ts';
import { saveContext } from '../../../src/harness/sessionContext.ts';
import { SpoolProgress } from '../../../src/harness/spool.ts';
import type { RavelEvent, SessionEnd } from '../../../src/model/event.ts';
import type { HarnessOutput } from '../../../src/model/harnessOutput.ts';
import type { ReasoningPhase } from '../../../src/model/phase.ts';
import { noFacts } from '../../../src/plans/proposals/facts.ts';
import { ActiveSession } from '../../../src/plans/sessions/activeSession.ts';
import { followSession, sessionSpec } from '../../../src/plans/sessions/sessionRun.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makePlanWorld } from '../../support/planServices.ts';
import { failingDisk } from '../../support/tracingDisk.ts';

const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
const ready: HarnessOutput = { kind: 'ready', model: 'm', version: '1', tools: ['finish_phase'] };
const text: HarnessOutput = { kind: 'text', text: 'x' };

interface Played {
  readonly outputs: readonly HarnessOutput[];
  readonly emitted?: number;
  readonly end?: SessionEnd;
}

/** The events of `followSession` for a session with these outputs and this end. */
async function follow({ outputs, emitted = 0, end = 'exited' }: Played) {
  const { session, running, world } = await openSession();
  session.say(outputs);
  session.end(end);
  const outcome = await followSession(world.services, { ...running, emitted });
  expect(outcome.end).toBe(end);
  return world.events;
}

async function openSession(phase: ReasoningPhase = 'reflect', confinement?: 'confined') {
  const clock = new ManualClock();
  const world = await makePlanWorld({ clock });
  const { location, plan } = world;
  let tokens = 0;
  const services = { ...world.services, newToken: () => `token-${++tokens}` };
  const staged = await world.begin(phase);
  const active = await ActiveSession.open({
    services,
    location,
    facts: async () => noFacts,
    ...staged,
    ...(confinement && { confinement }),
  });
  onTestFinished(() => active.close());
  const session = new FakeSession(staged.transaction.session);
  return {
    world,
    clock,
    active,
    session,
    running: { plan, location, active, harness: session, emitted: 0, ...staged },
  };
}

class FakeSession implements HarnessSession {
  readonly session: HarnessSession['session'];
  readonly pid = 1;
  readonly ended: Promise<SessionOutcome>;
  readonly kills: SessionEnd[] = [];
  #outputs: readonly HarnessOutput[] = [];
  #settle: (outcome: SessionOutcome) => void = () => undefined;

  constructor(session: HarnessSession['session']) {
    this.session = session;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  get outputs(): AsyncIterable<HarnessOutput> {
    const outputs = this.#outputs;
    return (async function* () {
      yield* outputs;
    })();
  }

  say(outputs: readonly HarnessOutput[]): void {
    this.#outputs = outputs;
  }

  end(end: SessionEnd): void {
    const quiet = { succeeded: true, stderrTail: '', malformedLines: 0, outputBytes: 0 };
    this.#settle({ ...quiet, end, exitCode: 0, durationMs: 5 });
  }

  async kill(reason: SessionEnd): Promise<void> {
    this.kills.push(reason);
    this.end(reason);
  }
}

async function* iterate<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

describe('the events of a followed session', () => {
  test('have each output once, in order, and then the end', async () => {
    const events = await follow({ outputs: [ready, text] });
    expect(events.map(({ type }) => type)).toEqual([
      ...['spawn.measured', 'session.output', 'session.output', 'session.ended'],
    ]);
    expect(events.flatMap((event) => (event.type === 'session.output' ? [event.seq] : []))).toEqual([1, 2]);
  });

  test('skip everything that an earlier owner told, warnings included', async () => {
    const outputs = [{ ...ready, tools: [] }, text, { kind: 'usage' as const, usage }];
    const events = await follow({ outputs, emitted: 2 });
    expect(events).toMatchObject([{ type: 'session.output', seq: 3 }, { type: 'session.ended' }]);
  });

  test.each<[string, Played, string[]]>([
    ['lack a warning when the session has its tools', { outputs: [ready] }, []],
    ['warn of a session without its tools', { outputs: [{ ...ready, tools: ['Bash'] }] }, ['harness/noTools']],
    ['warn of a session that exited before it was ready', { outputs: [text] }, ['harness/exitedBeforeReady']],
    [
      'warn of a session that crashed before it was ready',
      { outputs: [], end: 'crashed' },
      ['harness/exitedBeforeReady'],
    ],
    ['lack a warning when the session was stopped before it was ready', { outputs: [], end: 'stopped' }, []],
    ['lack a warning when the session was lost before it was ready', { outputs: [], end: 'lost' }, []],
  ])('%s', async (_name, played, expected) => {
    const events = await follow(played);
    const told = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic] : []));
    expect(told.map(({ code }) => code)).toEqual(expected);
    expect(told.every(({ severity }) => severity === 'warning')).toBe(true);
  });
});

test('a session that continues after its phase was decided is ended after the grace period', async () => {
  const { world, clock, active, session, running } = await openSession();
  const followed = followSession(world.services, running);
  await active.call('call-1', 'finish_phase', { outcome: 'done', summary: 'Done.' });
  await active.finished;
  const graceMs = world.services.settings.limits['exit-grace-seconds'] * 1000;
  clock.advance(graceMs - 1);
  expect(session.kills).toEqual([]);
  clock.advance(1);
  expect(session.kills).toEqual(['exited']);
  await followed;
});

describe('a session whose outputs cannot be followed', () => {
  test('is ended before anyone hears of the failure, so that no second try runs beside it', async () => {
    const { world, session, running } = await openSession();
    session.say([ready, text]);
    const emit = (event: RavelEvent) => {
      if (event.type === 'session.output' && event.seq === 2) throw new RangeError('too deep');
      world.services.emit(event);
    };
    await expect(followSession({ ...world.services, emit }, running)).rejects.toThrow('too deep');
    expect(session.kills).toEqual(['stopped']);
    expect(world.events.at(-1)).toMatchObject({ type: 'session.ended', end: 'stopped' });
  });

  test('is ended as well if a full disk takes nothing more', async () => {
    const { world, session, running } = await openSession();
    const folder = world.services.layout.session(session.session);
    mkdirSync(folder, { recursive: true });
    await saveContext(nodeDisk, folder, { given: [], recorded: null, reported: null });
    session.say([ready, { kind: 'usage', usage }]);
    const isContext = (name: string, path: string) => name === 'file.write' && path.includes('context.json');
    const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches: isContext });
    await expect(followSession({ ...world.services, disk }, running)).rejects.toMatchObject({ code: 'disk/full' });
    expect(session.kills).toEqual(['stopped']);
  });

  test('fails with what went wrong first if it cannot be ended either', async () => {
    const { world, session, running } = await openSession();
    session.say([ready]);
    session.kill = () => Promise.reject(new Error('no such process'));
    const emit = () => {
      throw new RangeError('too deep');
    };
    await expect(followSession({ ...world.services, emit }, running)).rejects.toThrow('too deep');
  });
});

describe('a session that used a tool without being asked about it', () => {
  const started: HarnessOutput = { kind: 'toolStarted', tool: 'Bash', callId: 'toolu_1', input: { command: 'ls' } };
  const ended: HarnessOutput = { kind: 'toolEnded', callId: 'toolu_1', isError: false, output: '' };
  const again: readonly HarnessOutput[] = [
    { ...started, callId: 'toolu_2' },
    { ...ended, callId: 'toolu_2' },
  ];

  async function check(played: {
    readonly outputs?: readonly HarnessOutput[];
    readonly recorded?: readonly HarnessOutput[];
    readonly isDecided?: boolean;
    readonly expected: { readonly problem: string | undefined; readonly kills: readonly SessionEnd[] };
  }) {
    const { outputs = [], recorded, isDecided = true, expected } = played;
    const { world, active, session, running } = await openSession();
    if (isDecided) await active.call('call-1', 'finish_phase', { outcome: 'done', summary: 'Done.' });
    session.say([ready, ...outputs]);
    // It has ended by itself, so that a test without the ending fails at once.
    session.end('exited');
    const recordedCalls = recorded === undefined ? undefined : iterate(recorded);
    const harness = Object.assign(session, recordedCalls && { recordedCalls });
    const { uncovered } = await followSession(world.services, { ...running, harness });
    const told = world.events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.message] : []));
    if (expected.problem === undefined) expect(uncovered).toBeUndefined();
    else expect(uncovered?.message).toContain(expected.problem);
    expect(told).toEqual(uncovered === undefined ? [] : [uncovered.message]);
    expect(session.kills).toEqual(expected.kills);
  }

  const notAsked = 'call toolu_1 of the tool Bash ran, and Ravel was not asked';
  const doubtful = 'call toolu_1 of the tool Bash was not asked about, and the session ended';

  test('is ended once, at the first such call, and says so once', () =>
    check({ outputs: [started, ended, ...again], expected: { problem: notAsked, kills: ['stopped'] } }));

  test('is ended by the records of its program alone', () =>
    check({ recorded: [started, ended, ...again], expected: { problem: notAsked, kills: ['stopped'] } }));

  test('is not applied if it is unknown whether the call ran', () =>
    check({ outputs: [started], expected: { problem: doubtful, kills: [] } }));

  test('is not applied if its record alone has such a call', () =>
    check({ recorded: [started], expected: { problem: doubtful, kills: [] } }));

  test('and decided nothing needs no word about a call that may not have run', () =>
    check({ outputs: [started], isDecided: false, expected: { problem: undefined, kills: [] } }));
});

describe('a session whose command ran outside of its sandbox', () => {
  const input = { command: 'ls' };
  const call: readonly HarnessOutput[] = [
    { kind: 'toolStarted', tool: 'Bash', callId: 'toolu_1', input },
    { kind: 'toolEnded', callId: 'toolu_1', isError: false, output: '', exitCode: 0 },
  ];
  const inBackground = [call[0], { kind: 'toolEnded', callId: 'toolu_1', isError: false, output: '' }] as const;

  test.each([
    ['is ended at its end', 'outputs', call, ['stopped']],
    ['is ended as its record tells', 'recorded', call, ['stopped']],
    ['is not applied if it went on behind its call', 'outputs', inBackground, []],
    ['is not applied if it went on, as its record tells', 'recorded', inBackground, []],
  ] as const)('%s', async (_name, where, outputs, kills) => {
    const { world, active, session, running } = await openSession('work', 'confined');
    await active.judge({ tool_name: 'Bash', input, tool_use_id: 'toolu_1' });
    await active.call('call-1', 'finish_phase', { outcome: 'blocked', summary: 'It waits.' });
    const told = outputs.flatMap((output) => output ?? []);
    if (where === 'outputs') session.say([ready, ...told]);
    session.end('exited');
    const harness = Object.assign(session, {
      ...(where === 'recorded' && { recordedCalls: iterate(told) }),
      commandRuns: { tool: 'Bash', read: async () => ['date'] },
    });
    const { uncovered } = await followSession(world.services, { ...running, harness });
    expect(uncovered?.message).toContain(
      'the call toolu_1 of the tool Bash is not in the record of what the sandbox ran',
    );
    expect(session.kills).toEqual(kills);
  });
});

test('a no at the terminal takes the network back at once, from that call alone', async () => {
  const { world, active, session, running } = await openSession('work', 'confined');
  const judge = (command: string, id: string) =>
    active.judge({ tool_name: 'Bash', input: { command }, tool_use_id: id });
  await judge('npm ci', 'no');
  await judge('npm install', 'later');
  const folder = join(world.services.layout.session(session.session), networkTickets);
  const left: number[] = [readdirSync(folder).length];
  const recordedCalls = (async function* (): AsyncGenerator<HarnessOutput> {
    yield { kind: 'toolStarted', tool: 'Bash', callId: 'no', input: { command: 'npm ci' } };
    left.push(readdirSync(folder).length);
    yield { kind: 'toolEnded', callId: 'no', isError: true, output: '', ran: false };
    left.push(readdirSync(folder).length);
    session.end('exited');
  })();
  await followSession(world.services, { ...running, harness: Object.assign(session, { recordedCalls }) });
  expect(left).toEqual([2, 2, 1]);
});

test('a session without a record of its tool calls says what to look at, and its work is not applied', async () => {
  const { world, active, session, running } = await openSession();
  const record = { isThere: false, size: async () => 0, read: async function* () {} };
  const progress = new SpoolProgress();
  progress.end();
  const harness = Object.assign(session, {
    recordedCalls: { [Symbol.asyncIterator]: () => readRecord(session.session, record, progress) },
  });
  await active.call('call-1', 'finish_phase', { outcome: 'done', summary: 'Done.' });
  session.end('exited');
  const { uncovered } = await followSession(world.services, { ...running, harness });
  expect(uncovered).toMatchObject({ code: 'gate/uncovered', message: expect.stringContaining('left no record') });
  for (const words of ['git diff', 'CLAUDE_CONFIG_DIR', 'retry']) expect(uncovered?.help).toContain(words);
});

test.each([
  ['work', 'project'],
  ['reflect', 'staging'],
] as const)('a %s session starts in the %s folder', async (phase, where) => {
  const world = await makePlanWorld();
  const { services, location, project } = world;
  const staged = await world.begin(phase);
  const start = {
    location,
    systemPrompt: '',
    token: 't',
    model: undefined,
    scenario: undefined,
    costUsd: 1,
    ...staged,
  };
  expect(sessionSpec(services, start).cwd).toBe(where === 'project' ? project : staged.paths.plan);
});
