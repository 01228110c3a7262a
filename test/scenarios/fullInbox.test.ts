import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { encodeRecord } from '../../src/actors/record.ts';
import type { Core } from '../../src/core.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import type { Message } from '../../src/model/message.ts';
import type { ActorRow } from '../../src/model/requests/actors.ts';
import { inboxLimits } from '../../src/plans/messages/inbox.ts';
import { watchTree } from '../../src/vault/watcher.ts';
import { range } from '../actors/mailboxPlace.ts';
import { idOf, message } from '../actors/messages.ts';
import { openCore } from '../support/openCore.ts';
import { finishDone, formatScenario, nextEvent, runOptionsOf } from '../support/phaseWorld.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const max = inboxLimits.entries;

const entry = { from: 'person', at: '2026-01-02T03:04:05Z', reason: 'It is yours', body: 'Mind it.', state: 'new' };

interface Entry {
  readonly id: string;
  readonly state: string;
}

function received(directory: string): Entry[] {
  const backlog = parse(readFileSync(join(directory, 'backlog.yaml'), 'utf8')) as { received?: Entry[] };
  return backlog.received ?? [];
}

/** A vault with a second plan and `count` messages in its mailbox. */
async function makeFullMailbox(count: number) {
  const world = await makeWorld();
  const core = await openCore(world, { role: 'local' });
  const child = toQualifiedId(`${world.plan}/child`);
  const { directory } = await core.api.request('create', { plan: child, description: 'Minds the cats' });
  await core.stop();
  const mailboxes = join(world.vault, 'runtime/mailboxes');
  mkdirSync(mailboxes, { recursive: true });
  const lines = range(1, count).map((n) => encodeRecord(n, dispatch(n, child)));
  writeFileSync(mailboxPaths(mailboxes, child).mailbox, lines.join(''));
  return { world, child, directory };
}

function dispatch(n: number, to: QualifiedId): Message {
  const { id, from, ts, depth, origin } = message(n, to);
  return { id, from, to, ts, depth, origin, type: 'dispatch', reason: 'It is yours', body: `Mind cat ${n}.\n` };
}

async function rowOf(core: Core, actor: QualifiedId): Promise<ActorRow | undefined> {
  return (await core.api.request('actors', {})).actors.find((row) => row.actor === actor);
}

/** Resolves when `count` messages wait for room in the inbox of the actor. */
async function untilWaiting(core: Core, actor: QualifiedId, count: number): Promise<ActorRow> {
  for (;;) {
    const changed = nextEvent(core, 'actor.changed', (event) => event.actor === actor && event.state === 'queued');
    const row = await rowOf(core, actor);
    if (row?.state === 'queued' && row.queued === count) return row;
    await changed;
  }
}

/** Sends a message to another plan and waits until it is handled. */
async function deliver(core: Core, world: World, n: number): Promise<void> {
  const id = idOf(1_000_000 + n);
  const handled = nextEvent(core, 'message.handled', (event) => event.message === id);
  await core.api.request('send', { to: world.plan, id, type: 'dispatch', reason: 'Now', body: 'Not held up' });
  expect(await handled).toMatchObject({ outcome: { kind: 'done' } });
}

test('a full inbox takes in waiting messages as it is emptied, each once, and holds up no other plan', {
  timeout: 120_000,
}, async () => {
  const count = 8 * max;
  const { world, child, directory } = await makeFullMailbox(count);
  const seen: string[] = [];
  /** Empties the inbox as a person does with an editor, without telling the owner. */
  const tidyUp = () => {
    const entries = received(directory);
    expect(entries.length).toBe(max);
    seen.push(...entries.map(({ id }) => id));
    writeFileSync(join(directory, 'backlog.yaml'), 'tasks: []\n');
  };
  const first = await startCore(world, { watchTree });
  await deliver(first.core, world, 0);
  const row = await untilWaiting(first.core, child, count - max);
  expect(row.waitsBecause).toBe(`its inbox waits for triage (${max} new entries)`);
  const { plans } = await first.core.api.request('list', {});
  expect(plans.find(({ plan }) => plan === child)?.actor).toEqual({ ...row, actor: undefined });
  await first.server.stop();
  await first.core.stop();
  const { core, events } = await startCore(world, { watchTree });
  await untilWaiting(core, child, count - max);
  // After the rescan the watcher knows the file as it is, and so notices the edits below.
  await core.api.request('rescan', {});
  tidyUp();
  await deliver(core, world, 1);
  await untilWaiting(core, child, count - 2 * max);
  tidyUp();
  expect(seen).toEqual(range(1, 2 * max).map(idOf));
  expect(events.filter(({ type }) => type === 'message.dead' || type === 'diagnostic')).toEqual([]);
});

test('each inbox entry that a person declines or promotes makes room for one waiting message', async () => {
  const { world, child, directory } = await makeFullMailbox(2);
  const entries = range(1, max).map((n) => ({ ...entry, id: idOf(100 + n) }));
  writeFileSync(join(directory, 'backlog.yaml'), stringify({ received: entries }));
  const { core } = await startCore(world);
  await untilWaiting(core, child, 2);
  const decisions = [
    { verb: 'received/decline', args: { id: idOf(101), reason: 'No.' } },
    { verb: 'received/promote', args: { id: idOf(102), title: 'Cat 2', category: 'cats' } },
  ];
  for (const [n, decision] of decisions.entries()) {
    const handled = nextEvent(core, 'message.handled', ({ message: id }) => id === idOf(n + 1));
    await core.api.request('state', { plan: child, ...decision });
    await handled;
  }
  expect(received(directory).filter(({ state }) => state === 'new')).toHaveLength(max);
  expect(received(directory).slice(-2)).toMatchObject([{ id: idOf(1) }, { id: idOf(2) }]);
  expect((await rowOf(core, child))?.queued).toBe(0);
});

test('a plan with a full inbox still runs its triage, which makes room for the next message', async () => {
  const world = await makeWorld({
    scenario: formatScenario({
      triage: [{ call: 'received_decline', with: { id: idOf(1), reason: 'No cats.' } }, finishDone],
    }),
    plan: { 'phase.md': 'triage\n', 'backlog.yaml': 'tasks: []\n' },
  });
  const { core } = await startCore(world);
  const plan = toQualifiedId(world.plan);
  const body = 'x'.repeat(inboxLimits.textLength / 2);
  for (const n of [1, 2]) {
    await core.api.request('send', { to: plan, id: idOf(n), type: 'dispatch', reason: 'Now', body });
  }
  expect((await untilWaiting(core, plan, 1)).waitsBecause).toBe('its inbox waits for triage (1 new entry)');
  const handled = nextEvent(core, 'message.handled', ({ message: id }) => id === idOf(2));
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  await handled;
  expect(received(world.planDirectory)).toMatchObject([
    { id: idOf(1), state: 'declined' },
    { id: idOf(2), state: 'new' },
  ]);
  expect((await rowOf(core, plan))?.waitsBecause).toBeUndefined();
});
