import { randomBytes } from 'node:crypto';
import { access, chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/failureOf.ts';
import {
  finishDone,
  formatScenario,
  goodReflection,
  makeReflectWorld,
  oneEntry,
  runOptionsOf,
  type Steps,
  setScenario,
  stateOf,
  whenPrinted,
} from '../support/phaseWorld.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';
import { type BadEnd, checkBadEnd, checkRetry, typesOf } from './badEnds.ts';

const secret = `A key is ghp_${'85RKTjrXp3l2pdI4YTHRu3kowQ2hZAPfWq6S'} for all.`;
const refusedFinish = { ...finishDone, expect: 'refused' };

interface Bad extends BadEnd {
  readonly steps: Steps;
  readonly settings?: string;
}

const badSessions: Readonly<Record<string, Bad>> = {
  'ends without finish_phase': {
    steps: [{ call: 'memory_add', with: { title: 'Lost', body: 'Never finished.' } }],
    end: 'failed',
    reason: 'the session ended with code 0 without an accepted finish_phase',
  },
  'exits with code 3': {
    steps: [{ exit: 3 }],
    end: 'failed',
    reason: 'the session ended with code 3 without an accepted finish_phase',
  },
  'calls a tool that it does not have': {
    steps: [{ call: 'backlog_add', with: { title: 'A task', category: 'core', description: 'x' } }],
    end: 'failed',
    reason:
      /^the session ended with code 1 without an accepted finish_phase; the end of its standard error: .*backlog_add/,
  },
  crashes: {
    steps: [{ crash: 'SIGSEGV' }],
    end: 'failed',
    // Some shells say on standard error what became of the program.
    reason: /^the harness crashed with code 139/,
  },
  'runs past its time limit': {
    steps: [{ hang: true }],
    settings: '[limits]\nsession-minutes = 0.02\n',
    end: 'interrupted',
    reason: 'the session reached its time limit',
  },
  'writes too much to standard output': {
    // Over the limit by less than the watchdog of the session waits for.
    steps: [{ flood: { megabytes: 8, to: 'stdout' } }, { hang: true }],
    settings: '[limits]\nsession-output-mib = 8\n',
    end: 'failed',
    reason: 'the session wrote more output than its limit allows',
  },
  'writes too much to standard error': {
    // Over the limit by less than the watchdog of the session waits for.
    steps: [{ flood: { megabytes: 8, to: 'stderr' } }, { hang: true }],
    settings: '[limits]\nsession-output-mib = 8\n',
    end: 'failed',
    reason: 'the session wrote more output than its limit allows',
  },
  'passes its cost limit': {
    steps: [{ usage: { 'cost-usd': 0.4 } }, { usage: { 'cost-usd': 0.2 } }, { hang: true }],
    settings: '[limits]\nsession-usd = 0.5\n',
    end: 'interrupted',
    reason: 'the session reached its cost limit',
  },
  'is refused at finish_phase three times': {
    steps: [
      { call: 'memory_add', with: { title: 'A key', body: secret } },
      refusedFinish,
      refusedFinish,
      refusedFinish,
      { ...finishDone, expect: 'refused' },
    ],
    end: 'failed',
    reason:
      /^Something looks like a secret: take it out, and say where it is kept instead\. If it is none, a person can add its id to gates\.allowed-secrets in daemon\.toml, and retry\.\n- memory\.yaml, line 9: this looks like a GitHub token \(id [0-9a-f]{16}\)\.$/,
  },
};

describe('a session that', () => {
  test.each(Object.entries(badSessions))('%s changes nothing, and a retry finishes the phase', async (_name, bad) => {
    const { steps, settings } = bad;
    const world = await makeReflectWorld(steps, settings === undefined ? {} : { settings });
    const running = await startCore(world);
    await checkBadEnd(world, running, bad, () => running.core.api.request('run_phase', runOptionsOf(world)));
    await checkRetry(world, running, bad);
  });

  test('failed and was dismissed leaves only its staging, and the next session is not told of it', async () => {
    const world = await makeReflectWorld([{ exit: 3 }]);
    const { core } = await startCore(world);
    const before = await stateOf(world);
    const { session } = await core.api.request('run_phase', runOptionsOf(world));
    const kept = (await core.api.request('status', { plan: world.plan })).interrupted?.directory ?? '';
    expect(await core.api.request('dismiss', { plan: world.plan })).toEqual({
      dismissed: session,
      phase: 'reflect',
      keptIn: expect.stringContaining(session),
    });
    const status = await core.api.request('status', { plan: world.plan });
    expect([status.interrupted, status.waiting, status.running]).toEqual([undefined, undefined, undefined]);
    expect(await stateOf(world)).toEqual(before);
    await access(join(kept, 'plan/memory.yaml'));
    const nothing = await failureOf(() => core.api.request('dismiss', { plan: world.plan }));
    expect(nothing).toMatchObject({ code: 'plan/notInterrupted' });
    await setScenario(world, { reflect: goodReflection });
    const { end, session: fresh } = await core.api.request('run_phase', runOptionsOf(world));
    expect(end).toBe('finished');
    expect(await readFile(join(world.vault, 'runtime/sessions', fresh, 'prompt.md'), 'utf8')).not.toContain(
      'did not end well',
    );
  });
});

describe('a harness program that', () => {
  test('is missing starts nothing', async () => {
    const world = await makeReflectWorld(goodReflection);
    await useProgram(world, join(world.root, 'nowhere'));
    const { core, events } = await startCore(world);
    const before = await stateOf(world);
    const problem = await failureOf(() => core.api.request('run_phase', { plan: world.plan }));
    expect(problem).toMatchObject({ code: 'harness/missing', help: expect.stringContaining('Install') });
    expect(problem.message).toContain('nowhere');
    expect(await stateOf(world)).toEqual(before);
    expect(typesOf(events)).toEqual([]);
    expect((await core.api.request('run_phase', runOptionsOf(world))).end).toBe('finished');
  });

  test.each<[string, string, BadEnd]>([
    [
      'exits without output',
      'echo No licence >&2; exit 7',
      { end: 'failed', reason: 'the harness crashed with code 7; the end of its standard error: No licence' },
    ],
    [
      'prints garbage',
      'printf \'not json\\n\\377\\376\\n[1\\n{"type":7}\\n\'',
      { end: 'failed', reason: 'the session ended with code 0 without an accepted finish_phase' },
    ],
  ])('%s changes nothing, and a retry finishes the phase', async (_name, script, bad) => {
    const world = await makeReflectWorld(goodReflection);
    await useProgram(world, await makeProgram(world, script));
    const running = await startCore(world);
    await checkBadEnd(world, running, bad, () => running.core.api.request('run_phase', { plan: world.plan }));
    if (script.startsWith('printf')) {
      const said = running.events.flatMap((event) => (event.type === 'session.output' ? [event.output.kind] : []));
      expect(said).toEqual(['warning', 'warning', 'warning']);
    }
    await checkRetry(world, running, bad);
  });
});

describe('a tool call', () => {
  test('is accepted only with the token of its session, and while that runs', async () => {
    const world = await makeReflectWorld([{ say: 'Ready.' }, { hang: true }]);
    // A token has 32 random bytes.
    const random = (count: number) => (count === 32 ? Buffer.alloc(count, 7) : randomBytes(count));
    const { core } = await startCore(world, { random });
    const ready = whenPrinted(core, 'Ready.');
    const run = core.api.request('run_phase', runOptionsOf(world));
    await ready;
    const session = (await core.api.request('status', { plan: world.plan })).running?.session ?? '';
    const token = '07'.repeat(32);
    const call = (tool: string, args: Record<string, unknown>, as: { session?: string; token?: string } = {}) =>
      core.api.request('session_call', { session, token, call: `${tool}-1`, tool, args, ...as });
    const entry = { title: 'From outside', body: 'x' };
    const badToken = { code: 'session/badToken' };
    expect(await failureOf(() => call('memory_add', entry, { token: 'f'.repeat(64) }))).toMatchObject(badToken);
    expect(await failureOf(() => call('memory_add', entry, { session: world.plan }))).toMatchObject(badToken);
    expect(await failureOf(() => core.api.request('session_tools', { session, token: '' }))).toMatchObject(badToken);
    for (const tool of ['backlog_list', 'memory_merge', 'source_revert', 'finish_phase', 'permit', 'no_such_tool']) {
      expect(await call(tool, {})).toMatchObject({ isError: true });
    }
    expect(await call('memory_add', entry)).toMatchObject({ isError: false });
    await core.api.request('stop', { plan: world.plan });
    expect((await run).end).toBe('interrupted');
    expect(await failureOf(() => call('memory_add', entry))).toMatchObject(badToken);
    expect(await world.readPlan('memory.yaml')).toBe(oneEntry);
  });

  test('is refused once the phase is over', async () => {
    const world = await makeReflectWorld([
      ...goodReflection,
      { call: 'memory_add', with: { title: 'Too late', body: 'x' }, expect: 'refused' },
      refusedFinish,
      { say: 'All was refused.' },
    ]);
    const { core, events } = await startCore(world);
    const report = await core.api.request('run_phase', runOptionsOf(world));
    expect(report).toMatchObject({ end: 'finished', next: 'triage', summary: 'Learned something.' });
    expect(JSON.stringify(events)).toContain('All was refused.');
    expect(JSON.stringify(events)).toContain('session/finished: The phase is over; nothing was changed.');
    expect(await world.readPlan('memory.yaml')).not.toContain('Too late');
  });
});

describe('finish_phase', () => {
  test('with "blocked" moves the plan on, with the reason as summary', async () => {
    const world = await makeReflectWorld([{ finish: { outcome: 'blocked', summary: 'There was no record.' } }]);
    const { core } = await startCore(world);
    const report = await core.api.request('run_phase', runOptionsOf(world));
    expect(report).toMatchObject({ end: 'finished', next: 'triage', summary: 'Blocked: There was no record.' });
    expect(await world.readPlan('phase.md')).toBe('triage\n');
  });

  test('with "needs-input" waits for a person', async () => {
    const question = 'Which licence is it?';
    const world = await makeReflectWorld([{ finish: { outcome: 'needs-input', summary: question } }]);
    const { core } = await startCore(world);
    const before = await stateOf(world);
    const report = await core.api.request('run_phase', runOptionsOf(world));
    expect(report).toMatchObject({ end: 'waiting', next: 'reflect', summary: question });
    expect(await stateOf(world)).toEqual(before);
    const [approval = ''] = await readdir(join(world.vault, 'runtime/approvals'));
    const text = await readFile(join(world.vault, 'runtime/approvals', approval), 'utf8');
    expect(text).toContain('kind: needs-input');
    expect(text).toContain(question);
    expect((await core.api.request('status', { plan: world.plan })).waiting).toBe(question);
    expect(await failureOf(() => core.api.request('run_phase', runOptionsOf(world)))).toMatchObject({
      code: 'plan/waiting',
      message: expect.stringContaining(question),
    });
    await setScenario(world, { reflect: goodReflection });
    expect((await core.api.request('retry', runOptionsOf(world))).end).toBe('finished');
  });

  test('refused three times in a dream leaves the memory as it was, and the cycle continues', async () => {
    const memory = `entries:
  - id: ports
    title: Ports
    body: |
      The server never listens on port 8080.
  - id: port
    title: The port
    body: |
      It listens on 9090.
`;
    const world = await makeWorld({
      settings: '[dream]\nheadroom-words = 1\n',
      plan: { 'phase.md': 'dream\n', 'memory.yaml': memory, 'dream-word-count': '0\n' },
      scenario: formatScenario({
        dream: [
          { call: 'memory_merge', with: { into: 'ports', from: ['port'], body: 'The server listens on 8080.' } },
          refusedFinish,
          refusedFinish,
          { ...finishDone, expect: 'ok' },
        ],
      }),
    });
    const { core } = await startCore(world);
    const report = await core.api.request('run_phase', runOptionsOf(world));
    expect(report).toMatchObject({ end: 'finished', next: 'triage', summary: expect.stringContaining('9090') });
    expect(await world.readPlan('memory.yaml')).toBe(memory);
    expect(await world.readPlan('dream-word-count')).toBe('14\n');
    expect(await world.readPlan('phase.md')).toBe('triage\n');
  });
});

async function useProgram(world: World, program: string): Promise<void> {
  const settings = `[run]\nharness = "claude-code"\n[harnesses.claude-code]\nprogram = "${program}"\n`;
  await writeFile(join(world.vault, 'daemon.toml'), settings);
}

async function makeProgram(world: World, script: string): Promise<string> {
  const program = join(world.root, 'agent');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return program;
}
