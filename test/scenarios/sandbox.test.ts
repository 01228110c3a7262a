import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { testNeeding } from '../support/machine.ts';
import {
  analysis,
  backlogOf,
  done,
  isVerb,
  nextEvent,
  onFirst,
  runPhase,
  type Step,
  scenarioText,
} from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World, type WorldOptions } from '../support/world.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

/** What a command of a session tries, as a script of the project: the gates allow it. */
const tries = `
cat ../../home/secret.txt ../../vault/daemon.toml
echo changed > ravel/project-root/memory.yaml
echo changed >> .git/config
echo changed > ../beside.txt
echo "$RAVEL_TOKEN" > token.txt
scratch=$(mktemp) && echo scratch > $scratch && cp $scratch written.txt && rm $scratch
`;
const run: Step = { run: { command: 'sh tools/try.sh' } };

async function makeWorkWorld(steps: readonly Step[], options: WorldOptions = {}): Promise<World> {
  const world = await makeWorld({
    scenario: scenarioText({ work: steps }),
    ...options,
    plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first'), ...options.plan },
  });
  await world.write('tools/try.sh', tries);
  writeFileSync(join(world.environment['HOME'] ?? '', 'secret.txt'), 'CANARY\n');
  return world;
}

testNeeding(needs, 'the commands of a work session change its project alone, and everybody can see it', async () => {
  const world = await makeWorkWorld([run, { hang: true }]);
  const before = await world.readPlan('memory.yaml');
  const { core, events } = await startCore(world, { sandbox: true });
  const ran = nextEvent(core, (event) => event.type === 'session.output' && event.output.kind === 'toolEnded');
  const running = runPhase(core, world);
  await ran;
  const status = await core.api.request('status', { plan: world.plan });
  expect(status.running).toMatchObject({ confinement: { state: 'confined' } });
  const session = status.running?.session ?? '';
  expect(await core.api.request('given', { plan: world.plan })).toMatchObject({ confinement: { state: 'confined' } });
  await core.api.request('stop', { plan: world.plan });
  await running.catch(() => undefined);

  expect(events).toContainEqual(
    expect.objectContaining({ type: 'session.started', confinement: { state: 'confined' } }),
  );
  const prompt = readFileSync(join(world.vault, 'runtime/sessions', session, 'prompt.md'), 'utf8');
  expect(prompt).toContain('Commands run in a sandbox.');
  expect(JSON.stringify(events)).not.toContain('CANARY');
  expect(await world.readPlan('memory.yaml')).toBe(before);
  expect(readFileSync(join(world.project, '.git/config'), 'utf8')).not.toContain('changed');
  expect(existsSync(join(world.project, '../beside.txt'))).toBe(false);
  expect(await world.read('token.txt')).toBe('\n');
  expect(await world.read('written.txt')).toBe('scratch\n');
  // What it left outside of the project goes with it.
  expect(existsSync(join(world.vault, 'runtime/sessions', session, 'temporary'))).toBe(false);
  expect(existsSync(join(world.vault, 'runtime/sessions', session, 'context.json'))).toBe(true);
});

describe('pre-work.sh runs in a sandbox', () => {
  const starts: Readonly<Record<string, (core: Core, world: World) => Promise<{ readonly session: string }>>> = {
    'of its session': async (core, world) => {
      const report = await runPhase(core, world);
      expect(report.end).toBe('finished');
      return report;
    },
    'of its own before work by hand': (core, world) => core.api.request('begin_manual_run', { plan: world.plan }),
  };
  for (const [name, start] of Object.entries(starts)) {
    testNeeding(needs, name, async () => {
      const script = '#!/bin/sh\ncat ../../home/secret.txt\necho x > ../beside.txt\necho here > checked.txt\nmktemp\n';
      const world = await makeWorkWorld([done], { plan: { 'pre-work.sh': script } });
      await chmod(join(world.planDirectory, 'pre-work.sh'), 0o755);
      const { core } = await startCore(world, { sandbox: true });
      await runPhase(core, world);
      await decide(core.api, await onlyApproval(core.api), 'accept');
      const { session } = await start(core, world);
      expect(await world.read('checked.txt')).toBe('here\n');
      expect(existsSync(join(world.project, '../beside.txt'))).toBe(false);
      const folder = join(world.vault, 'runtime/sessions', session);
      expect(readFileSync(join(folder, 'pre-work.log'), 'utf8')).not.toContain('CANARY');
      expect(existsSync(join(folder, 'temporary'))).toBe(false);
    });
  }

  test('and not before work by hand if one is required and there is none', async () => {
    const world = await makeWorkWorld([done], {
      plan: { 'pre-work.sh': '#!/bin/sh\necho here > checked.txt\n' },
      settings: '[sandbox]\ncommands = "required"\n',
    });
    await chmod(join(world.planDirectory, 'pre-work.sh'), 0o755);
    const { core } = await startCore(world, { sandbox: 'missing' });
    await failureOf(() => core.api.request('begin_manual_run', { plan: world.plan }));
    await decide(core.api, await onlyApproval(core.api), 'accept');
    const problem = await failureOf(() => core.api.request('begin_manual_run', { plan: world.plan }));
    expect(problem.code).toBe('sandbox/unavailable');
    expect(existsSync(join(world.project, 'checked.txt'))).toBe(false);
  });
});

testNeeding(needs, 'the hooks of its commits run in a sandbox as well, and the commits are made', async () => {
  const edit: Step = { edit: { path: 'greet.mjs', content: 'export const greet = 1;\n' } };
  const settled: Step = { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } };
  const scenario = scenarioText({
    work: [edit, settled, done],
    'analyse-work': analysis(['Greet with a number', 'greet.mjs']),
  });
  const world = await makeWorkWorld([], { scenario });
  await world.hook('pre-commit', 'cat ~/secret.txt > hook.txt 2>&1; echo x > ~/evil; true');
  const { core } = await startCore(world, { sandbox: true });
  await runPhase(core, world);
  expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect', commits: [{}, {}] });
  expect(await world.read('hook.txt')).toContain('No such file');
  expect(existsSync(join(world.environment['HOME'] ?? '', 'evil'))).toBe(false);
  expect(existsSync(join(world.vault, 'runtime/hooks'))).toBe(true);
  expect(readdirSync(join(world.vault, 'runtime/hooks'))).toEqual([]);
});

test('a session without a sandbox is called unconfined, with the reason', async () => {
  const world = await makeWorkWorld([done]);
  const { core, events } = await startCore(world);
  expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'session.started',
      confinement: { state: 'unconfined', reason: 'This test has no sandbox.' },
    }),
  );
});

test('if a sandbox is required and there is none, work does not begin and nothing is left of it', async () => {
  const world = await makeWorkWorld([done], { settings: '[sandbox]\ncommands = "required"\n' });
  const { core } = await startCore(world, { sandbox: 'missing' });
  const problem = await failureOf(() => runPhase(core, world));
  expect(problem).toMatchObject({
    code: 'sandbox/unavailable',
    message: expect.stringContaining('This test has no sandbox.') as string,
    help: expect.stringContaining('sandbox.commands') as string,
  });
  const status = await core.api.request('status', { plan: world.plan });
  expect(status).not.toHaveProperty('interrupted');
  expect(status).toMatchObject({ phase: 'work' });
  const { checks } = await core.api.request('doctor', {});
  expect(checks).toContainEqual(expect.objectContaining({ check: 'sandbox', severity: 'error' }));
});

test('a phase that a person does by hand is called neither, since what they run is their own', async () => {
  const world = await makeWorkWorld([done]);
  const { core, events } = await startCore(world);
  await core.api.request('begin_manual_run', { plan: world.plan, takeOver: false });
  const { running } = await core.api.request('status', { plan: world.plan });
  expect(running).toMatchObject({ manual: true });
  const given = await core.api.request('given', { plan: world.plan });
  expect(JSON.stringify([running, given, events])).not.toContain('onfined');
});

testNeeding(needs, 'a sandbox that is switched off is not built, and the session says so', async () => {
  const world = await makeWorkWorld([run, done], { settings: '[sandbox]\ncommands = "off"\n' });
  const { core, events } = await startCore(world, { sandbox: true });
  const report = await runPhase(core, world);
  const started = events.find(({ type }) => type === 'session.started');
  expect(started).toMatchObject({ confinement: { state: 'unconfined', reason: 'Sandboxes are switched off.' } });
  expect(existsSync(join(world.project, '../beside.txt'))).toBe(true);
  const prompt = readFileSync(join(world.vault, 'runtime/sessions', report.session, 'prompt.md'), 'utf8');
  expect(prompt).not.toContain('sandbox');
});

/** A server on the loopback of this machine, and a program of the project that looks for it. */
async function reachable(world: World) {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const program = `require('node:net').connect(${port}, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1));`;
  await world.write('tools/reach.cjs', program);
  return () => connections;
}

const reach: Step = { run: { command: 'node tools/reach.cjs' } };
const ask: Step = { run: { command: 'RAVEL_NETWORK=1 node tools/reach.cjs' } };

testNeeding(needs, 'a command reaches the network if a person allows it, once', async () => {
  const settings = '[gates]\napproval-wait-seconds = 60\n';
  const world = await makeWorkWorld([reach, ask, reach, ask, done], { settings });
  const connections = await reachable(world);
  const { core, events } = await startCore(world, { sandbox: true });
  const told: string[] = [];
  const answers = (['accept', 'reject'] as const).values();
  core.api.onEvent((event) => {
    const answer = event.type === 'approval.opened' ? answers.next().value : undefined;
    if (answer === undefined) return;
    void onlyApproval(core.api).then((page) => {
      told.push(page.answers[0]?.does ?? '');
      return decide(core.api, page, answer);
    });
  });
  expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
  const ends = events.flatMap((event) =>
    event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output] : [],
  );
  expect(ends.slice(0, 4).map(({ exitCode }) => exitCode)).toEqual([1, 0, 1, undefined]);
  expect(ends[3]?.output).toContain('said no');
  expect(connections()).toBe(1);
  for (const does of told) expect(does).toContain('opens the network');
  const opened = events.find(({ type }) => type === 'approval.opened');
  expect(opened).toMatchObject({ subject: expect.stringContaining('servers on this machine') as string });
});

testNeeding(needs, 'sandbox.network decides whether a command can ask for the network', async () => {
  for (const [network, codes] of [
    ['none', [1, 1]],
    ['open', [0, 0]],
  ] as const) {
    const world = await makeWorkWorld([reach, ask, done], { settings: `[sandbox]\nnetwork = "${network}"\n` });
    await reachable(world);
    const { core, events } = await startCore(world, { sandbox: true });
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    const ended = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.exitCode] : [],
    );
    expect(ended.slice(0, 2), network).toEqual(codes);
    expect(events.some(({ type }) => type === 'approval.opened')).toBe(false);
  }
});

describe('a sandbox that is lost in mid-session lets no command run, says why, and keeps the work:', () => {
  const losses: Readonly<Record<string, { readonly lose: (program: string) => void; readonly says: RegExp }>> = {
    'the program is removed': { lose: unlinkSync, says: /The sandbox of this session is lost: .*bwrap is gone/ },
    'namespaces are switched off': {
      lose: (program) => {
        unlinkSync(program);
        const text = '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n';
        writeFileSync(program, text, { mode: 0o755 });
      },
      says: /No permissions to create a new namespace/,
    },
  };
  for (const [name, { lose, says }] of Object.entries(losses)) {
    testNeeding(needs, name, async () => {
      const write = (file: string): Step => ({ run: { command: `sh tools/write.sh ${file}` } });
      const settle: Step = { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } };
      const made = await makeWorkWorld([write('first'), settle, write('second'), done]);
      await made.write('tools/write.sh', 'echo here > "$1"\n');
      const folder = join(made.root, 'own-bin');
      mkdirSync(folder);
      const program = join(folder, 'bwrap');
      symlinkSync('/usr/bin/bwrap', program);
      const world = { ...made, environment: { ...made.environment, PATH: `${folder}:${made.environment['PATH']}` } };
      const { core, events } = await startCore(world, { sandbox: true });
      onFirst(core, isVerb('backlog/set-status'), () => lose(program));
      expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'analyse-work' });
      expect(await world.read('first')).toBe('here\n');
      expect(existsSync(join(world.project, 'second'))).toBe(false);
      expect(await world.readPlan('backlog.yaml')).toContain('status: done');
      const outputs = events.flatMap((event) =>
        event.type === 'session.output' && event.output.kind === 'toolEnded' ? [JSON.stringify(event.output)] : [],
      );
      expect(outputs.filter((text) => says.test(text))).toHaveLength(1);
    });
  }
});
