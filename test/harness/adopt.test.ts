import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../support/program.ts';
import {
  collect,
  createSessionWorld,
  membersOf,
  processes,
  type SessionWorld,
  say,
  shellAdapter,
} from '../support/sessions.ts';
import { spawnProgram } from '../support/spawnProgram.ts';

let ownerProgram: string;

beforeAll(async () => {
  ownerProgram = await bundleProgram(fileURLToPath(new URL('../fixtures/harness/owner.ts', import.meta.url)));
});

const adapter = shellAdapter('true');
const forever = 'while :; do sleep 1; done';

/** Starts the script as a session of another process, and kills that process once it has seen `seen` outputs. */
async function loseOwner(world: SessionWorld, script: string, seen: number): Promise<string[]> {
  const args = [ownerProgram, JSON.stringify(world.spec), script];
  const owner = spawnProgram(process.execPath, args);
  onTestFinished(() => void owner.kill('SIGKILL'));
  const lines: string[] = [];
  for await (const line of createInterface({ input: owner.stdout })) {
    lines.push(line);
    if (lines.length === seen) break;
  }
  await killed(owner);
  return lines;
}

function killed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

async function rewriteHost(world: SessionWorld, changes: object): Promise<void> {
  const path = join(world.directory, 'host.json');
  const record = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify({ ...record, ...changes }));
}

describe('a session whose owner was killed', () => {
  test('continues, and the next owner gets the same outputs and the rest', async () => {
    const world = await createSessionWorld();
    const wait = `while [ ! -e ${world.root}/go ]; do sleep 0.02; done`;
    const script = `${say('one')}; echo garbage; ${say('two')}; ${wait}; ${say('three')}; echo '{"kind":"result","isError":false,"reason":"completed","usage":{"inputTokens":1,"outputTokens":1,"cacheReadTokens":0,"cacheWriteTokens":0}}'`;
    const before = await loseOwner(world, script, 3);
    expect((await membersOf(world)).length).toBeGreaterThan(0);
    const session = await world.host.reattach(adapter, world.directory);
    await writeFile(join(world.root, 'go'), '');
    const outputs = await collect(session.outputs);
    expect(outputs.slice(0, 3).map((output) => JSON.stringify(output))).toEqual(before);
    expect(outputs.slice(3)).toMatchObject([{ text: 'three' }, { kind: 'result' }]);
    expect(await session.ended).toMatchObject({ end: 'exited', exitCode: 0, succeeded: true, malformedLines: 1 });
  });

  test('a session whose owner was killed that ended meanwhile has its exit code on disk', async () => {
    const world = await createSessionWorld();
    await loseOwner(world, `${say('one')}; sleep 0.3; ${say('two')}; exit 4`, 1);
    await waitUntilGone(world);
    const session = await world.host.reattach(adapter, world.directory);
    expect(await collect(session.outputs)).toMatchObject([{ text: 'one' }, { text: 'two' }]);
    const outcome = await session.ended;
    expect(outcome).toMatchObject({ end: 'exited', exitCode: 4, succeeded: false });
    expect(outcome.durationMs).toBeLessThan(5000);
  });

  test('keeps its limits with the next owner', async () => {
    const world = await createSessionWorld();
    await loseOwner(world, `${say('one')}; ${forever}`, 1);
    await rewriteHost(world, { limits: { ...world.spec.limits, timeMs: 10 } });
    const session = await world.host.reattach(adapter, world.directory);
    expect(await session.ended).toMatchObject({ end: 'timeLimit' });
    expect(await membersOf(world)).toEqual([]);
  });

  test('is found by its own pid file when the owner died before it wrote the pid', async () => {
    const world = await createSessionWorld();
    await loseOwner(world, `${say('one')}; ${forever}`, 1);
    await rewriteHost(world, { state: 'starting', pid: undefined, group: undefined, startTime: undefined });
    const session = await world.host.reattach(adapter, world.directory);
    expect(session.pid).toBeGreaterThan(1);
    await session.kill('stopped');
    expect(await session.ended).toMatchObject({ end: 'stopped', signal: 'SIGTERM' });
    expect(await membersOf(world)).toEqual([]);
  });

  test('is ended for the reason that the owner had begun to end it for', async () => {
    const world = await createSessionWorld();
    await loseOwner(world, `${say('one')}; ${forever}`, 1);
    await rewriteHost(world, { state: 'ending', end: 'costLimit' });
    const session = await world.host.reattach(adapter, world.directory);
    expect(await session.ended).toMatchObject({ end: 'costLimit' });
    expect(await membersOf(world)).toEqual([]);
  });

  test('and that its watchdog ended counts as stopped', async () => {
    const world = await createSessionWorld();
    await loseOwner(world, `${say('one')}; exit 0`, 1);
    await waitUntilGone(world);
    await writeFile(join(world.directory, 'watchdog'), '{"reason":"It was alone."}\n');
    const session = await world.host.reattach(adapter, world.directory);
    expect(await session.ended).toMatchObject({ end: 'stopped', watchdogReason: 'It was alone.' });
  });

  test('and that was killed with its whole group counts as lost', async () => {
    const world = await createSessionWorld();
    await loseOwner(world, `${say('one')}; ${forever}`, 1);
    const [pid] = (await readFile(join(world.directory, 'pid'), 'utf8')).split('\n');
    process.kill(-Number(pid), 'SIGKILL');
    await waitUntilGone(world);
    const session = await world.host.reattach(adapter, world.directory);
    expect(await collect(session.outputs)).toMatchObject([{ text: 'one' }]);
    const outcome = await session.ended;
    expect(outcome).toMatchObject({ end: 'lost', succeeded: false });
    expect(outcome).not.toHaveProperty('exitCode');
  });
});

test('a pid that another process has by now is left alone', async () => {
  const world = await createSessionWorld();
  await loseOwner(world, `${say('one')}; exit 0`, 1);
  await waitUntilGone(world);
  await rm(join(world.directory, 'exit'));
  const stranger = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
  onTestFinished(() => void stranger.kill('SIGKILL'));
  await rewriteHost(world, { pid: stranger.pid, group: stranger.pid, startTime: '1' });
  const session = await world.host.reattach(adapter, world.directory);
  await session.kill('stopped');
  expect(await session.ended).toMatchObject({ end: 'lost' });
  expect(await processes.identify(stranger.pid ?? 0)).toBeDefined();
});

test('a session that never started is lost', async () => {
  const world = await createSessionWorld();
  await loseOwner(world, `${say('one')}; exit 0`, 1);
  await waitUntilGone(world);
  await rewriteHost(world, { state: 'starting', pid: undefined, startTime: undefined });
  await Promise.all(['pid', 'exit', 'spool', 'stderr'].map((name) => rm(join(world.directory, name))));
  const session = await world.host.reattach(adapter, world.directory);
  expect(await collect(session.outputs)).toEqual([]);
  expect(await session.ended).toMatchObject({ end: 'lost', stderrTail: '', outputBytes: 0 });
});

test.each([
  ['no record', undefined],
  ['a torn record', 'half a rec'],
  ['a record of another shape', '{"state":"running"}'],
])('a folder with %s is not a session', async (_name, text) => {
  const world = await createSessionWorld();
  const folder = join(world.root, 'other');
  await mkdir(folder);
  if (text !== undefined) await writeFile(join(folder, 'host.json'), text);
  await expect(world.host.reattach(adapter, folder)).rejects.toMatchObject({ code: 'session/unknown' });
});

/** Polls, because the session is not a child of this process and nothing announces its end. */
async function waitUntilGone(world: SessionWorld): Promise<void> {
  const deadline = performance.now() + 10_000;
  while ((await membersOf(world)).length > 0) {
    if (performance.now() > deadline) throw new Error('the session does not end');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
