import { cp, readdir, readFile, rm, stat, symlink, utimes } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectTerminal } from '../../src/terminals/terminalClient.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { isAlive, makeTerminalWorld, watchTerminal } from '../support/terminals.ts';

// A terminal is held by another process, which does not tell this one when it ends or removes its files, nor does its
// shell: the tests ask again and again for these.

/** Reads lines and echoes them, so that a test can wait for its input. */
const echo = 'stty -echo; echo ready; while read -r line; do echo "got $line"; done';

async function hostPid(world: Awaited<ReturnType<typeof makeTerminalWorld>>, terminal: string): Promise<number> {
  return JSON.parse(await readFile(join(world.root, 'terminals', `${terminal}.json`), 'utf8')).host.pid;
}

describe('a terminal', () => {
  test('takes input, shows the program’s output and reports its exit code', async () => {
    const world = await makeTerminalWorld();
    const watched = await watchTerminal(
      await world.start('stty -echo; echo ready; read -r line; echo "got $line"; exit 7'),
    );
    await watched.seen('ready');
    watched.client.write('hällo ☃\r');
    expect(await watched.exit).toEqual({ code: 7 });
    expect(watched.text()).toBe('ready\r\ngot hällo ☃\r\n');
    await expect.poll(() => readdir(join(world.root, 'terminals'))).toEqual([]);
    expect(await world.launcher.list()).toEqual([]);
  });

  test('has the size of the client that resized last', async () => {
    const world = await makeTerminalWorld();
    const info = await world.start('stty -echo; while read -r _; do stty size; done');
    const one = await watchTerminal(info);
    one.client.resize({ columns: 101, rows: 33 });
    one.client.write('\r');
    await one.seen('33 101');
    const two = await watchTerminal(info);
    two.client.resize({ columns: 57, rows: 12 });
    two.client.write('\r');
    await one.seen('12 57');
  });

  test('gives every client the same output from its own position', async () => {
    const world = await makeTerminalWorld();
    const info = await world.start(echo);
    const one = await watchTerminal(info);
    // What is typed before the program is ready the terminal itself echoes.
    await one.seen('ready');
    one.client.write('first\r');
    await one.seen('got first\r\n');
    one.client.dispose();
    const two = await watchTerminal(info);
    two.client.write('second\r');
    await two.seen('got second\r\n');
    const three = await watchTerminal(info, one.next());
    await three.seen('got second\r\n');
    expect(two.text()).toBe('ready\r\ngot first\r\ngot second\r\n');
    expect(one.text() + three.text()).toBe(two.text());
  });

  test('loses nothing of 20 MB of output, many times what is kept of it', { timeout: 300_000 }, async () => {
    const world = await makeTerminalWorld();
    const info = await world.start(`read -r _; seq -f 'line %012.0f' 1111111; echo "the end"; read -r _`);
    const client = await connectTerminal(info.socketPath);
    onTestFinished(() => client.dispose());
    const exit = new Promise((resolve) => client.onExit(resolve));
    let rest = '';
    let count = 0;
    let firstWrong: string | undefined;
    // Each line is looked at as it comes: kept, they would make every process that this one starts later a slow one.
    client.onData((piece) => {
      const lines = (rest + piece).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('line')) {
          count += 1;
          if (line !== `line ${String(count).padStart(12, '0')}`) firstWrong ??= line;
          // When a program ends before its output is read, the system itself drops the last few kilobytes.
        } else if (line === 'the end') client.write('\r');
      }
    });
    client.attach();
    client.write('\r');
    await exit;
    expect({ firstWrong, count }).toEqual({ firstWrong: undefined, count: 1_111_111 });
  });

  test('continues without clients and keeps the end of its output', async () => {
    const world = await makeTerminalWorld();
    const info = await world.start(`seq 1000000; touch ${world.root}/done; read -r _`);
    const { existsSync } = await import('node:fs');
    await expect.poll(() => existsSync(join(world.root, 'done')), { timeout: 30_000 }).toBe(true);
    const watched = await watchTerminal(info);
    await watched.seen('1000000\r\n');
    const numbers = watched.text().trim().split('\r\n').map(Number);
    expect(numbers.length).toBeGreaterThan(100_000);
    const [first = 0] = numbers;
    expect(numbers).toEqual(numbers.map((_, index) => first + index));
    expect(watched.next()).toBe(6_888_896 + 1_000_000);
  });

  test('is closed with every process that it started', async () => {
    const world = await makeTerminalWorld();
    const info = await world.start(`trap '' HUP TERM
setsid sleep 1000 & echo "away $!"
sleep 1000 & echo "beside $!"
echo "shell $$"; wait`);
    const watched = await watchTerminal(info);
    await watched.seen(/shell \d+/);
    const pids = [...watched.text().matchAll(/(?:away|beside|shell) (\d+)/g)].map(([, pid]) => Number(pid));
    pids.push(await hostPid(world, info.terminal));
    expect(pids.map(isAlive)).toEqual([true, true, true, true]);
    expect(await world.launcher.close(info.terminal)).toBe(true);
    expect(pids.map(isAlive)).toEqual([false, false, false, false]);
    expect(await world.launcher.close(info.terminal)).toBe(false);
  });

  test('can be ended by a client', async () => {
    const world = await makeTerminalWorld();
    const watched = await watchTerminal(await world.start(echo));
    await watched.seen('ready');
    watched.client.kill();
    expect(await watched.exit).toMatchObject({ signal: 1 });
  });

  test('hides the host’s and the editor’s variables from its program', async () => {
    const world = await makeTerminalWorld();
    const watched = await watchTerminal(await world.start('env; echo "$TERM"'));
    await watched.exit;
    expect(watched.text()).toContain('TERM=xterm-256color');
    expect(watched.text()).not.toContain('VSCODE');
  });

  test('can be reached by this user only', async () => {
    const world = await makeTerminalWorld();
    const info = await world.start(echo);
    expect((await stat(info.socketPath)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(info.socketPath))).mode & 0o777).toBe(0o700);
    expect((await stat(join(world.root, 'terminals', `${info.terminal}.json`))).mode & 0o777).toBe(0o600);
  });

  test('a terminal whose host was killed is lost for its clients and is forgotten', async () => {
    const world = await makeTerminalWorld();
    const info = await world.start(`echo "shell $$"; ${echo}`);
    const watched = await watchTerminal(info);
    await watched.seen('ready');
    const shell = Number(/shell (\d+)/.exec(watched.text())?.[1]);
    const host = await hostPid(world, info.terminal);
    process.kill(host, 'SIGKILL');
    await watched.lost;
    // The system may close its socket a moment after its connections, and tells nobody.
    await expect.poll(() => isAlive(host)).toBe(false);
    expect(await world.launcher.list()).toEqual([]);
    // A thread of it that still ends keeps the socket open, although the process counts as gone.
    await expect.poll(() => failureOf(() => connectTerminal(info.socketPath))).toMatchObject({ code: 'terminal/gone' });
    // The system hangs up on the shell.
    await expect.poll(() => isAlive(shell)).toBe(false);
    const folder = join(world.root, 'terminals');
    for (const name of await readdir(folder)) await utimes(join(folder, name), 1, 1);
    const next = await world.start(echo);
    expect((await readdir(folder)).filter((name) => !name.startsWith(next.terminal))).toEqual([]);
  });

  test('without a client or an owner is ended after a while', async () => {
    const world = await makeTerminalWorld({ settings: { limits: { 'orphan-minutes-after-crash': 0.002 } } });
    await world.start(echo);
    await expect.poll(() => world.launcher.list(), { timeout: 20_000 }).toEqual([]);
  });
});

test('a forgotten terminal is ended even when the version that started it is gone', async () => {
  const version = await makeTemporaryDirectory();
  await cp('dist', join(version, 'dist'), { recursive: true });
  await symlink(resolve('node_modules'), join(version, 'node_modules'));
  const world = await makeTerminalWorld({
    settings: { limits: { 'orphan-minutes-after-crash': 0.02 } },
    entryFile: join(version, 'dist/ravel.mjs'),
  });
  await world.start(echo);
  await rm(join(version, 'dist'), { recursive: true });
  await expect.poll(() => world.launcher.list(), { timeout: 20_000 }).toEqual([]);
});

test('a missing native part is reported before a terminal is started', async () => {
  const world = await makeTerminalWorld({ entryFile: join(import.meta.dirname, '../fixtures/noPty.mjs') });
  await expect(world.launcher.check()).rejects.toMatchObject({
    code: 'terminal/unavailable',
    message: 'No terminal can be opened: there is no such part here',
  });
});

test('the check for terminals opens one', async () => {
  const world = await makeTerminalWorld();
  await expect(world.launcher.check()).resolves.toBeUndefined();
});
