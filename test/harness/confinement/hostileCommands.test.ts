import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { shellQuoted } from '../../../src/base/text.ts';
import { confined } from '../../support/confinedWorld.ts';
import { testNeeding } from '../../support/machine.ts';
import { makeSandboxWorld, runIn } from '../../support/sandboxWorld.ts';
import { processesOfSession } from '../../support/sessionProcesses.ts';
import { spawnProgram } from '../../support/spawnProgram.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

/** Listens at a path, or at the abstract name that follows a `\0`; tells who connected. */
async function listenAt(path: string): Promise<() => number> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
  return () => count;
}

/** A shell command that connects to each of these and prints IN for each success; `\0` begins an abstract name. */
function connecting(...paths: readonly string[]): string {
  const each = 'connect(path).on("connect", () => console.log("IN")).on("error", () => {})';
  const script = `const { connect } = require("node:net"); for (const path of ${JSON.stringify(paths)}) ${each};`;
  return `timeout 20 node -e ${shellQuoted(script)}; echo tried`;
}

/** Ways in which a process leaves those that started it; each of them would last for a quarter of an hour. */
const leaving: Readonly<Record<string, string>> = {
  'nohup in the background': 'nohup sleep 1000 >/dev/null 2>&1 &',
  'a session of its own': 'setsid sleep 1000 </dev/null >/dev/null 2>&1 &',
  'two forks and a session of its own':
    "perl -MPOSIX -e 'exit if fork; POSIX::setsid(); exit if fork; close STDOUT; close STDERR; sleep 1000'",
  'no variable that tells of its session': 'env -i setsid sleep 1000 >/dev/null 2>&1 &',
  'signals that it ignores': 'trap "" TERM HUP INT; setsid sleep 1000 >/dev/null 2>&1 & disown',
};

describe('a command in the sandbox leaves nothing running', () => {
  for (const [how, command] of Object.entries(leaving)) {
    testNeeding(needs, `by ${how}`, async () => {
      const world = await confined();
      const session = `of-${basename(world.root)}`;
      // It holds the lock for as long as it lives, whatever its environment says.
      const held = await runIn(world, world.shell, `exec 9>src/lock; flock 9; ${command}\necho left`, {
        RAVEL_SESSION: session,
      });
      expect(held).toEqual({ code: 0, output: 'left\n' });
      const freed = spawn('/usr/bin/flock', [join(world.project, 'src/lock'), 'true'], { timeout: 20_000 });
      expect(await once(freed, 'exit')).toEqual([0, null]);
      expect(await processesOfSession(session)).toEqual([]);
    });
  }
});

describe("a command in the sandbox does not reach the owner's socket", () => {
  testNeeding(needs, 'by its path, or by that of a process', async () => {
    const root = await makeTemporaryDirectory();
    const world = await confined({}, root);
    const count = await listenAt(world.place.socketPath);
    const above = '/..'.repeat(12);
    const ways = ['', '/proc/self/root', '/proc/self/cwd', '/proc/1/root', '/proc/thread-self/root'].map(
      (start) => `${start}${start.endsWith('cwd') ? above : ''}${world.place.socketPath}`,
    );
    const outside = [process.pid, process.ppid].flatMap((pid) => [
      `/proc/${String(pid)}/root${world.place.socketPath}`,
      `/proc/${String(pid)}/cwd${above}${world.place.socketPath}`,
    ]);
    expect((await runIn(world, world.shell, connecting(...ways, ...outside))).output).toBe('tried\n');
    expect(count()).toBe(0);
  });

  testNeeding(needs, 'by an open file of its process', async () => {
    const world = await confined();
    const count = await listenAt(world.place.socketPath);
    const files = `/proc/${String(process.pid)}/fd`;
    expect(readdirSync(files)).not.toEqual([]);
    const { output } = await runIn(world, world.shell, `ls ${files} 2>/dev/null; echo done`);
    expect(output).toBe('done\n');
    expect(count()).toBe(0);
  });

  testNeeding(needs, 'by an abstract name', async () => {
    const world = await confined();
    const name = `\0ravel-${basename(world.root)}`;
    const count = await listenAt(name);
    const script = join(world.root, 'bare');
    writeFileSync(script, '#!/bin/sh\nexec bash -c "$1"\n', { mode: 0o755 });
    expect((await runIn(world, script, connecting(name))).output).toBe('IN\ntried\n');
    expect((await runIn(world, world.shell, connecting(name))).output).toBe('tried\n');
    expect(count()).toBe(1);
  });
});

describe('a command that is not ordinary text', () => {
  testNeeding(needs, 'of a megabyte is refused by the system, and changes nothing', async () => {
    const world = await confined();
    const long = `echo x > src/a.txt #${'a'.repeat(1024 * 1024)}`;
    const refused = await runIn(world, world.shell, long).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'E2BIG' });
    expect(readFileSync(join(world.project, 'src/a.txt'), 'utf8')).toBe('one\n');
  });

  testNeeding(needs, 'prints bytes that are not UTF-8 as they are', async () => {
    const world = await confined();
    const child = spawn(world.shell, ["printf 'a\\377\\376b'; printf '\\200' >&2; printf '\\355\\240\\200' > src/b"], {
      ...{ cwd: world.project, env: world.environment, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    const chunks = { out: [] as Buffer[], err: [] as Buffer[] };
    child.stdout.on('data', (chunk: Buffer) => chunks.out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.err.push(chunk));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect([Buffer.concat(chunks.out).toString('latin1'), Buffer.concat(chunks.err).toString('latin1')]).toEqual([
      'a\xff\xfeb',
      '\x80',
    ]);
    expect(readFileSync(join(world.project, 'src/b'), 'latin1')).toBe('\xed\xa0\x80');
  });

  testNeeding(needs, 'holds bytes that are not UTF-8', async () => {
    const world = await confined();
    // Node passes texts alone, so a shell outside makes the bytes.
    const child = spawn('bash', ['-c', `exec "$0" "$(printf 'printf %%s \\377 > src/c')"`, world.shell], {
      ...{ cwd: world.project, env: world.environment, stdio: 'ignore' },
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(readFileSync(join(world.project, 'src/c'), 'latin1')).toBe('\xff');
  });
});

describe('a command in the sandbox', () => {
  testNeeding(needs, 'has no terminal of another, and no file that was open', async () => {
    const world = await confined();
    const secret = openSync(join(world.vault, 'daemon.toml'), 'r');
    const child = spawn(world.shell, ['cat <&3; cut -d" " -f6 /proc/self/stat'], {
      ...{ cwd: world.project, env: world.environment, stdio: ['ignore', 'pipe', 'ignore', secret] },
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    closeSync(secret);
    // The login session would be 0 if it were one outside of its own processes.
    expect(Buffer.concat(chunks).toString()).toMatch(/^[1-9]\d*\n$/);
  });

  testNeeding(needs, 'sees no folder in which programs keep their sockets', async () => {
    const world = await confined();
    expect((await runIn(world, world.shell, 'ls -A /run/ /var/run/ | grep -v :')).output.trim()).toBe('');
  });

  testNeeding(needs, 'does not lead a submodule to another repository', async () => {
    const files = {
      'project/.gitmodules': '[submodule "s"]\n  path = sub\n  url = ./s\n',
      'project/sub/.git': 'gitdir: ../x\n',
    };
    const world = await confined({ files });
    await runIn(world, world.shell, 'echo gitdir: /tmp > sub/.git; rm sub/.git; mv sub other');
    expect(readFileSync(join(world.project, 'sub/.git'), 'utf8')).toBe('gitdir: ../x\n');
  });
});

testNeeding(needs, 'a socket that its server named from its own folder cannot be reached', async () => {
  const world = makeSandboxWorld(await makeTemporaryDirectory(), { place: { secretFiles: [], trackedSecrets: [] } });
  const serve = `require('node:net').createServer((one) => one.end('IN')).listen('relative.sock', () => console.log('ready'))`;
  const server = spawnProgram(process.execPath, ['-e', serve], { cwd: world.project });
  onTestFinished(() => void server.kill());
  await once(server.stdout, 'data');
  const found = await world.confiner.confine(world.place, new AbortController().signal);
  if (found.state !== 'confined') throw new Error(found.reason);
  const connect = `require('node:net').connect('relative.sock').on('data', (text) => console.log(String(text))).on('error', (error) => console.log(error.code))`;
  expect(await runIn(world, found.shell, `node -e ${JSON.stringify(connect)}`)).toEqual({
    code: 0,
    output: 'ECONNREFUSED\n',
  });
});
