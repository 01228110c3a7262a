import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { segmentFromId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { backlogIn } from '../support/backlogs.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeGate } from '../support/gate.ts';
import { openCore } from '../support/openCore.ts';
import {
  finishDone,
  formatScenario,
  nextEvent,
  oneEntry,
  type ScenarioSteps,
  whenPrinted,
} from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World, type WorldOptions } from '../support/world.ts';

interface Family {
  readonly world: World;
  /** A second plan of the project, and the folder of its files. */
  readonly child: string;
  readonly childFolder: string;
}

/** A project with two plans; the root plan is about to run `phase`. */
async function makeFamily(phase: string, steps: ScenarioSteps, options: WorldOptions = {}): Promise<Family> {
  const world = await makeWorld({
    scenario: formatScenario(steps),
    ...options,
    plan: { 'phase.md': `${phase}\n`, 'memory.yaml': oneEntry, 'backlog.yaml': backlogOf('first'), ...options.plan },
  });
  const core = await openCore(world, { role: 'local' });
  const child = `${world.plan}/child`;
  const { directory } = await core.api.request('create', { plan: child, description: 'Minds the cats' });
  await core.stop();
  return { world, child, childFolder: directory };
}

const receivedIn = async (directory: string) => backlogIn(directory).received ?? [];

/** Runs the next phase of the world's plan. */
const runPhase = (core: Core, { plan, scenario }: Pick<World, 'plan' | 'scenario'>) =>
  core.api.request('run_phase', { plan, harness: 'scripted', scenario });

/** Resolves with how the next message of an actor was handled. */
const whenHandled = (core: Core, actor: string) => nextEvent(core, 'message.handled', (event) => event.actor === actor);

function typesOf(events: readonly RavelEvent[], actor: string): string[] {
  return events.filter((event) => event.actor === actor).map((event) => event.type);
}

describe('a dispatch from a session', () => {
  const toChild = (child: string) => ({
    call: 'message_dispatch',
    with: { 'target-plan': child, reason: 'It is theirs', body: 'Greet the cat.' },
  });

  test('reaches a plan of the same project, which starts no session for it', async () => {
    const family = await makeFamily('reflect', {});
    const { world, child, childFolder } = family;
    await writeFile(world.scenario, formatScenario({ reflect: [toChild(child), finishDone] }));
    const { core, events } = await startCore(world);
    const handled = whenHandled(core, child);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    expect(await handled).toMatchObject({ from: world.plan, outcome: { kind: 'done', summary: 'received' } });
    const [sent] = backlogIn(world.planDirectory).dispatched ?? [];
    expect(sent).toMatchObject({
      to: child,
      body: expect.stringContaining('Greet the cat.'),
      outcome: `accepted by ${child}`,
    });
    expect(await receivedIn(childFolder)).toMatchObject([
      { id: sent?.id, from: world.plan, reason: 'It is theirs', state: 'new' },
    ]);
    expect(existsSync(join(world.planDirectory, 'dispatches.yaml'))).toBe(false);
    expect(typesOf(events, child)).toEqual([
      'message.accepted',
      ...['actor.changed', 'actor.changed'],
      'message.handled',
    ]);
  });

  test('a dispatch from a session that was left in dispatches.yaml is not sent by a dream', async () => {
    const left = stringify({ dispatches: [{ 'target-plan': 'x', reason: 'a', body: 'b' }] });
    const { world } = await makeFamily('dream', { dream: [finishDone] }, { plan: { 'dispatches.yaml': left } });
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'triage' });
    expect(await world.readPlan('dispatches.yaml')).toBe(left);
  });

  test('to an unknown plan is reported and stays with its sender, and the cycle continues', async () => {
    const dispatches = [
      { 'target-plan': 'Nowhere/project-root', reason: 'a', body: 'b' },
      { target: 'auto', reason: 'c', body: 'd' },
    ];
    const left = stringify({ dispatches });
    const { world } = await makeFamily('reflect', { reflect: [finishDone] }, { plan: { 'dispatches.yaml': left } });
    const { core, events } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    const { dispatched } = backlogIn(world.planDirectory);
    expect(dispatched).toMatchObject([
      { to: 'Nowhere/project-root', body: 'b' },
      { to: 'auto', body: 'd' },
    ]);
    const codes = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.code] : []));
    expect(codes).toEqual(['message/unknownPlan']);
  });
});

test('a message that arrives during a phase is received at once, and survives the merge', async () => {
  const { world } = await makeFamily('triage', {});
  const gate = await makeGate(world.root);
  const add = { call: 'backlog_add', with: { title: 'Say goodbye', category: 'core' } };
  await writeFile(world.scenario, formatScenario({ triage: [{ say: 'Working.' }, gate.wait, add, finishDone] }));
  const { core, events } = await startCore(world);
  const working = whenPrinted(core, 'Working.');
  const run = runPhase(core, world);
  await working;
  const handled = whenHandled(core, world.plan);
  await core.api.request('send', { to: world.plan, type: 'dispatch', reason: 'Now', body: 'Greet the cat.' });
  await handled;
  expect(await receivedIn(world.planDirectory)).toMatchObject([{ from: 'person', body: 'Greet the cat.' }]);
  gate.open();
  expect(await run).toMatchObject({ end: 'finished' });
  const { tasks, received } = backlogIn(world.planDirectory);
  expect(tasks?.map(({ id }) => id)).toEqual(['first', 'say-goodbye']);
  expect(received).toMatchObject([{ body: 'Greet the cat.', state: 'new' }]);
  expect(events.some((event) => event.type === 'approval.opened')).toBe(false);
});

describe('a note from a person', () => {
  const add = { call: 'memory_add', with: { title: 'Learned', body: 'Something.' } };

  /** A reflection that waits after its first words. */
  async function startReflection(after: readonly object[]) {
    const family = await makeFamily('reflect', {});
    const { world } = family;
    const gate = await makeGate(world.root);
    const steps = [{ say: 'Working.' }, gate.wait, ...after] as ScenarioSteps['reflect'];
    await writeFile(world.scenario, formatScenario({ reflect: steps ?? [] }));
    const { core, server, events } = await startCore(world);
    const working = whenPrinted(core, 'Working.');
    const run = runPhase(core, world);
    await working;
    return { world, gate, core, server, events, run };
  }

  const leaveNote = async (core: Core, plan: string) => {
    const handled = whenHandled(core, plan);
    const sent = await core.api.request('send', { to: plan, type: 'note', text: 'Mind the cat.' });
    return { sent, handled: await handled };
  };

  test('reaches the running session with the answer to its next call', async () => {
    const { world, gate, core, events, run } = await startReflection([add, finishDone]);
    const { sent, handled } = await leaveNote(core, world.plan);
    expect(handled.outcome).toMatchObject({ kind: 'done', summary: `left for session ${sent.session}` });
    gate.open();
    expect(await run).toMatchObject({ end: 'finished', session: sent.session });
    const answers = events.flatMap((event) =>
      event.type === 'session.output' && event.output.kind === 'toolEnded' ? [event.output.output] : [],
    );
    expect(answers.filter((text) => text.includes('> Mind the cat.'))).toHaveLength(1);
    const noted = events.filter((event) => event.type === 'session.noted');
    expect(noted).toMatchObject([{ session: sent.session, note: sent.message, text: 'Mind the cat.' }]);
    expect(await receivedIn(world.planDirectory)).toEqual([]);
  });

  test('holds back a finish that does not know of it', async () => {
    const early = { finish: { outcome: 'done', summary: 'Done.' }, expect: 'refused' };
    const { world, gate, core, run } = await startReflection([early, finishDone]);
    await leaveNote(core, world.plan);
    gate.open();
    expect(await run).toMatchObject({ end: 'finished' });
  });

  test('a note from a person that the session did not live to see goes to the inbox of the plan, once', async () => {
    const { world, gate, core, run } = await startReflection([{ exit: 3 }]);
    await leaveNote(core, world.plan);
    const received = whenHandled(core, world.plan);
    gate.open();
    expect(await run).toMatchObject({ end: 'failed' });
    await received;
    const expected = [
      { from: 'person', reason: 'A note that no session was told', body: 'Mind the cat.', state: 'new' },
    ];
    expect(await receivedIn(world.planDirectory)).toMatchObject(expected);
    await core.stop();
    const next = await openCore(world);
    await next.stop();
    expect(await receivedIn(world.planDirectory)).toMatchObject(expected);
  });

  test('is delivered by the next owner if its owner stops', async () => {
    const { world, gate, core, server, run } = await startReflection([add, finishDone]);
    run.catch(() => undefined);
    await leaveNote(core, world.plan);
    await server.stop();
    await core.stop();
    const next = await startCore(world);
    const noted = nextEvent(next.core, 'session.noted');
    const ended = nextEvent(next.core, 'phase.ended', ({ phase }) => phase === 'git-commit-reflect');
    gate.open();
    expect(await noted).toMatchObject({ text: 'Mind the cat.' });
    await ended;
    expect(await receivedIn(world.planDirectory)).toEqual([]);
  });

  test('a note from a person that an owner takes in and stops at once is delivered by the next owner', async () => {
    const { world, gate, core, server, run } = await startReflection([add, finishDone]);
    run.catch(() => undefined);
    await server.stop();
    await core.stop();
    const passing = await openCore(world);
    const sent = await passing.api.request('send', { to: world.plan, type: 'note', text: 'Mind the cat.' });
    expect(sent.session).toBeDefined();
    await passing.stop();
    const next = await startCore(world);
    const noted = nextEvent(next.core, 'session.noted');
    const ended = nextEvent(next.core, 'phase.ended', ({ phase }) => phase === 'git-commit-reflect');
    gate.open();
    expect(await noted).toMatchObject({ text: 'Mind the cat.' });
    await ended;
    expect(await receivedIn(world.planDirectory)).toEqual([]);
  });

  test('goes to the inbox if no session runs', async () => {
    const { world } = await makeFamily('triage', {});
    const { core } = await startCore(world);
    const { sent } = await leaveNote(core, world.plan);
    expect(sent.session).toBeUndefined();
    expect(await receivedIn(world.planDirectory)).toMatchObject([{ id: sent.message, body: 'Mind the cat.' }]);
  });
});

describe('a message that cannot be taken in', () => {
  const send = { type: 'dispatch', reason: 'Now', body: 'Greet the cat.' } as const;

  test('becomes a dead letter, which is redelivered once its cause is fixed', async () => {
    const { world, child, childFolder } = await makeFamily('triage', {});
    await writeFile(join(childFolder, 'backlog.yaml'), 'tasks: [\n');
    const { core } = await startCore(world);
    const dead = nextEvent(core, 'message.dead');
    await core.api.request('send', { to: child, ...send });
    expect(await dead).toMatchObject({ actor: child, messageType: 'dispatch', from: 'person' });
    const { deadLetters } = await core.api.request('dead_letters', { actor: child });
    // A core that does not own the vault is told the same.
    const other = (await openCore(world, { role: 'local' })).api;
    expect(await other.request('dead_letters', {})).toEqual({ deadLetters });
    expect(await other.request('actors', {})).toMatchObject({ actors: [{ actor: child, deadLetters: 1 }] });
    expect((await other.request('status', { plan: child })).actor).toMatchObject({ deadLetters: 1 });
    expect((await other.request('list', {})).plans.map(({ actor }) => actor?.deadLetters)).toEqual([undefined, 1]);
    expect(deadLetters).toMatchObject([{ actor: child, text: 'Greet the cat.', attempts: 2 }]);
    expect(readFileSync(join(childFolder, 'backlog.yaml'), 'utf8')).toBe('tasks: [\n');
    expect((await core.api.request('status', { plan: child })).actor).toMatchObject({ deadLetters: 1 });

    await writeFile(join(childFolder, 'backlog.yaml'), 'tasks: []\n');
    const handled = whenHandled(core, child);
    const letter = deadLetters[0]?.message ?? '';
    await core.api.request('redeliver', { message: letter.slice(0, 12).toLowerCase() });
    await handled;
    expect(await receivedIn(childFolder)).toMatchObject([{ id: letter, body: 'Greet the cat.' }]);
    expect(await core.api.request('dead_letters', {})).toEqual({ deadLetters: [] });
    expect(await failureOf(() => core.api.request('discard', { message: letter }))).toMatchObject({
      code: 'message/noDeadLetter',
    });
  });

  test('because its mailbox is damaged stops only that plan, until a person revives it', async () => {
    const { world, child, childFolder } = await makeFamily('triage', {});
    const first = await openCore(world);
    for (const body of ['one', 'two']) {
      const handled = whenHandled(first, child);
      await first.api.request('send', { to: child, ...send, body });
      await handled;
    }
    await first.stop();
    const mailbox = join(world.vault, 'runtime/mailboxes', `${segmentFromId(toQualifiedId(child))}.jsonl`);
    const cursor = mailbox.replace(/jsonl$/, 'cursor');
    const whole = readFileSync(mailbox, 'utf8');
    writeFileSync(mailbox, whole.replace('"one"', '"0ne"'));
    writeFileSync(cursor, '');

    const { core } = await startCore(world);
    const problem = await failureOf(() => core.api.request('send', { to: child, ...send }));
    expect(problem).toMatchObject({ code: 'mailbox/corrupt' });
    const { actors } = await core.api.request('actors', {});
    expect(actors).toMatchObject([{ actor: child, state: 'faulted', fault: { code: 'mailbox/corrupt' } }]);
    const { plans } = await core.api.request('list', {});
    expect(plans.map(({ actor }) => actor?.state)).toEqual(['dormant', 'faulted']);
    const { diagnostics } = await core.api.request('verify', {});
    expect(diagnostics).toContainEqual(expect.objectContaining({ code: 'mailbox/corrupt', subject: child }));
    const handled = whenHandled(core, world.plan);
    await core.api.request('send', { to: world.plan, ...send });
    await handled;
    expect(readFileSync(mailbox, 'utf8')).toBe(whole.replace('"one"', '"0ne"'));

    writeFileSync(mailbox, whole);
    await core.api.request('revive', { actor: child });
    // The cursor is lost as well, so what was handled before comes again first.
    const id = '01M00000000000000000000003' as Ulid;
    const again = nextEvent(core, 'message.handled', ({ message }) => message === id);
    await core.api.request('send', { to: child, ...send, id, body: 'three' });
    await again;
    expect((await receivedIn(childFolder)).map(({ body }) => body)).toEqual(['one', 'two', 'three']);
  });

  test('stops its plan at the third crash, counted across restarts of the owner', async () => {
    const { world, child, childFolder } = await makeFamily('triage', {});
    const backlog = join(childFolder, 'backlog.yaml');
    await writeFile(backlog, 'tasks: [\n');
    const first = await openCore(world);
    const dead = nextEvent(first, 'message.dead');
    await first.api.request('send', { to: child, ...send, body: 'one' });
    await dead;
    await first.stop();
    const second = await openCore(world);
    const parked = nextEvent(second, 'actor.changed', ({ state }) => state === 'faulted');
    await second.api.request('send', { to: child, ...send, body: 'two' });
    expect(await parked).toMatchObject({ actor: child, reason: expect.stringContaining('crashed 3 times') });
    await second.stop();

    const { core } = await startCore(world);
    const parkedAgain = nextEvent(core, 'actor.changed', ({ actor, state }) => actor === child && state === 'faulted');
    const statusOf = async () => (await core.api.request('status', { plan: child })).actor;
    if ((await statusOf())?.state !== 'faulted') await parkedAgain;
    expect(await statusOf()).toMatchObject({ queued: 1, deadLetters: 1 });
    await writeFile(backlog, 'tasks: []\n');
    const handled = whenHandled(core, child);
    await core.api.request('revive', { actor: child });
    await handled;
    expect((await receivedIn(childFolder)).map(({ body }) => body)).toEqual(['two']);
  });

  test('because it goes to an expert is refused at once, and is in no mailbox', async () => {
    const { world } = await makeFamily('triage', {});
    const { core } = await startCore(world);
    const fields = 'actor-type: expert\nexpert-id: cats\ndescription: Cats.\npersona: Calm.\ntags: [cats]\n';
    await writeFile(join(world.vault, 'experts/cats.md'), `---\n${fields}knowledge-scope: [cats]\n---\n`);
    await writeFile(join(world.vault, 'experts/broken.md'), 'nothing\n');
    const sending = (to: string) => failureOf(() => core.api.request('send', { to, ...send }));
    for (const to of ['expert:cats', 'expert:broken'])
      expect(await sending(to)).toMatchObject({ code: 'expert/questionsOnly', subject: to });
    for (const to of ['expert:cast', 'expert:Cat'])
      expect(await sending(to)).toMatchObject({
        code: 'expert/unknown',
        help: 'Did you mean expert:cats? See `ravel experts` for all of them.',
      });
    expect(await sending('expert:astronomy')).toMatchObject({
      code: 'expert/unknown',
      help: 'See `ravel experts` for the experts of this vault.',
    });
    const mailboxes = join(world.vault, 'runtime/mailboxes');
    const names = existsSync(mailboxes) ? readdirSync(mailboxes) : [];
    expect(names.filter((name) => name.includes('expert'))).toEqual([]);
  });

  test('because its plan is unknown or its text is empty is refused', async () => {
    const { world } = await makeFamily('triage', {});
    const { core } = await startCore(world);
    const unknown = () => core.api.request('send', { to: 'Nowhere', ...send });
    expect(await failureOf(unknown)).toMatchObject({ code: 'plan/unknown' });
    const empty = () => core.api.request('send', { to: world.plan, type: 'note', text: '  ' });
    expect(await failureOf(empty)).toMatchObject({ code: 'server/badParams' });
  });
});

test('a message sent again under its id is received once, also after a restart', async () => {
  const { world, child, childFolder } = await makeFamily('triage', {});
  const id = '01M00000000000000000000000' as Ulid;
  const send = { to: child, id, type: 'dispatch', reason: 'Now', body: 'Greet the cat.' } as const;
  for (let start = 0; start < 2; start++) {
    const core = await openCore(world);
    const handled = start === 0 ? whenHandled(core, child) : Promise.resolve();
    for (let time = 0; time < 3; time++)
      expect(await core.api.request('send', send)).toEqual({ message: id, to: child });
    await handled;
    await core.stop();
  }
  expect(await receivedIn(childFolder)).toHaveLength(1);
});
