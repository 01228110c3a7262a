import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { type ClientApi, connect } from '../../src/server/client.ts';
import { commandLinePath } from '../support/commandLine.ts';
import { testNeeding } from '../support/machine.ts';
import { runRavel, startRavel } from '../support/runProgram.ts';
import { backlogOf, memoryOf, type Step, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, type World } from '../support/world.ts';

/** What a test suite of the project does, which the gates let a work session run: anything. */
const tools = `
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';

const told = process.env.RAVEL_SOCKET;
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('RAVEL_')));
const runtime = join(vault, 'runtime');
const main = join(runtime, 'daemon.sock');

function ask(path, ...requests) {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path, () => {
      socket.write(requests.map(([request, params], id) => JSON.stringify({ id, request, params }) + '\\n').join(''));
    });
    let text = '';
    const answers = [];
    socket.on('error', reject);
    socket.on('data', (data) => {
      text += data;
      const lines = text.split('\\n');
      text = lines.pop();
      answers.push(...lines.filter((line) => line !== '').map((line) => JSON.parse(line)));
      if (answers.length < requests.length) return;
      socket.destroy();
      answers.sort((a, b) => a.id - b.id);
      resolve(answers.map(({ error, result }) => error?.code ?? result));
    });
  });
}

function ravel(args, environment) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RAVEL_PATH, ...args], { env: environment, encoding: 'utf8' });
  return { status, stdout, stderr };
}
`;

interface Attacked {
  readonly world: World;
  readonly client: ClientApi;
  /** What the attack wrote down. */
  readonly found: Record<string, unknown>;
}

/** A work session of a real owner process that runs \`attack\`, the body of an async function over \`found\`. */
async function attackFromSession(attack: string, { confined = false } = {}): Promise<Attacked> {
  const steps: Step[] = [
    { run: { command: 'frobnicate the-project' } },
    { run: { command: 'node --test' } },
    { say: 'Attacked.' },
    { hang: true },
  ];
  const world = await makeWorld({
    settings: `[sandbox]\ncommands = "${confined ? 'required' : 'off'}"\n`,
    plan: {
      'phase.md': 'work\n',
      'backlog.yaml': backlogOf('first'),
      'memory.yaml': memoryOf({ doors: 'There are two doors.' }),
    },
    scenario: scenarioText({ work: steps }),
  });
  // Where a command may write in the sandbox, too.
  const results = join(world.project, 'found.json');
  const script = `const vault = ${JSON.stringify(world.vault)};
${tools}
const RAVEL_PATH = ${JSON.stringify(commandLinePath())};
const found = {};
const plan = ${JSON.stringify(world.plan)};
try {
${attack}
} catch (error) { found.error = String(error.stack); }
writeFileSync(${JSON.stringify(results)}, JSON.stringify(found));
`;
  await world.write('attack.test.mjs', script);
  const { environment, vault } = world;
  const daemon = startRavel(['daemon'], { environment: { ...environment, RAVEL_VAULT: vault } });
  await daemon.printed('Serving');
  const client = await connect({ socketPath: join(vault, 'runtime/daemon.sock'), clock: systemClock });
  onTestFinished(async () => {
    await client.request('stop', { plan: world.plan });
    client.close();
  });
  const attacked = new Promise<void>((resolve) => {
    client.onEvent((event) => {
      const said = event.type === 'session.output' && event.output.kind === 'text' ? event.output.text : '';
      if (said === 'Attacked.' || event.type === 'session.ended') resolve();
    });
  });
  const { plan, scenario } = world;
  client.request('run_phase', { plan, harness: 'scripted', scenario }).catch(() => undefined);
  await attacked;
  return { world, client, found: JSON.parse(await readFile(results, 'utf8')) };
}

async function decisionsOf(world: World): Promise<string[]> {
  return readdir(join(world.vault, 'decisions')).then((names) => names.filter((name) => name.endsWith('.yaml')));
}

describe('a script that a session runs', () => {
  test('gets nothing but the session tools from the socket it is told', async () => {
    const { found } = await attackFromSession(`
      found.isOther = told !== main;
      found.answers = await ask(
        told,
        ['attach', {}],
        ['approvals', {}],
        ['decide', { approval: '01', decision: 'accept', contentHash: 'x' }],
        ['state', { plan, verb: 'memory/add', args: { title: 'T', body: 'B' } }],
        ['run_phase', { plan, phase: 'reflect', harness: 'scripted', scenario: '/tmp/x' }],
        ['settings', {}],
        ['shutdown', {}],
        ['session_tools', { session: process.env.RAVEL_SESSION, token: 'f'.repeat(64) }],
        ['no_such_request', {}],
      );
      const { RAVEL_SESSION: session, RAVEL_TOKEN: token } = process.env;
      const [own] = await ask(told, ['session_tools', { session, token }]);
      found.own = own.tools?.length > 0;
    `);
    const refused = 'server/sessionsOnly';
    expect(found).toEqual({
      isOther: true,
      answers: [...Array(7).fill(refused), 'session/badToken', 'server/unknownRequest'],
      own: true,
    });
  });

  testNeeding(
    ['Linux'],
    "cannot answer its own session's question, by any process that shows where it comes from",
    async () => {
      const { world, client, found } = await attackFromSession(`
      const [{ approvals: [question] }] = await ask(main, ['approvals', {}]);
      const { approval, contentHash } = question;
      const decision = { approval, contentHash, decision: 'accept' };
      found.direct = await ask(main, ['decide', decision]);
      const asking = 'const ask = ' + ask + ';' + "ask(process.argv[1], ['decide', JSON.parse(process.argv[2])]).then((all) => console.log(all[0]))";
      const program = "import { createConnection } from 'node:net';" + asking;
      const args = ['--input-type=module', '-e', program, main, JSON.stringify(decision)];
      found.cleanChild = execFileSync(process.execPath, args, { env: {}, encoding: 'utf8' }).trim();
      found.ownGroup = await new Promise((resolve) => {
        const child = spawn(process.execPath, args, { env: {}, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
        let text = '';
        child.stdout.on('data', (data) => { text += data; });
        child.on('close', () => resolve(text.trim()));
      });
      // Its parent is gone before it asks, but it is still in the group of the session.
      const quoted = args.map((arg) => "'" + arg.replaceAll("'", "'\\\\''") + "'").join(' ');
      const orphan = 'sleep 0.3; ' + process.execPath + ' ' + quoted;
      found.orphan = await new Promise((resolve) => {
        const child = spawn('/bin/sh', ['-c', '(' + orphan + ') & exit'], { env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
        let text = '';
        child.stdout.on('data', (data) => { text += data; });
        child.on('close', () => resolve(text.trim()));
      });
    `);
      const code = 'session/personOnly';
      expect(found).toEqual({ direct: [code], cleanChild: code, ownGroup: code, orphan: code });
      expect(await decisionsOf(world)).toEqual([]);
      const { approvals } = await client.request('approvals', {});
      const [{ approval, contentHash } = { approval: '', contentHash: '' }] = approvals;
      await client.request('decide', { approval, contentHash, decision: 'accept' });
      expect(await decisionsOf(world)).toHaveLength(1);
    },
  );

  testNeeding(['Linux'], 'cannot use the command line as a person, whatever its environment says', async () => {
    const { world, found } = await attackFromSession(`
      const add = ['state', 'memory', 'add', plan, '--title', 'T', '--body', 'Sneaked'];
      const named = { ...clean, RAVEL_VAULT: vault };
      const { RAVEL_TOKEN: _, ...withoutToken } = process.env;
      found.clean = ravel(add, named);
      found.withoutToken = ravel(add, withoutToken);
      found.unset = spawnSync('/bin/bash', ['-c', 'X=RAVEL_SESSION; unset $X; ' + [process.execPath, RAVEL_PATH, ...add].join(' ')], { encoding: 'utf8' }).stderr;
      found.run = ravel(['run', plan], named).stderr;
      found.settings = ravel(['approvals'], named).status;
    `);
    const refusal = expect.stringContaining('session tool memory_add');
    expect(found).toMatchObject({
      clean: { status: 4, stdout: '', stderr: refusal },
      withoutToken: { status: 4, stdout: '', stderr: refusal },
      unset: refusal,
      run: expect.stringContaining('session/personOnly'),
      settings: 0,
    });
    expect(await world.readPlan('memory.yaml')).not.toContain('Sneaked');
    // A person in another process can.
    const environment = { ...world.environment, RAVEL_VAULT: world.vault };
    const ran = await runRavel(['state', 'memory', 'add', world.plan, '--title', 'T', '--body', 'By me'], {
      environment,
    });
    expect(ran).toMatchObject({ code: 0 });
  });

  testNeeding(['Linux', 'bubblewrap', 'user namespaces'], 'reaches neither socket from a sandbox', async () => {
    const { world, found } = await attackFromSession(
      `
      const answer = (path) => ask(path, ['list', {}]).catch((error) => error.code);
      found.main = await answer(main);
      found.sessions = await answer(join(runtime, 'tools/session.sock'));
      try { found.runtime = readdirSync(runtime); } catch (error) { found.runtime = error.code; }
      const ran = ravel(['state', 'memory', 'add', plan, '--title', 'T', '--body', 'Sneaked', '--vault', vault], process.env);
      found.status = ran.status;
      found.said = ran.stderr;
    `,
      { confined: true },
    );
    expect(found['error']).toBeUndefined();
    expect([found['main'], found['sessions']]).toEqual([expect.stringMatching(/^E/), expect.stringMatching(/^E/)]);
    expect(found['status']).not.toBe(0);
    expect(found['said']).toContain('Use the tools of your session instead of the ravel command');
    expect(await world.readPlan('memory.yaml')).not.toContain('Sneaked');
  });
});
