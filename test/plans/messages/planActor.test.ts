import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Postponed } from '../../../src/actors/behaviour.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { backlogSchema } from '../../../src/model/backlog.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { Message, MessageOutcome } from '../../../src/model/message.ts';
import { person } from '../../../src/model/person.ts';
import { inboxLimits } from '../../../src/plans/messages/inbox.ts';
import { createPlanActor, type PlanActorParts } from '../../../src/plans/messages/planActor.ts';
import { isAttributed } from '../../../src/plans/proposals/planWriter.ts';
import { hashFolder } from '../../../src/plans/transaction.ts';
import { readYaml } from '../../../src/yaml/yaml.ts';
import { FakeEffects } from '../../support/fakeDelivery.ts';
import { removeLocks } from '../../support/locks.ts';
import { demoPlan, makePlanWorld, type PlanWorld } from '../../support/planServices.ts';
import { diskChanges, traceDisk } from '../../support/tracingDisk.ts';

const id = '01M00000000000000000000000' as Ulid;
const session = '01S00000000000000000000000' as Ulid;
const header = { id, from: person, to: demoPlan, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id } as const;
const dispatch: Message = { ...header, type: 'dispatch', reason: 'It is yours', body: 'Greet the cat.\n' };
const note: Message = { ...header, type: 'note', text: 'Mind the cat.' };
const entry = { id, from: person, at: header.ts, reason: 'It is yours', body: 'Greet the cat.\n', state: 'new' };

/** Stands in for the taker of questions, which has its own tests. */
const nobody = { take: async () => undefined };

/** A live session that takes notes, or does not. */
class FakeLive {
  taken: string[] = [];
  isStopped = false;
  readonly #session: Ulid | undefined;
  readonly #takes: boolean;

  constructor(running?: Ulid, takes = true) {
    this.#session = running;
    this.#takes = takes;
  }

  of(): Ulid | undefined {
    return this.#session;
  }

  async note(_session: Ulid, { id: noteId }: { readonly id: string }): Promise<boolean> {
    if (this.#takes && !this.taken.includes(noteId)) this.taken.push(noteId);
    return this.#takes;
  }
}

function handle(
  world: PlanWorld,
  message: Message,
  options: { readonly effects?: FakeEffects; readonly live?: PlanActorParts['live'] } = {},
): Promise<MessageOutcome | Postponed> {
  const { effects = new FakeEffects(), live = new FakeLive() } = options;
  return createPlanActor({ services: world.services, live, answers: nobody }, demoPlan).handle(
    message,
    effects.delivery(),
  );
}

function received(world: PlanWorld) {
  const place = { file: 'backlog.yaml', subject: demoPlan };
  return readYaml(backlogSchema, world.planText('backlog.yaml') ?? '', place).value?.received ?? [];
}

describe('a dispatch to a plan', () => {
  test('is appended to the received messages', async () => {
    const old = { ...entry, id: 'old' };
    const world = await makePlanWorld({ plan: { 'backlog.yaml': `# mine\n${stringify({ received: [old] })}` } });
    expect(await handle(world, dispatch)).toEqual({ kind: 'done', summary: 'received' });
    expect(received(world)).toEqual([old, entry]);
    expect(world.planText('backlog.yaml')).toMatch(/^# mine\n/);
  });

  test('is not added twice when it comes again', async () => {
    const world = await makePlanWorld();
    const effects = new FakeEffects();
    await handle(world, dispatch, { effects });
    await handle(world, dispatch, { effects });
    expect(received(world)).toEqual([entry]);
  });

  test('does not undo a person’s edit of it when it comes again', async () => {
    const edits = [
      (text: string) => text.replace('state: new', 'state: promoted'),
      () => 'tasks: []\n',
      (_text: string, before: string) => before,
    ];
    for (const edit of edits) {
      const world = await makePlanWorld({ plan: { 'backlog.yaml': 'tasks: []\nreceived: []\n' } });
      const effects = new FakeEffects();
      const before = world.planText('backlog.yaml') ?? '';
      await handle(world, dispatch, { effects });
      const edited = edit(world.planText('backlog.yaml') ?? '', before);
      world.writePlan('backlog.yaml', edited);
      await handle(world, dispatch, { effects });
      expect(world.planText('backlog.yaml')).toBe(edited);
    }
  });

  test('fails while the backlog is unreadable and is added once it is fixed', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': 'tasks: [\n' } });
    const effects = new FakeEffects();
    await expect(handle(world, dispatch, { effects })).rejects.toThrow();
    expect(world.planText('backlog.yaml')).toBe('tasks: [\n');
    world.writePlan('backlog.yaml', 'tasks: []\n');
    await handle(world, dispatch, { effects });
    expect(received(world)).toEqual([entry]);
  });

  test('is attributed when it arrives during a phase', async () => {
    const world = await makePlanWorld();
    const hash = async () => (await hashFolder(nodeDisk, world.layout.plan(demoPlan)))['backlog.yaml'];
    await world.begin('reflect');
    const before = await hash();
    await handle(world, dispatch);
    const after = await hash();
    expect(after).not.toBe(before);
    expect(await isAttributed(world.services, demoPlan, 'backlog.yaml', { before, after })).toBe(true);
  });
});

describe('a full inbox', () => {
  const old = (n: number) => ({ ...entry, id: `old-${n}` });
  const full = stringify({ received: Array.from({ length: inboxLimits.entries }, (_, n) => old(n)) });
  const postponed = { kind: 'postponed', reason: 'its inbox waits for triage (500 new entries)' };

  test.each<[string, Message]>([
    ['a dispatch', dispatch],
    ['a note that no session takes', note],
  ])('postpones %s without any change until there is room', async (_name, message) => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': full } });
    const effects = new FakeEffects();
    expect(await handle(world, message, { effects })).toEqual(postponed);
    expect(world.planText('backlog.yaml')).toBe(full);
    expect(await leftovers(world)).toEqual([]);
    world.writePlan('backlog.yaml', full.replace('state: new', 'state: declined'));
    expect(await handle(world, message, { effects })).toEqual({ kind: 'done', summary: 'received' });
    expect(received(world)).toHaveLength(inboxLimits.entries + 1);
    expect(received(world).at(-1)).toMatchObject({ id, state: 'new' });
  });

  test('does not hold up a note for a session or a question', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': full } });
    const live = new FakeLive(session);
    expect(await handle(world, note, { live })).toMatchObject({ kind: 'done' });
    expect(await handle(world, { ...header, type: 'query', question: 'Why?' })).toMatchObject({ kind: 'done' });
    expect([live.taken, world.planText('backlog.yaml')]).toEqual([[id], full]);
  });

  test('still takes an entry whose write had begun before a crash', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': 'tasks: []\nreceived: []\n' } });
    const effects = new FakeEffects();
    let cut = 0;
    while ((await leftovers(world)).length === 0 || effects.delivery().done(1) === undefined) {
      await removeLocks(world.layout);
      await handleUntil(world, dispatch, effects, ++cut);
    }
    await removeLocks(world.layout);
    world.writePlan('backlog.yaml', full);
    expect(await handle(world, dispatch, { effects })).toMatchObject({ kind: 'done' });
    expect(received(world)).toHaveLength(inboxLimits.entries + 1);
    expect(await leftovers(world)).toEqual([]);
  });
});

/** Handles a message in a process that dies at change `cut` of the disk; mailbox records count as changes. */
async function handleUntil(world: PlanWorld, message: Message, effects: FakeEffects, cut: number): Promise<boolean> {
  let changes = 0;
  const change = () => {
    if (++changes >= cut) throw new Error('the power is cut');
  };
  const disk = traceDisk(nodeDisk, (_n, name) => {
    if (diskChanges.has(name)) change();
  });
  const actor = createPlanActor(
    { services: { ...world.services, disk }, live: new FakeLive(), answers: nobody },
    demoPlan,
  );
  return actor.handle(message, effects.delivery(change)).then(
    () => true,
    () => false,
  );
}

describe('a plan actor that crashes at any change of the disk', () => {
  const before = 'tasks: []\nreceived: []\n';

  /** `person` edits the file before the message comes again. */
  async function check(person: (world: PlanWorld) => void, expected: (wasThere: boolean) => number): Promise<void> {
    let finished = false;
    let cuts = 0;
    for (let cut = 1; !finished; cut++) {
      const world = await makePlanWorld({ plan: { 'backlog.yaml': before } });
      const effects = new FakeEffects();
      finished = await handleUntil(world, dispatch, effects, cut);
      cuts++;
      const wasThere = received(world).length === 1;
      person(world);
      // The next owner is another process; a lock of this process would look held.
      await removeLocks(world.layout);
      await handle(world, dispatch, { effects });
      expect(received(world), `cut ${cut}`).toHaveLength(expected(wasThere));
      expect(await leftovers(world), `cut ${cut}`).toEqual([]);
    }
    expect(cuts).toBeGreaterThan(8);
  }

  test('has the entry once after the next delivery', async () => {
    await check(
      () => undefined,
      () => 1,
    );
  });

  test('does not add the entry again after a person removed it', async () => {
    await check(
      (world) => world.writePlan('backlog.yaml', before),
      (wasThere) => (wasThere ? 0 : 1),
    );
  });

  test('does not add the entry again after a person rewrote the file', async () => {
    await check(
      (world) => world.writePlan('backlog.yaml', '# tidied\ntasks: []\n'),
      (wasThere) => (wasThere ? 0 : 1),
    );
  });
});

async function leftovers({ layout }: PlanWorld): Promise<string[]> {
  const names = (await nodeDisk.readDirectory(layout.plan(demoPlan))).map(({ name }) => name);
  return names.filter((name) => name.endsWith('.tmp') && name.includes(id.toLowerCase()));
}

describe('a note to a plan', () => {
  test('goes to the running session', async () => {
    const world = await makePlanWorld();
    const live = new FakeLive(session);
    expect(await handle(world, note, { live })).toEqual({ kind: 'done', summary: `left for session ${session}` });
    expect([live.taken, received(world)]).toEqual([[id], []]);
  });

  test.each([
    ['when no session runs', new FakeLive()],
    ['when the session takes no more notes', new FakeLive(session, false)],
  ])('becomes a received message %s', async (_name, live) => {
    const world = await makePlanWorld();
    await handle(world, note, { live });
    expect(received(world)).toEqual([{ ...entry, reason: 'A note that no session was told', body: 'Mind the cat.' }]);
  });

  test('goes to the session that was asked first when it comes again', async () => {
    const world = await makePlanWorld();
    const effects = new FakeEffects();
    const asked: Ulid[] = [];
    const live = (running: Ulid | undefined) => ({
      isStopped: false,
      of: () => running,
      note: async (of: Ulid) => asked.push(of) > 0,
    });
    await handle(world, note, { effects, live: live(session) });
    await handle(world, note, { effects, live: live('01S00000000000000000000009' as Ulid) });
    await handle(world, note, { effects, live: live(undefined) });
    expect([asked, received(world)]).toEqual([[session, session, session], []]);
  });

  test('stays a received message even if a session runs when it comes again', async () => {
    const world = await makePlanWorld();
    const effects = new FakeEffects();
    const live = new FakeLive(session);
    await handle(world, note, { effects });
    await handle(world, note, { effects, live });
    expect([live.taken, received(world).length]).toEqual([[], 1]);
  });

  test('waits for the next owner while sessions are being let go', async () => {
    for (const isAsked of [false, true]) {
      const world = await makePlanWorld();
      const effects = new FakeEffects();
      const dropping = new AbortController();
      const live = new FakeLive(isAsked ? session : undefined, false);
      // One session is let go before it is asked, the other while it is asked.
      live.isStopped = !isAsked;
      const stop = () => {
        live.isStopped = true;
        setImmediate(() => dropping.abort(new Error('dropped')));
      };
      if (!isAsked) stop();
      const actor = createPlanActor({ services: world.services, live, answers: nobody }, demoPlan);
      await expect(actor.handle(note, effects.delivery(stop, dropping.signal))).rejects.toThrow('dropped');
      expect(received(world)).toEqual([]);
      const next = new FakeLive(session);
      await handle(world, note, { effects, live: next });
      expect([next.taken, received(world)]).toEqual([[id], []]);
    }
  });
});

test('a question to a plan is handed over without waiting for its answer', async () => {
  const world = await makePlanWorld();
  const query: Message = { ...header, type: 'query', question: 'Why?' };
  const taken: unknown[] = [];
  const answers = { take: async (...asked: unknown[]) => void taken.push(asked) };
  const actor = createPlanActor({ services: world.services, live: new FakeLive(), answers }, demoPlan);
  expect(await actor.handle(query, new FakeEffects().delivery())).toEqual({
    kind: 'done',
    summary: 'a session is asked',
  });
  expect([taken, received(world)]).toEqual([[[demoPlan, query]], []]);
});

test('a message type that a plan does not support is rejected with a code', async () => {
  const world = await makePlanWorld();
  const tick: Message = { ...header, type: 'tick' };
  expect(await handle(world, tick)).toMatchObject({ kind: 'rejected', code: 'message/notYetImplemented' });
  expect(received(world)).toEqual([]);
});
