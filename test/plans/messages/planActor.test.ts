import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Postponed } from '../../../src/actors/behaviour.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { backlogSchema } from '../../../src/model/backlog.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { type Message, type MessageOutcome, person } from '../../../src/model/message.ts';
import { inboxLimits } from '../../../src/plans/messages/inbox.ts';
import { createPlanActor, type PlanActorParts } from '../../../src/plans/messages/planActor.ts';
import { isAttributed } from '../../../src/plans/proposals/planWriter.ts';
import { hashFolder } from '../../../src/plans/transaction.ts';
import { readYaml } from '../../../src/vault/yaml.ts';
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

/** Where questions are taken over, which is tested apart. */
const nobody = { take: async () => undefined };

/** A session that takes notes, or none. */
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

describe('a dispatch', () => {
  test('becomes an entry of received, after those that are there', async () => {
    const old = { ...entry, id: 'old' };
    const world = await makePlanWorld({ plan: { 'backlog.yaml': `# mine\n${stringify({ received: [old] })}` } });
    expect(await handle(world, dispatch)).toEqual({ kind: 'done', summary: 'received' });
    expect(received(world)).toEqual([old, entry]);
    expect(world.planText('backlog.yaml')).toMatch(/^# mine\n/);
  });

  test('that comes again is not doubled', async () => {
    const world = await makePlanWorld();
    const effects = new FakeEffects();
    await handle(world, dispatch, { effects });
    await handle(world, dispatch, { effects });
    expect(received(world)).toEqual([entry]);
  });

  test('that comes again does not undo what a person did with it', async () => {
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

  test('to a plan whose backlog cannot be read stays undone and throws', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': 'tasks: [\n' } });
    const effects = new FakeEffects();
    await expect(handle(world, dispatch, { effects })).rejects.toThrow();
    expect(world.planText('backlog.yaml')).toBe('tasks: [\n');
    world.writePlan('backlog.yaml', 'tasks: []\n');
    await handle(world, dispatch, { effects });
    expect(received(world)).toEqual([entry]);
  });

  test('while a phase runs is accounted for', async () => {
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
  ])('lets %s wait and changes nothing, until there is room', async (_name, message) => {
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

  test('holds up no note for a session, and no question', async () => {
    const world = await makePlanWorld({ plan: { 'backlog.yaml': full } });
    const live = new FakeLive(session);
    expect(await handle(world, note, { live })).toMatchObject({ kind: 'done' });
    expect(await handle(world, { ...header, type: 'query', question: 'Why?' })).toMatchObject({ kind: 'done' });
    expect([live.taken, world.planText('backlog.yaml')]).toEqual([[id], full]);
  });

  test('takes what was on its way into the file when the process died', async () => {
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

/** A process that dies at the n-th change of the disk, records of the mailbox included. */
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

describe('a crash at any change of the disk', () => {
  const before = 'tasks: []\nreceived: []\n';

  /** What a person does with the file before the message comes again. */
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
      // The next owner is another process; this one's lock would be taken for held.
      await removeLocks(world.layout);
      await handle(world, dispatch, { effects });
      expect(received(world), `cut ${cut}`).toHaveLength(expected(wasThere));
      expect(await leftovers(world), `cut ${cut}`).toEqual([]);
    }
    expect(cuts).toBeGreaterThan(8);
  }

  test('is healed by the next delivery', async () => {
    await check(
      () => undefined,
      () => 1,
    );
  });

  test('is healed where a person took the entry out meanwhile, byte for byte', async () => {
    await check(
      (world) => world.writePlan('backlog.yaml', before),
      (wasThere) => (wasThere ? 0 : 1),
    );
  });

  test('is healed where a person wrote something else', async () => {
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

describe('a note', () => {
  test('goes to the session that runs', async () => {
    const world = await makePlanWorld();
    const live = new FakeLive(session);
    expect(await handle(world, note, { live })).toEqual({ kind: 'done', summary: `left for session ${session}` });
    expect([live.taken, received(world)]).toEqual([[id], []]);
  });

  test.each([
    ['where nothing runs', new FakeLive()],
    ['where the session takes none any more', new FakeLive(session, false)],
  ])('becomes an entry of received %s', async (_name, live) => {
    const world = await makePlanWorld();
    await handle(world, note, { live });
    expect(received(world)).toEqual([{ ...entry, reason: 'A note that no session was told', body: 'Mind the cat.' }]);
  });

  test('that comes again is looked for in the session that was asked first', async () => {
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

  test('that went to received stays there, though a session runs by then', async () => {
    const world = await makePlanWorld();
    const effects = new FakeEffects();
    const live = new FakeLive(session);
    await handle(world, note, { effects });
    await handle(world, note, { effects, live });
    expect([live.taken, received(world).length]).toEqual([[], 1]);
  });

  test('that comes while sessions are let go waits for the next owner, who may know of one', async () => {
    for (const isAsked of [false, true]) {
      const world = await makePlanWorld();
      const effects = new FakeEffects();
      const dropping = new AbortController();
      const live = new FakeLive(isAsked ? session : undefined, false);
      // The one is let go before it is asked, the other while it is.
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

test('a question is taken over by what asks sessions, and nobody waits for its answer', async () => {
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

test('what a plan cannot do yet is an answer, with a code', async () => {
  const world = await makePlanWorld();
  const tick: Message = { ...header, type: 'tick' };
  expect(await handle(world, tick)).toMatchObject({ kind: 'rejected', code: 'message/notYetImplemented' });
  expect(received(world)).toEqual([]);
});
