import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { RequestParams } from '../../src/model/protocol.ts';
import type { OwnerOrder } from '../fixtures/owner.ts';
import { doors, makeConflictWorld, runIntoConflict } from '../support/approvalWorld.ts';
import { copyWorld } from '../support/copyWorld.ts';
import { openCore } from '../support/openCore.ts';
import { bundleProgram } from '../support/program.ts';
import { startCore } from '../support/world.ts';

type Place = Awaited<ReturnType<typeof copyWorld>>;

test('a decision, killed before each change of the disk, is made and carried out, or still waits', {
  timeout: 1_200_000,
}, async () => {
  const program = await bundleProgram(resolve(import.meta.dirname, '../fixtures/owner.ts'));
  const template = await makeConflictWorld();
  const { core, server } = await startCore(template);
  const { approval, contentHash } = await runIntoConflict(core, template);
  await server.stop();
  await core.stop();
  const answer: RequestParams<'decide'> = { approval, contentHash, decision: 'accept', option: 'session' };
  const ends: string[] = [];
  for (let signalAt = 1, over = false; !over; signalAt++) {
    const place = await copyWorld(template, `killed-${signalAt}`);
    const operations = await runOwner(program, place, { params: answer, signal: 'SIGKILL', signalAt });
    over = operations !== undefined;
    ends.push(
      await endAfterRestart(place).catch((cause: unknown) => {
        throw new Error(`after SIGKILL before change ${signalAt}: ${cause}`, { cause });
      }),
    );
    await rm(join(place.vault, '..'), { recursive: true, force: true });
  }
  expect(ends.length).toBeGreaterThan(30);
  // Once the decision is on disk it holds; before that nobody has decided.
  expect(ends.join(' ')).toMatch(/^(waits )+(decided ?)+$/);
});

async function runOwner(
  program: string,
  place: Place,
  order: Pick<OwnerOrder, 'params' | 'signal' | 'signalAt'>,
): Promise<number | undefined> {
  const whole: OwnerOrder = {
    ...{ vault: place.vault, environment: place.environment, request: 'decide', ...order },
    packageRoot: resolve(import.meta.dirname, '../..'),
  };
  const child = spawn(process.execPath, [program, JSON.stringify(whole)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let operations: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) ({ operations } = JSON.parse(line));
  await closed;
  return operations;
}

async function endAfterRestart(place: Place): Promise<'waits' | 'decided'> {
  const { api, stop } = await openCore(place);
  try {
    const ended = new Promise<void>((done) => {
      api.onEvent((event) => {
        if (event.type === 'recovered' && event.outcome !== 'readopted') done();
      });
    });
    const ledger = (await readFile(join(place.vault, 'runtime/ledger.jsonl'), 'utf8')).trim().split('\n');
    if (ledger.at(-1)?.includes('"readopted"') === true) await ended;
    const status = await api.request('status', { plan: place.plan });
    const { approvals } = await api.request('approvals', {});
    const made = (await readdir(join(place.vault, 'decisions'))).filter((name) => name.endsWith('.yaml'));
    const memory = await readFile(join(place.project, 'ravel/project-root/memory.yaml'), 'utf8');
    const { stdout } = await promisify(execFile)('git', ['log', '--format=%s'], {
      ...{ cwd: place.project, env: place.environment },
    });
    const titles = stdout.trim().split('\n');
    if (made.length === 0) {
      expect(approvals).toHaveLength(1);
      expect(status).toMatchObject({ phase: 'reflect', question: { kind: 'merge-conflict' } });
      expect(memory).toBe(doors.replace('two doors', 'four doors'));
      return 'waits';
    }
    expect(approvals).toEqual([]);
    expect(await readdir(join(place.vault, 'runtime/approvals'))).toEqual([]);
    expect(status).toMatchObject({ phase: 'triage', plan: place.plan });
    expect(status.question ?? status.interrupted ?? status.running).toBeUndefined();
    expect(memory.match(/three doors/g)).toHaveLength(1);
    expect(memory.match(/id: learned/g)).toHaveLength(1);
    expect(titles).toEqual([expect.stringMatching(/^Record what greeter learned/), 'Start']);
    return 'decided';
  } finally {
    await stop();
  }
}
