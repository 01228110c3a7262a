import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { Ulid } from '../../src/model/id.ts';
import { type ClientApi, connect } from '../../src/server/client.ts';
import { backlogIn } from '../support/backlogs.ts';
import { openCore } from '../support/openCore.ts';
import { startRavel } from '../support/runProgram.ts';
import { makeWorld, type World } from '../support/world.ts';

/** An owner in a process of its own, and a client that sees what it tells. */
async function startOwner({ environment, vault }: World) {
  const daemon = startRavel(['daemon'], { environment: { ...environment, RAVEL_VAULT: vault } });
  await daemon.printed('Stop');
  const client = await connect({ socketPath: join(vault, 'runtime/daemon.sock'), clock: systemClock });
  const events: RavelEvent[] = [];
  let more = createDeferred<void>();
  client.onEvent((event) => {
    events.push(event);
    more.resolve();
  });
  return {
    client,
    async when(fits: (event: RavelEvent) => boolean): Promise<void> {
      while (!events.some(fits)) {
        more = createDeferred<void>();
        await more.promise;
      }
    },
    async kill(): Promise<void> {
      daemon.child.kill('SIGKILL');
      await daemon.ended;
      client.close();
    },
  };
}

const cards = 'bank/project-root/cards';

async function statusOf(client: ClientApi, message: Ulid) {
  return (await client.request('routes', { message })).routes[0];
}

test('a message to another project and what became of it survive owners that are killed on the way', {
  timeout: 240_000,
}, async () => {
  const accept = { call: 'accept_dispatch', with: { target_plan: cards, justification: 'Theirs.' } };
  const route = (steps: readonly object[]) => JSON.stringify({ version: 1, consultations: { route: [{ steps }] } });
  const world = await makeWorld({
    name: 'shop',
    settings: '[run]\nharness = "scripted"\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    scenario: route([{ hang: true }]),
  });
  const local = await openCore(world, { role: 'local' });
  const project = join(world.root, 'bank');
  mkdirSync(project);
  await local.api.request('adopt', { project, description: 'Keeps accounts' });
  const { directory } = await local.api.request('create', { plan: cards, description: 'Charges cards' });
  await local.stop();
  const id = createUlids(systemClock)() as Ulid;
  const sent = { id, from: world.plan, reason: 'Found', 'target-project': 'bank', body: 'Charged twice.' } as const;

  // Killed while a session is asked, which never answers.
  const first = await startOwner(world);
  await first.client.request('dispatch', sent);
  await first.when(({ type }) => type === 'session.started');
  await first.kill();
  const reader = await openCore(world, { role: 'local' });
  expect(await reader.api.request('routing', {})).toMatchObject({ total: 1, pending: [{ message: id }] });
  await reader.stop();

  // Killed as soon as it is decided: handed over, perhaps not noted by anybody yet.
  writeFileSync(world.scenario, route([accept]));
  const second = await startOwner(world);
  await second.when((event) => event.type === 'message.routed' && event.message === id);
  await second.kill();

  // The sender posts it once more, as it does where it was told nothing; then it is declined, and the owner killed.
  const third = await startOwner(world);
  expect(await third.client.request('dispatch', sent)).toMatchObject({ outcome: { kind: 'routed', to: cards } });
  while ((backlogIn(directory).received ?? []).length === 0) await third.when(({ type }) => type === 'message.handled');
  const decline = { plan: cards, verb: 'received/decline', args: { id, reason: 'Not ours.' } } as const;
  await third.client.request('state', decline);
  await third.kill();

  const last = await startOwner(world);
  const outcome = 'declined: Not ours.';
  while (backlogIn(world.planDirectory).dispatched?.[0]?.outcome !== outcome) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await statusOf(last.client, id)).toMatchObject({ step: 'level-2', result: { result: 'declined' } });
  await last.kill();
  expect(backlogIn(directory).received).toMatchObject([{ id, state: 'declined' }]);
  expect(backlogIn(world.planDirectory).dispatched).toMatchObject([{ id, outcome }]);
});
