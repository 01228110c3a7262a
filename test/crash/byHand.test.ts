import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { Api } from '../../src/model/protocol.ts';
import type { OwnerOrder } from '../fixtures/owner.ts';
import { copyWorld } from '../support/copyWorld.ts';
import { openCore } from '../support/openCore.ts';
import { makeReflectWorld, oneEntry } from '../support/phaseWorld.ts';
import { bundleProgram } from '../support/program.ts';
import type { World } from '../support/world.ts';

const packageRoot = resolve(import.meta.dirname, '../..');
const learned = `${oneEntry}  - id: learned\n    title: Learned\n    body: |\n      Something.\n`;
const finish = { outcome: 'done', summary: 'Learned something.' } as const;

type Place = Awaited<ReturnType<typeof copyWorld>>;

/** A world with a reflection that is open by hand and edited. */
async function makeOpenWorld(): Promise<{ readonly world: World; readonly session: string }> {
  const world = await makeReflectWorld([]);
  const core = await openCore(world);
  const { session, directory } = await core.api.request('begin_by_hand', { plan: world.plan });
  await writeFile(join(directory, 'memory.yaml'), learned);
  await core.stop();
  return { world, session };
}

/** Changes of the disk that the finish made; undefined where it was killed. */
async function finishAndDie(
  program: string,
  place: Place,
  order: Pick<OwnerOrder, 'params' | 'signalAt'>,
): Promise<number | undefined> {
  const { vault, environment } = place;
  const whole: OwnerOrder = {
    ...{ vault, environment, packageRoot, request: 'finish_by_hand', signal: 'SIGKILL' },
    ...order,
  };
  const child = spawn(process.execPath, [program, JSON.stringify(whole)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let operations: number | undefined;
  for await (const line of createInterface({ input: child.stdout })) operations = JSON.parse(line).operations;
  await closed;
  return operations;
}

/** What the restart left open is finished by the person; resolves with how far it had come. */
async function goOn(api: Api, plan: string, session: string): Promise<'open' | 'finished'> {
  const ended = new Promise<void>((done) => {
    api.onEvent((event) => {
      if (event.type === 'recovered' && event.outcome === 'finished') done();
    });
  });
  const { running, phase } = await api.request('status', { plan });
  if (phase === 'triage' && running === undefined) return 'finished';
  try {
    expect(await api.request('finish_by_hand', { plan, session, ...finish })).toMatchObject({ outcome: 'ended' });
    return 'open';
  } catch {
    // It had been accepted: the restart carries it out by itself.
    await ended;
    return 'finished';
  }
}

test('the owner is killed before every change of the disk while a phase by hand is finished', {
  timeout: 1_200_000,
}, async () => {
  const { world, session } = await makeOpenWorld();
  const program = await bundleProgram(resolve(packageRoot, 'test/fixtures/owner.ts'));
  const seen = new Set<string>();
  for (let signalAt = 1; ; signalAt++) {
    const place = await copyWorld(world, `${signalAt}`);
    const { plan } = place;
    const operations = await finishAndDie(program, place, { signalAt, params: { plan, session, ...finish } });
    if (operations !== undefined && operations < signalAt) break;
    const core = await openCore(place);
    seen.add(await goOn(core.api, plan, session));
    const status = await core.api.request('status', { plan });
    await core.stop();
    expect([signalAt, status.phase, status.running, status.interrupted]).toEqual([
      signalAt,
      'triage',
      undefined,
      undefined,
    ]);
    expect(await place.readPlan('memory.yaml')).toBe(learned);
    await rm(join(place.vault, '..'), { recursive: true, force: true });
  }
  expect([...seen].sort()).toEqual(['finished', 'open']);
});
