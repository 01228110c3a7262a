import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { decide, onlyApproval } from '../support/approvalWorld.ts';
import { signIn } from '../support/claudeCode.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { testNeeding } from '../support/machine.ts';
import { formatScenario, nextEvent } from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { watchTerminal } from '../support/terminals.ts';
import { makeWorld, startCore } from '../support/world.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

/** What a program that the gates allow could do to everybody else. */
const attack = `
cat ../../home/secret.txt ../../vault/daemon.toml
env; cat /proc/*/environ
echo changed > ravel/project-root/memory.yaml
echo changed >> .git/config
echo changed > ../beside.txt
echo changed > ../../home/.bashrc
ls -A "$(dirname "$RAVEL_SOCKET")" ../../vault
echo tried > tried.txt
`;

const work = [
  { run: { command: 'sh tools/attack.sh' } },
  { run: { command: 'git status --porcelain' } },
  { call: 'backlog_set_status', with: { id: 'first', status: 'done' } },
  { call: 'backlog_set_results', with: { id: 'first', body: 'It is done.' } },
  { finish: { outcome: 'done', summary: 'It is done.' } },
];

for (const where of ['without a terminal', 'in a terminal'] as const) {
  testNeeding(
    needs,
    `what the real Claude Code runs ${where} is confined, and its tools reach their owner`,
    async () => {
      const world = await makeWorld({
        settings: `[limits]\nexit-grace-seconds = 1\n${claudeSettings()}`,
        plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
      });
      await world.write('tools/attack.sh', attack);
      await writeFile(join(world.environment['HOME'] ?? '', 'secret.txt'), 'CANARY\n');
      const memory = await world.readPlan('memory.yaml');
      const { model, environment } = await startClaudeWorld(world, formatScenario({ work }));
      await signIn(world, environment);
      const { core, events } = await startCore({ ...world, environment }, { sandbox: true });
      const ended = new Promise<RavelEvent>((resolve) => {
        core.api.onEvent((event) => event.type === 'phase.ended' && resolve(event));
      });
      const size = { columns: 110, rows: 35 };
      const { plan } = world;
      if (where === 'in a terminal') {
        await core.api.request('open_terminal', { kind: 'work', plan, harness: 'claude-code', size });
      } else {
        await core.api.request('run_phase', { plan, harness: 'claude-code' });
      }
      expect(await ended).toMatchObject({ phase: 'work', end: 'finished' });

      expect(model.mismatches).toEqual([]);
      const started = events.find(({ type }) => type === 'session.started');
      expect(started).toMatchObject({ confinement: { state: 'confined' } });
      const results = events.flatMap((event) =>
        event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
      );
      const said = results.join('\n');
      expect(said).toContain('Read-only file system');
      expect(said).not.toContain('CANARY');
      expect(said).not.toContain('no-key-at-all');
      expect(said).not.toMatch(/RAVEL_TOKEN|ANTHROPIC_|daemon\.sock/);
      expect(await world.read('tried.txt')).toBe('tried\n');
      expect(await world.readPlan('memory.yaml')).toBe(memory);
      expect(readFileSync(join(world.project, '.git/config'), 'utf8')).not.toContain('changed');
      expect(existsSync(join(world.project, '../beside.txt'))).toBe(false);
      expect(existsSync(join(world.environment['HOME'] ?? '', '.bashrc'))).toBe(false);
      expect(`${results[1] ?? ''}\n`).toBe(await world.git('status', '--porcelain'));
      expect(existsSync(join(world.project, '.claude'))).toBe(false);
    },
  );
}

/** Each in a form of its own, as the program may change it before it runs it. */
const oddCommands = [
  'ls',
  'ls src',
  'true',
  'cat package.json | sort | head -n 1',
  `printf '%s\\n' "it's" 'a "b"' \\$x $'c\\td' "$HOME"`,
  "cat <<'END'\nit's\nEND",
  'echo one >nul',
  'echo "first\nsecond" && echo \\!third',
  `echo ${'abcdefghij '.repeat(600)}`,
  'echo Grüße 世界',
  'grep nothing package.json',
  '(exit 3)',
  'sleep 0.1 & wait',
];

testNeeding(needs, 'each command of the real Claude Code is recognized in the record of commands', async () => {
  const world = await makeWorld({
    settings: claudeSettings(),
    plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
  });
  await world.write('package.json', '{}\n');
  await world.write('src/first.txt', 'one\n');
  const steps = [
    ...oddCommands.map((command) => ({ run: { command } })),
    { call: 'Bash', with: { command: 'sleep 60', run_in_background: true } },
    ...work.slice(2),
  ];
  const { model, environment } = await startClaudeWorld(world, formatScenario({ work: steps }));
  await signIn(world, environment);
  const { core, events } = await startCore({ ...world, environment }, { sandbox: true });
  const report = await core.api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
  expect(report).toMatchObject({ phase: 'work', end: 'finished' });
  expect(model.mismatches).toEqual([]);
  const codes = events.flatMap((event) =>
    event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.exitCode] : [],
  );
  // Of a search that finds nothing, and of a command that goes on, the program says no code.
  const expected = oddCommands.map((command) =>
    command === '(exit 3)' ? 3 : command.startsWith('grep') ? undefined : 0,
  );
  expect(codes.slice(0, expected.length + 1)).toEqual([...expected, undefined]);
  const runs = readFileSync(join(world.vault, 'runtime/sessions', report.session, 'runs'), 'utf8');
  expect(runs.trim().split('\n')).toHaveLength(oddCommands.length + 1);
});

/** A server on the loopback of this machine, and a command that looks for it. */
async function reachable() {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const program = `require('node:net').connect(${port}, '127.0.0.1').on('connect', () => { console.log('IN'); process.exit(); }).on('error', () => console.log('OUT'));`;
  return { program, connections: () => connections };
}

for (const where of ['without a terminal', 'in a terminal'] as const) {
  testNeeding(needs, `the network is opened for one command of the real Claude Code ${where}`, async () => {
    const reach = { run: { command: 'node tools/reach.cjs' } };
    const ask = { run: { command: `RAVEL_NETWORK=1 node tools/reach.cjs 'it"s !' "$HOME" | cat` } };
    const world = await makeWorld({
      settings: `[gates]\napproval-wait-seconds = 60\n${claudeSettings()}`,
      plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') },
    });
    const { program, connections } = await reachable();
    await world.write('tools/reach.cjs', program);
    const { model, environment } = await startClaudeWorld(
      world,
      formatScenario({ work: [ask, reach, ...work.slice(2)] }),
    );
    await signIn(world, environment);
    const { core, events } = await startCore({ ...world, environment }, { sandbox: true });
    const ended = nextEvent(core, 'phase.ended');
    const { plan } = world;
    if (where === 'in a terminal') {
      const opened = await core.api.request('open_terminal', {
        ...{ kind: 'work', plan, harness: 'claude-code', size: { columns: 110, rows: 35 } },
      });
      const terminal = await watchTerminal(opened);
      await terminal.seen('Yes');
      terminal.client.write('\r');
    } else {
      const asked = nextEvent(core, 'approval.opened');
      const running = core.api.request('run_phase', { plan, harness: 'claude-code' });
      await asked;
      await decide(core.api, await onlyApproval(core.api), 'accept');
      await running;
    }
    expect(await ended).toMatchObject({ phase: 'work', end: 'finished' });
    expect(connections()).toBe(1);
    const ends = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
    );
    expect(ends.slice(0, 2)).toEqual(['IN', 'OUT']);
    // The session is told nothing of the ticket.
    expect(JSON.stringify(model.requests)).not.toContain('ravel-network-');
  });
}
