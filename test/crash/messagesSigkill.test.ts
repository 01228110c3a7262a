import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { isRavelError } from '../../src/base/errors.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Ulid } from '../../src/model/id.ts';
import { type ClientApi, connect } from '../../src/server/client.ts';
import { backlogIn } from '../support/backlogs.ts';
import { openCore } from '../support/openCore.ts';
import { type RunningProgram, startRavel } from '../support/runProgram.ts';
import { makeWorld, type World } from '../support/world.ts';

async function startDaemon({ environment, vault }: World): Promise<RunningProgram> {
  const daemon = startRavel(['daemon'], { environment: { ...environment, RAVEL_VAULT: vault } });
  await daemon.printed('Stop');
  return daemon;
}

async function kill({ child, ended }: RunningProgram): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** Resolves once nothing waits in the plan's mailbox. */
async function whenQuiet(client: ClientApi, plan: string): Promise<void> {
  let handled = createDeferred<void>();
  client.onEvent((event) => {
    if (event.type === 'message.handled') handled.resolve();
  });
  for (;;) {
    handled = createDeferred<void>();
    const { actor } = await client.request('status', { plan });
    if (actor?.queued === 0) return;
    await handled.promise;
  }
}

const clients = 4;
const messages = 1_000;

function receivedBodies(directory: string): string[] {
  return (backlogIn(directory).received ?? []).map(({ body }) => body);
}

/** A client that goes on with the next owner, and sends again under its id whatever was not acknowledged. */
async function sendAll(
  world: World,
  plans: readonly string[],
  bodies: readonly string[],
  onSent: () => void,
): Promise<void> {
  const newUlid = createUlids(systemClock);
  let rest = bodies.map((body, n) => ({ id: newUlid() as Ulid, to: plans[n % plans.length] ?? '', body }));
  while (rest.length > 0) {
    try {
      const client = await connect({ socketPath: join(world.vault, 'runtime/daemon.sock'), clock: systemClock });
      try {
        for (const message of [...rest]) {
          await client.request('send', { type: 'dispatch', reason: 'Many', ...message });
          rest = rest.slice(1);
          onSent();
        }
      } finally {
        client.close();
      }
    } catch (error) {
      // The owner was killed, or the next one does not listen yet.
      if (!isRavelError(error) || !['server/gone', 'actor/stopping'].includes(error.code)) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

test('a thousand messages of several clients arrive once, while the owner is killed twice', {
  timeout: 240_000,
}, async () => {
  const world = await makeWorld({});
  const plans = [world.plan];
  const core = await openCore(world, { role: 'local' });
  for (let n = 1; n < 10; n++) {
    const { plan } = await core.api.request('create', { plan: `${world.plan}/p${n}`, description: 'One of many' });
    plans.push(plan);
  }
  await core.stop();
  let daemon = await startDaemon(world);
  let sent = 0;
  let killing: Promise<unknown> = Promise.resolve();
  const onSent = (): void => {
    sent++;
    if (sent !== 300 && sent !== 700) return;
    killing = killing.then(async () => {
      await kill(daemon);
      daemon = await startDaemon(world);
    });
  };
  const lists = Array.from({ length: clients }, (_, client) =>
    Array.from({ length: messages / clients }, (_value, n) => `client ${client}, message ${n}`),
  );
  await Promise.all(lists.map((bodies) => sendAll(world, plans, bodies, onSent)));
  await killing;
  const client = await connect({ socketPath: join(world.vault, 'runtime/daemon.sock'), clock: systemClock });
  for (const plan of plans) await whenQuiet(client, plan);
  client.close();
  const received = plans.map((plan) =>
    receivedBodies(join(world.project, 'ravel', plan.split('/').slice(1).join('/'))),
  );
  expect(received.flat().length).toBe(messages);
  expect(new Set(received.flat()).size).toBe(messages);
  // What one client sent one plan keeps its order.
  for (const [at, bodies] of received.entries()) {
    for (const [index, all] of lists.entries()) {
      const own = bodies.filter((body) => body.startsWith(`client ${index},`));
      expect(own).toEqual(all.filter((_body, n) => n % plans.length === at));
    }
  }
});
