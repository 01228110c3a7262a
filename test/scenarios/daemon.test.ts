import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connectRaw, type RawClient } from '../server/socket.ts';
import { runHere } from '../support/commandHere.ts';
import { makeReflectWorld, runOptionsOf } from '../support/phaseWorld.ts';
import { type RunningProgram, runRavel, startRavel } from '../support/runProgram.ts';
import { makeWorld, type World } from '../support/world.ts';

interface Daemon {
  readonly program: RunningProgram;
  readonly pid: number;
  connect(): Promise<RawClient>;
  /** Its output with `--json`, as objects; known once it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly lines: readonly unknown[]; readonly log: string }>;
}

/** A daemon in a process of its own. */
async function startDaemon(world: World): Promise<Daemon> {
  const program = startRavel(['daemon', '--json', '--vault', world.vault], { environment: world.environment });
  await program.printed('"started"');
  const owner = await connectRaw(`${world.vault}/runtime/daemon.sock`);
  owner.send({ id: 0, request: 'hello', params: { protocol: 1 } });
  const [greeting] = (await owner.lines.waitFor(1)) as [{ readonly result: { readonly pid: number } }];
  owner.socket.destroy();
  return {
    program,
    pid: greeting.result.pid,
    connect: () => connectRaw(`${world.vault}/runtime/daemon.sock`),
    ended: program.ended.then(({ code, stdout, stderr }) => ({
      code,
      lines: stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      log: stderr,
    })),
  };
}

/** The answer to one request. */
async function ask(client: RawClient, id: number, request: string, params: unknown = {}): Promise<unknown> {
  client.send({ id, request, params });
  for (let seen = 1; ; seen = client.lines.values.length + 1) {
    const answer = client.lines.values.find((line) => line['id'] === id);
    if (answer !== undefined) return answer;
    await Promise.race([client.lines.waitFor(seen), client.closed.then(() => Promise.reject(new Error('closed')))]);
  }
}

async function stop(daemon: Daemon): Promise<void> {
  daemon.program.child.kill('SIGTERM');
  expect((await daemon.ended).code).toBe(0);
}

const listed = { result: { plans: [{ plan: 'greeter/project-root' }] } };

describe('the owner of a vault', () => {
  test('is one process: a second one is told its pid, and after a kill the vault is free', async () => {
    const world = await makeWorld();
    const first = await startDaemon(world);
    const second = await runRavel(['daemon', '--json', '--vault', world.vault], { environment: world.environment });
    expect(second.code).toBe(5);
    expect(JSON.parse(second.stdout)).toMatchObject({
      error: { code: 'vault/owned', message: `The vault ${world.vault} is owned by process ${first.pid}.` },
    });
    first.program.child.kill('SIGKILL');
    await first.program.ended;
    const third = await startDaemon(world);
    expect(third.pid).not.toBe(first.pid);
    await stop(third);
    expect((await third.ended).lines).toEqual([
      { started: expect.objectContaining({ vault: world.vault, pid: third.pid }) },
      { result: { vault: world.vault, stopped: true, because: 'SIGTERM' } },
    ]);
  });

  test('logs one JSON object per line to standard error', async () => {
    const world = await makeWorld();
    const environment = { ...world.environment, RAVEL_LOG: 'info' };
    const program = startRavel(['daemon', '--vault', world.vault], { environment });
    await program.printed('Stop with Ctrl-C');
    expect((await runHere(['shutdown', '--vault', world.vault], { environment: world.environment })).code).toBe(0);
    const { code, stdout, stderr } = await program.ended;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Serving \S+ at \S+\. Stop with Ctrl-C\.\nProcess \d+, Ravel \S+\.\nStopping; /);
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { level: 'info', message: 'owns the vault', vault: world.vault },
      { level: 'info', message: 'serving', vault: world.vault },
      { level: 'info', message: 'stopping', because: 'shutdown' },
    ]);
  });
});

describe('a misbehaving client', () => {
  test('gets an error for each bad request, and other clients are still served', async () => {
    const world = await makeWorld();
    const daemon = await startDaemon(world);
    const good = await daemon.connect();
    const bad = await daemon.connect();
    expect(await ask(bad, 1, 'hello', { protocol: 99 })).toMatchObject({
      error: { code: 'server/protocol', message: expect.stringMatching(/99.* 1\b/) },
    });
    expect(await ask(bad, 2, 'unknown_command')).toMatchObject({ error: { code: 'server/unknownRequest' } });
    expect(await ask(bad, 3, 'list', { 'x-colour': 'red' })).toMatchObject(listed);
    for (const [id, request, params] of [
      [4, 'status', { plan: 'a\u0000b' }],
      [5, 'adopt', { project: '/tmp/\u0000', description: 'Is nowhere' }],
      [6, 'create', { plan: 'greeter/project-root/\u0000', description: 'Is nowhere' }],
      [7, 'transcript', { session: '../../../etc/passwd' }],
      [8, 'list', { limit: -1 }],
      [9, 'state', { plan: 'greeter', verb: 'constructor', args: {} }],
    ] as const) {
      const answer = (await ask(bad, id, request, params)) as { readonly error?: { readonly code: string } };
      expect(answer.error?.code, request).toMatch(/^(?!base\/internal)\w+\/\w+$/);
    }
    await new Promise((resolve) => bad.socket.write('{"id":10,"request":"li', resolve));
    bad.socket.destroy();
    expect(await ask(good, 1, 'list')).toMatchObject(listed);
    good.socket.destroy();
    await stop(daemon);
    expect((await daemon.ended).log).toBe('');
  });

  test('a misbehaving client that sends a line of 100 MB is refused and closed, and costs less than 60 MiB of memory', async () => {
    const world = await makeWorld();
    const daemon = await startDaemon(world);
    const good = await daemon.connect();
    await ask(good, 1, 'list');
    const before = await peakMebibytes(daemon.pid);
    const bad = await daemon.connect();
    const piece = Buffer.alloc(1024 * 1024, 0x78);
    for (let n = 0; n < 100 && !bad.socket.destroyed; n++) {
      await new Promise<void>((resolve) => bad.socket.write(piece, () => resolve()));
    }
    await bad.closed;
    expect(bad.lines.values).toMatchObject([{ id: -1, error: { code: 'server/lineTooLong' } }]);
    expect((await peakMebibytes(daemon.pid)) - before).toBeLessThan(60);
    expect(await ask(good, 2, 'list')).toMatchObject(listed);
    good.socket.destroy();
    await stop(daemon);
  });

  test('a misbehaving client that sends 100,000 requests at once gets every answer, and no other client waits for that', async () => {
    const world = await makeWorld();
    const daemon = await startDaemon(world);
    const total = 100_000;
    const flooding = await daemon.connect();
    const good = await daemon.connect();
    let text = '';
    for (let id = 0; id < total; id++) {
      // Those that are refused at once leave the owner no pause of their own.
      const request = id % 10 === 0 ? 'hello' : 'unknown';
      text += `{"id":${id},"request":"${request}","params":{"protocol":1}}\n`;
    }
    flooding.socket.write(text);
    await flooding.lines.waitFor(1);
    expect(await ask(good, 1, 'list')).toMatchObject(listed);
    // A list needs some turns of the owner's event loop, and each of them answers only a few of the flood.
    expect(flooding.lines.values.length).toBeLessThan(total / 10);
    expect((await flooding.lines.waitFor(total)).length).toBe(total);
    for (const client of [flooding, good]) client.socket.destroy();
    await stop(daemon);
  }, 60_000);

  test('a misbehaving client that sends arbitrary bytes still gets an answer to a valid request', async () => {
    const world = await makeWorld();
    const daemon = await startDaemon(world);
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => Buffer.from(`${text}\n`)),
      fc
        .record({
          id: fc.oneof(fc.nat(5), fc.json()),
          request: fc.constantFrom('list', 'status', 'cancel', 'attach', 'detach', 'state', 'clean', 'toString'),
          params: fc.object(),
        })
        .map((line) => Buffer.from(`${JSON.stringify(line)}\n`)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 20 }), async (pieces) => {
        const client = await daemon.connect();
        for (const bytes of pieces) client.socket.write(bytes);
        client.socket.end('\n{"id":987654321,"request":"list"}\n{"id":987654322,"request":"detach"}\n');
        await client.closed;
        expect(client.lines.values.find(({ id }) => id === 987654321)).toMatchObject(listed);
      }),
      { numRuns: 60 },
    );
    await stop(daemon);
  }, 60_000);
});

test('a shutdown during a run says goodbye to every client, and the next owner takes the session over', async () => {
  const world = await makeReflectWorld([{ say: 'I begin.' }, { hang: true }]);
  const daemon = await startDaemon(world);
  const watching = await daemon.connect();
  const running = await daemon.connect();
  await ask(watching, 1, 'attach');
  running.send({ id: 1, request: 'run_phase', params: runOptionsOf(world) });
  while (!watching.lines.values.some((line) => (line['event'] as { type?: string })?.type === 'session.output')) {
    await watching.lines.waitFor(watching.lines.values.length + 1);
  }
  const asking = await daemon.connect();
  asking.send({ id: 1, request: 'shutdown' }, { id: 2, request: 'shutdown' });
  const { code, lines } = await daemon.ended;
  expect(code).toBe(0);
  expect(lines.at(-1)).toMatchObject({ result: { because: 'shutdown', stopped: true } });
  for (const client of [watching, running, asking]) {
    await client.closed;
    expect(client.lines.values.at(-1)).toEqual({ goodbye: true });
  }
  expect(asking.lines.values).toContainEqual({ id: 1, result: {} });
  const next = await startDaemon(world);
  const client = await next.connect();
  expect(await ask(client, 1, 'status', { plan: world.plan })).toMatchObject({
    result: { running: { phase: 'reflect' } },
  });
  expect(await ask(client, 2, 'stop', { plan: world.plan })).toEqual({ id: 2, result: { stopped: true } });
  client.socket.destroy();
  await stop(next);
}, 30_000);

test('ravel shutdown also ends a ravel run that owns the vault, and ravel stop ends its session', async () => {
  const world = await makeReflectWorld([{ say: 'I begin.' }, { hang: true }]);
  const { plan, scenario } = world;
  const { environment } = world;
  const args = ['run', plan, '--vault', world.vault, '--phase', 'reflect', '--scenario', scenario, '--json'];
  const run = startRavel(args, { environment });
  await run.printed('session.output');
  expect((await runHere(['shutdown', '--vault', world.vault], { environment })).code).toBe(0);
  const { code, stdout } = await run.ended;
  expect(code).toBe(5);
  expect(stdout).toContain('run/stopped');
  expect((await runHere(['stop', plan, '--vault', world.vault], { environment })).stdout).toContain('is stopped');
}, 30_000);

test('ravel doctor asks the running owner', async () => {
  const world = await makeWorld({ settings: '[run]\nharness = "scripted"\n' });
  const daemon = await startDaemon(world);
  const { environment } = world;
  const { code, stdout } = await runHere(['doctor', '--json', '--vault', world.vault], { environment });
  expect({ code, stdout }).toMatchObject({ code: 0 });
  const { checks } = JSON.parse(stdout).result;
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'owner', message: expect.stringContaining('answers') }),
  );
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'owner', message: `Process ${daemon.pid} owns the vault.` }),
  );
  await stop(daemon);
});

/** The peak memory of a process, as Linux reports it. */
async function peakMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
}
