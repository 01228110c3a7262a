import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exists } from '../../src/base/files.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Spawn } from '../../src/base/processes.ts';
import type { HarnessAdapter, SessionOutcome, SessionSpec } from '../../src/harness/adapter.ts';
import { createSessionHost } from '../../src/harness/host.ts';
import { hasStarted } from '../../src/harness/hostRecord.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { failureOf } from '../support/failureOf.ts';
import { collect, createSessionWorld, membersOf, ports, say, shellAdapter, waitFor } from '../support/sessions.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

interface Ended {
  readonly texts: string[];
  readonly outcome: SessionOutcome;
  readonly members: number[];
}

/** Runs a script as a session to its end. */
async function run(script: string, limits: Partial<SessionSpec['limits']> = {}): Promise<Ended> {
  const world = await createSessionWorld();
  const session = await world.start(shellAdapter(script), { limits: { ...world.spec.limits, ...limits } });
  const outputs = await collect(session.outputs);
  const outcome = await session.ended;
  const texts = outputs.flatMap((output) => {
    if (output.kind === 'text') return [output.text];
    return output.kind === 'warning' ? [`! ${output.message}`] : [];
  });
  return { texts, outcome, members: await membersOf(world) };
}

const result = (isError: boolean, usage = {}) =>
  `echo '${JSON.stringify({ kind: 'result', isError, reason: 'completed', usage: { ...noUsage, ...usage } })}'`;
const hostPorts = {
  ...ports,
  environment: { PATH: process.env['PATH'] },
  settings: defaultSettings,
  log: silentLogger,
};
const noUsage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };
const forever = 'while :; do sleep 1; done';

/** Long enough for all that does not wait for the disk; nothing is to happen, so there is no event to await. */
async function manyTurns(): Promise<void> {
  for (let n = 0; n < 2000; n++) await new Promise((resolve) => setImmediate(resolve));
}

describe('a session ends', () => {
  const rows: readonly [string, string, Partial<SessionSpec['limits']>, Partial<SessionOutcome>][] = [
    [
      'as succeeded with a good result',
      result(false),
      {},
      { end: 'exited', exitCode: 0, succeeded: true, usage: noUsage },
    ],
    ['as failed with a bad result', `${result(true)}; exit 1`, {}, { end: 'exited', exitCode: 1, succeeded: false }],
    ['as failed without a result', say('hello'), {}, { end: 'exited', exitCode: 0, succeeded: false }],
    [
      'as crashed when it exits before any output',
      'echo "no licence" >&2; exit 7',
      {},
      { end: 'crashed', exitCode: 7, stderrTail: 'no licence\n' },
    ],
    ['as exited when it exits after output', `${say('hello')}; exit 7`, {}, { end: 'exited', exitCode: 7 }],
    [
      'as crashed when a signal ends it',
      `${say('hello')}; kill -SEGV $$`,
      {},
      { end: 'crashed', exitCode: 139, signal: 'SIGSEGV' },
    ],
    ['at the time limit', forever, { timeMs: 300 }, { end: 'timeLimit', exitCode: 143, signal: 'SIGTERM' }],
    [
      'at the byte limit of stdout',
      `${forever.replace('sleep 1', 'echo 12345678')}`,
      { outputBytes: 1000 },
      { end: 'byteLimit' },
    ],
    [
      'at the byte limit of stderr',
      `${forever.replace('sleep 1', 'echo 12345678 >&2')}`,
      { outputBytes: 1000 },
      { end: 'byteLimit' },
    ],
    [
      'at the cost limit',
      `echo '${JSON.stringify({ kind: 'usage', usage: { ...noUsage, costUsd: 0.6 } })}'; ${forever}`,
      { costUsd: 0.5 },
      { end: 'costLimit', usage: { ...noUsage, costUsd: 0.6 } },
    ],
  ];
  test.each(rows)('%s', async (_name, script, limits, expected) => {
    const { outcome, members } = await run(script, limits);
    expect(outcome).toMatchObject(expected);
    expect(members).toEqual([]);
  });
});

test('a program that stays after its result is ended after the grace period and counts as succeeded', async () => {
  const { outcome, members } = await run(`${result(false)}; ${forever}`);
  expect(outcome).toMatchObject({ end: 'exited', succeeded: true, signal: 'SIGTERM' });
  expect(outcome.durationMs).toBeGreaterThanOrEqual(5000);
  expect(members).toEqual([]);
});

test('the prompt is standard input, and both outputs are kept', async () => {
  const { texts, outcome } = await run(`read -r prompt; ${say('heard: ')}; echo "$prompt" >&2`);
  expect(texts).toEqual(['heard: ']);
  expect(outcome).toMatchObject({ stderrTail: 'Do the task.\n', malformedLines: 0 });
  expect(outcome.outputBytes).toBeGreaterThan(20);
});

test('a line that cannot be understood is reported up to twenty times, and the rest are counted', async () => {
  const { texts, outcome } = await run(
    `for n in $(seq 25); do echo "garbage $n"; done; echo '{"kind":"unheard-of"}'; echo '[1]'; ${say('after')}`,
  );
  expect(texts[0]).toBe('! a line was not understood: garbage 1');
  expect(texts.slice(19)).toEqual([
    '! a line was not understood: garbage 20',
    'after',
    '! 6 more lines could not be understood',
  ]);
  expect(outcome.malformedLines).toBe(26);
});

test('the record of a session has its process, and later its end', async () => {
  const world = await createSessionWorld();
  const session = await world.start(shellAdapter(`${say('up')}; read -r line < go`), { cwd: world.project });
  const host = JSON.parse(await readFile(join(world.directory, 'host.json'), 'utf8'));
  expect(host).toMatchObject({
    ...{ state: 'running', actor: 'Demo/project-root', purpose: 'work', harness: 'scripted' },
    ...{ session: world.spec.session, limits: world.spec.limits, pid: session.pid, group: session.pid },
  });
  expect(Math.abs(Date.parse(host.startedAt) - Date.now())).toBeLessThan(20_000);
  await session.ended;
  const [pid, line] = (await readFile(join(world.directory, 'pid'), 'utf8')).split('\n');
  expect(Number(pid)).toBe(session.pid);
  // Only Linux has a line about a process in a file.
  expect(line?.startsWith(`${pid} (sh)`)).toBe(process.platform === 'linux');
  expect(await readFile(join(world.directory, 'exit'), 'utf8')).toMatch(/^\d+\n$/);
  expect(JSON.parse(await readFile(join(world.directory, 'host.json'), 'utf8'))).toMatchObject({ state: 'ended' });
  expect((await stat(join(world.directory, 'spool'))).mode & 0o777).toBe(0o600);
  expect((await stat(join(world.directory, 'host.json'))).mode & 0o777).toBe(0o600);
});

test('a session that its owner releases continues, and from then on only the next owner writes about it', async () => {
  const world = await createSessionWorld();
  const script = `${say('up')}; until [ -e go ]; do sleep 0.05; done; ${result(false)}`;
  const session = await world.start(shellAdapter(script), { cwd: world.project });
  const record = () => readFile(join(world.directory, 'host.json'), 'utf8');
  const before = await record();
  await world.host.release();
  expect(await failureOf(() => session.ended)).toMatchObject({ code: 'run/stopped' });
  expect(await failureOf(() => session.kill('stopped'))).toMatchObject({ code: 'run/stopped' });
  const next = createSessionHost(hostPorts);
  const adopted = await next.reattach(shellAdapter(script), world.directory);
  await writeFile(join(world.project, 'go'), '');
  expect(await adopted.ended).toMatchObject({ end: 'exited', succeeded: true });
  expect(JSON.parse(await record())).toEqual({ ...JSON.parse(before), state: 'ended', awakeMs: expect.any(Number) });
});

test('a session is on record as running before it is watched, so that the record of its end is the last', async () => {
  const world = await createSessionWorld();
  const record = join(world.directory, 'host.json');
  const states = new Set<string>();
  const disk = traceDisk(nodeDisk, async (_n, name, path) => {
    if (name === 'stat' && path.endsWith('/spool')) states.add(JSON.parse(await readFile(record, 'utf8')).state);
    // A slow disk: time enough for a watch that does not wait for the record.
    if (name === 'rename' && path.includes('host.json')) await stat(record).then(manyTurns, () => undefined);
  });
  const host = createSessionHost({ ...hostPorts, disk });
  const session = await host.start(shellAdapter(say('up')), world.spec, new AbortController().signal);
  await session.ended;
  expect([...states]).toEqual(['running']);
  expect(JSON.parse(await readFile(record, 'utf8'))).toMatchObject({ state: 'ended' });
});

describe('ending a session', () => {
  test('kills a program that ignores SIGTERM after half a second', async () => {
    const world = await createSessionWorld();
    const session = await world.start(shellAdapter(`trap '' TERM; ${say('deaf')}; ${forever}`));
    await waitFor(session.outputs, () => true);
    const started = performance.now();
    await session.kill('stopped');
    expect(performance.now() - started).toBeGreaterThanOrEqual(490);
    expect(await membersOf(world)).toEqual([]);
    expect(await session.ended).toMatchObject({ end: 'stopped', succeeded: false });
  });

  test('lets a program exit by itself and keeps the first reason', async () => {
    const world = await createSessionWorld();
    // On a busy machine a shell can need more than the half second that it is given.
    const clock = { ...hostPorts.clock, monotonicMs: () => hostPorts.clock.monotonicMs() / 20 };
    const program = shellAdapter(`bye() { ${say('bye')}; exit 3; }; trap bye TERM; ${say('up')}; ${forever}`);
    const session = await createSessionHost({ ...hostPorts, clock }).start(
      program,
      world.spec,
      new AbortController().signal,
    );
    await waitFor(session.outputs, () => true);
    await Promise.all([session.kill('timeLimit'), session.kill('stopped')]);
    expect(await collect(session.outputs)).toMatchObject([{ text: 'up' }, { text: 'bye' }]);
    // The first reason counts.
    expect(await session.ended).toMatchObject({ end: 'timeLimit', exitCode: 3 });
    expect(JSON.parse(await readFile(join(world.directory, 'host.json'), 'utf8'))).toMatchObject({ end: 'timeLimit' });
  });

  const spawnDetached = `"$NODE" -e "require('child_process').spawn('sleep', ['300'], {detached: true, stdio: 'ignore'}).unref()"`;

  test('reaches grandchildren, even those that left the group', async () => {
    const world = await createSessionWorld();
    const session = await world.start(shellAdapter(`${spawnDetached}; sleep 300 & ${say('up')}; ${forever}`));
    await waitFor(session.outputs, () => true);
    // The shell that wrote the pid, the script, two sleeps, and the sleep of the loop.
    expect((await membersOf(world)).length).toBeGreaterThanOrEqual(4);
    await session.kill('stopped');
    expect(await membersOf(world)).toEqual([]);
  });

  test('includes processes that the program left behind', async () => {
    const { outcome, members } = await run(`${spawnDetached}; (sleep 1; ${say('late')}) & ${result(false)}`);
    expect(members).toEqual([]);
    expect(outcome).toMatchObject({ end: 'exited', succeeded: true });
  });

  test('after its end changes nothing', async () => {
    const world = await createSessionWorld();
    const session = await world.start(shellAdapter(result(false)));
    const outcome = await session.ended;
    await session.kill('stopped');
    expect(outcome).toMatchObject({ end: 'exited' });
    expect(JSON.parse(await readFile(join(world.directory, 'host.json'), 'utf8'))).not.toHaveProperty('end');
  });
});

describe('a session with 50 MB of output', () => {
  const line = JSON.stringify({ kind: 'text', text: 'x'.repeat(1000) });
  const flood = `yes '${line}' | head -c 50000000`;

  test('is read whole by a late reader within 120 MiB of memory', async () => {
    const world = await createSessionWorld();
    const before = process.memoryUsage().rss;
    const session = await world.start(shellAdapter(flood));
    const outcome = await session.ended;
    expect(outcome).toMatchObject({ end: 'exited', outputBytes: 50_000_000 });
    let count = 0;
    for await (const output of session.outputs) if (output.kind === 'text') count++;
    expect(count).toBe(Math.floor(50_000_000 / (line.length + 1)));
    expect(process.memoryUsage().rss - before).toBeLessThan(120 * 1024 * 1024);
  });

  test('is ended by the byte limit', async () => {
    const { outcome } = await run(`yes '${line}'`, { outputBytes: 2_000_000 });
    expect(outcome.end).toBe('byteLimit');
  });
});

describe('a start of a session', () => {
  test('fails when its folder does not exist', async () => {
    const world = await createSessionWorld();
    const start = world.start(shellAdapter('true'), { cwd: join(world.root, 'absent') });
    await expect(start).rejects.toMatchObject({ code: 'harness/failed' });
  });

  test('fails when it was cancelled before', async () => {
    const world = await createSessionWorld();
    const start = world.host.start(shellAdapter('true'), world.spec, AbortSignal.abort(new Error('not now')));
    await expect(start).rejects.toThrow('not now');
  });

  test('fails when it is cancelled while it is prepared, and runs nothing', async () => {
    const world = await createSessionWorld();
    const stop = new AbortController();
    const adapter = shellAdapter('true');
    const command: HarnessAdapter['command'] = (...args) => {
      stop.abort(new Error('not now'));
      return adapter.command(...args);
    };
    await expect(world.host.start({ ...adapter, command }, world.spec, stop.signal)).rejects.toThrow('not now');
    await expect(stat(join(world.directory, 'pid'))).rejects.toThrow('ENOENT');
  });

  test('fails when the program cannot be identified, and ends the program', async () => {
    const world = await createSessionWorld();
    const identify = () => Promise.reject(new Error('the process table is closed'));
    const host = createSessionHost({ ...hostPorts, processes: { ...ports.processes, identify } });
    const start = host.start(shellAdapter(forever), world.spec, new AbortController().signal);
    await expect(start).rejects.toThrow('the process table is closed');
    expect(await membersOf(world)).toEqual([]);
  });

  test('fails when it is cancelled just after the program started, and ends the program', async () => {
    const world = await createSessionWorld();
    const stop = new AbortController();
    const spawnAndStop: Spawn = (program, args, options) => {
      const child = spawn(program, args, options);
      stop.abort(new Error('not now'));
      return child;
    };
    const host = createSessionHost({ ...hostPorts, spawn: spawnAndStop });
    await expect(host.start(shellAdapter(forever), world.spec, stop.signal)).rejects.toThrow('not now');
    expect(await membersOf(world)).toEqual([]);
  });
});

describe('on a failing disk', () => {
  const isHostFile = (name: string, path: string) => name === 'rename' && path.includes('host.json');

  test('a session is ended even if the reason cannot be written', async () => {
    const world = await createSessionWorld();
    // The first two writes are for the start.
    const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 3, forEver: true, matches: isHostFile });
    const host = createSessionHost({ ...hostPorts, disk });
    const session = await host.start(shellAdapter(forever), world.spec, new AbortController().signal);
    await session.kill('stopped');
    expect(await membersOf(world)).toEqual([]);
    await expect(session.ended).rejects.toMatchObject({ code: 'disk/full' });
  });

  test('a session that cannot be watched is ended, and its outputs end', async () => {
    const world = await createSessionWorld();
    const matches = (name: string, path: string) => name === 'stat' && path.endsWith('/spool');
    const disk = failingDisk(nodeDisk, { code: 'EIO', at: 3, forEver: true, matches });
    const host = createSessionHost({ ...hostPorts, disk });
    const session = await host.start(shellAdapter(forever), world.spec, new AbortController().signal);
    expect(await collect(session.outputs)).toEqual([]);
    await expect(session.ended).rejects.toThrow('EIO');
    expect(await membersOf(world)).toEqual([]);
  });

  test('a session whose record cannot be written is ended', async () => {
    const world = await createSessionWorld();
    const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 2, forEver: true, matches: isHostFile });
    const host = createSessionHost({ ...hostPorts, disk });
    const start = host.start(shellAdapter(forever), world.spec, new AbortController().signal);
    await expect(start).rejects.toMatchObject({ code: 'disk/full' });
    expect(await membersOf(world)).toEqual([]);
  });
});

describe('a session whose owner died before its process began', () => {
  async function begunLate(between: (directory: string) => Promise<unknown>) {
    const world = await createSessionWorld();
    const ran = join(world.root, 'ran');
    let begin = (): ChildProcess => expect.unreachable('no process was to be started');
    const dies: Spawn = (program, args, options) => {
      begin = () => spawn(program, args, options);
      throw new Error('the owner dies here');
    };
    const host = createSessionHost({ ...hostPorts, spawn: dies });
    const starting = host.start(shellAdapter(`: > '${ran}'`), world.spec, new AbortController().signal);
    await expect(starting).rejects.toThrow('the owner dies here');
    await between(world.directory);
    await once(begin(), 'exit');
    return { directory: world.directory, hasRun: await exists(nodeDisk, ran) };
  }

  test('runs nothing once another owner found that it had not started', async () => {
    const { directory, hasRun } = await begunLate(async (place) => {
      expect(await hasStarted(nodeDisk, place)).toBe(false);
    });
    expect(hasRun).toBe(false);
    // What it wrote shows only that it came too late.
    expect(await exists(nodeDisk, join(directory, 'pid'))).toBe(true);
  });

  test('runs, and has started, if no owner looked before', async () => {
    const { directory, hasRun } = await begunLate(async () => undefined);
    expect(hasRun).toBe(true);
    expect(await hasStarted(nodeDisk, directory)).toBe(true);
  });
});
