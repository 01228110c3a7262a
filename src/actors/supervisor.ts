import { assert } from '../base/assert.ts';
import { createDeferred, type Deferred, withTimeout } from '../base/async.ts';
import { defined } from '../base/defined.ts';
import type { RavelError } from '../base/errors.ts';
import { ensureDirectory, exists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { type Message, messageSchema, type NewMessage } from '../model/message.ts';
import { Actor, type ActorContext } from './actor.ts';
import { ActorSlots } from './actorSlots.ts';
import { type DeadLetter, DeadLetters } from './deadLetters.ts';
import { seal } from './envelope.ts';
import { type AppendOptions, mailboxPaths } from './mailbox.ts';
import { actorFiles, archivedFiles, moveMailbox } from './moveMailbox.ts';
import { cleanMailboxes, findPending } from './pendingMailboxes.ts';
import type { ActorStatus, Receipt, SendOptions, SupervisorOptions } from './supervision.ts';

/** How long handlers may take to end when the supervisor is stopped. */
const drainMs = 1_000;
/**
 * Mailboxes that stay open although their actors only queue. Each reads at most 4 MiB ahead (`pendingWindow.ts`), so all
 * of them hold 256 MiB at most.
 */
const openMailboxesMax = 64;

/**
 * Gives actors their messages, one at a time, and decides what becomes of those that crash. It knows behaviours and
 * mailboxes, and neither plans nor experts. `docs/design/messages.md` says how each message has its effects once.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #letters: DeadLetters;
  readonly #slots: ActorSlots;
  /** Those that are not dormant. */
  readonly #actors = new Map<QualifiedId, Actor>();
  readonly #moving = new Set<QualifiedId>();
  /** Those that `hold` keeps still. */
  readonly #held = new Set<QualifiedId>();
  /** Sends under way, and who waits until there are none. */
  #sends = 0;
  #sent: Deferred<void> | undefined;
  #state: 'new' | 'running' | 'stopped' = 'new';
  readonly #stopping = new AbortController();
  #scanned: Promise<void> = Promise.resolve();
  #hasToScanAgain = false;

  constructor(options: SupervisorOptions) {
    assert(options.limits.activeMax > 0, 'at least one actor can be active');
    assert(options.mailboxes !== options.deadLetters, 'dead letters are not mailboxes');
    this.#options = options;
    this.#letters = new DeadLetters(options.disk, options.deadLetters);
    this.#slots = new ActorSlots(options.limits.activeMax, () => this.#restIdlest());
  }

  /** Messages are accepted once this resolves; what waits already is found behind it, see `scanned`. */
  async start(): Promise<void> {
    assert(this.#state === 'new', 'a supervisor is started once');
    const { disk, mailboxes } = this.#options;
    await ensureDirectory(disk, mailboxes, 0o700);
    await cleanMailboxes(disk, mailboxes);
    await this.#letters.count();
    this.#state = 'running';
    this.#beginScan();
  }

  /**
   * Resolves once every actor is woken that had something to do at the start. Rejects if the mailboxes cannot be
   * listed; asked again, it lists them again.
   */
  scanned(): Promise<void> {
    assert(this.#state !== 'new', 'a supervisor is started before it is used');
    if (this.#hasToScanAgain && this.#state === 'running') this.#beginScan();
    return this.#scanned;
  }

  /** Takes nothing more, gives handlers a second to end, then drops them. What is left is on disk. */
  async stop(): Promise<void> {
    if (this.#state === 'stopped') return;
    this.#state = 'stopped';
    this.#stopping.abort();
    const actors = [...this.#actors.values()];
    const scanned = this.#scanned.catch(() => undefined);
    const ended = Promise.all([scanned, this.#untilSent()]).then(() =>
      Promise.all(actors.map((actor) => actor.stop())),
    );
    // Idle actors end at once, and those who queue for a slot never start.
    for (const actor of actors) actor.announceStop();
    try {
      await withTimeout(this.#options.clock, drainMs, ended, () => stopping('the actors'));
    } catch (error) {
      assert(error instanceof Error, 'only the time can be over');
      for (const actor of actors) actor.abort();
      await ended;
    }
    assert(this.#sends === 0, 'no send is under way');
    this.#actors.clear();
  }

  /** Resolves once the message is on the medium. Throws what the mailbox refuses, and `actor/stopping`. */
  send(message: NewMessage, { isRepeat = false, cause }: SendOptions = {}): Promise<Receipt> {
    assert(this.#state !== 'new', 'a supervisor is started before it is used');
    return this.#append(message.to, seal(message, this.#options.clock, cause), { isRepeat });
  }

  /** Where one actor stands; one that nothing is known of is dormant. */
  status(actor: QualifiedId): ActorStatus {
    const known = this.#actors.get(actor);
    const deadLetters = this.#letters.countOf(actor);
    const because = defined({ waitsBecause: known?.waitsBecause });
    return { actor, state: known?.state ?? { kind: 'dormant' }, waiting: known?.waiting ?? 0, deadLetters, ...because };
  }

  /** Every actor that is not dormant, or has dead letters. */
  statuses(): ActorStatus[] {
    const actors = [...new Set([...this.#actors.keys(), ...this.#letters.actors()])].sort();
    const statuses = actors.map((actor) => this.status(actor));
    return statuses.filter(({ state, deadLetters }) => state.kind !== 'dormant' || deadLetters > 0);
  }

  /** What a postponed message of this actor waits for may have happened; nothing if none is postponed. */
  resume(actor: QualifiedId): void {
    this.#actors.get(actor)?.resume();
  }

  /** A person forgives: crash times are cleared, the mailbox is opened again, and the actor goes on. */
  async revive(actor: QualifiedId): Promise<void> {
    this.#assertRunning(actor);
    const revived = this.#actor(actor);
    await revived.revive();
    this.#forget(actor);
  }

  /**
   * Does a long piece of work that counts as the actor being active, such as a phase. Messages are handled meanwhile.
   * If the limit of active actors is reached it queues first, and `onQueued` gets the reason.
   */
  async keepActive<T>(
    actor: QualifiedId,
    signal: AbortSignal,
    work: () => Promise<T>,
    onQueued: (reason: string) => void = () => undefined,
  ): Promise<T> {
    this.#assertRunning(actor);
    assert(this.#state === 'running', 'no actor is woken after the end');
    return this.#actor(actor).runActive(signal, work, onQueued);
  }

  /**
   * Runs `work` while none of these actors handles anything, or is sent anything. The message in hand is handled first,
   * and what waits is handled afterwards, wherever `work` has moved it. Throws `actor/busy` before `work` begins.
   */
  async withPaused<T>(actors: readonly QualifiedId[], work: () => Promise<T>): Promise<T> {
    for (const actor of actors) this.#assertNotMoving(actor);
    for (const actor of actors) this.#moving.add(actor);
    try {
      for (const actor of actors) await this.#pause(actor);
      for (const actor of actors) this.#held.add(actor);
      return await work();
    } finally {
      for (const actor of actors) this.#moving.delete(actor);
      for (const actor of actors) this.#held.delete(actor);
      if (this.#state === 'running') await this.#wakePending(actors);
    }
  }

  /** Mailbox, cursor and dead letters get another actor's name; doing it again after a crash finishes it. */
  async rename(from: QualifiedId, to: QualifiedId): Promise<void> {
    const { disk, mailboxes, deadLetters } = this.#options;
    assert(from !== to, 'a name changes');
    await this.#atRest([from, to], async () => {
      await moveMailbox(disk, actorFiles(mailboxes, deadLetters, from), actorFiles(mailboxes, deadLetters, to), to);
      await this.#letters.readdress(to);
    });
    assert(!this.#actors.has(from), 'an actor that is renamed is dormant');
    if (this.#state === 'running' && !this.#held.has(to)) await this.#wakeIfPending(to);
  }

  /** Moves mailbox, cursor and dead letters into a folder; doing it again after a crash finishes it. */
  async archive(actor: QualifiedId, directory: string): Promise<void> {
    const { disk, mailboxes, deadLetters } = this.#options;
    assert(directory !== mailboxes && directory !== deadLetters, 'it goes to another place');
    await this.#atRest([actor], () =>
      moveMailbox(disk, actorFiles(mailboxes, deadLetters, actor), archivedFiles(directory), actor),
    );
    assert(!this.#actors.has(actor), 'an actor that is archived is dormant');
  }

  /** Brings back what `archive` put into a folder, perhaps under another name; doing it again finishes it. */
  async restore(directory: string, actor: QualifiedId): Promise<void> {
    const { disk, mailboxes, deadLetters } = this.#options;
    assert(directory !== mailboxes && directory !== deadLetters, 'it comes from another place');
    await this.#atRest([actor], async () => {
      await moveMailbox(disk, archivedFiles(directory), actorFiles(mailboxes, deadLetters, actor), actor);
      await this.#letters.readdress(actor);
    });
    assert(this.#held.has(actor) || !this.#moving.has(actor), 'the move is over');
    if (this.#state === 'running' && !this.#held.has(actor)) await this.#wakeIfPending(actor);
  }

  /** Resolves once the actor's mailbox is empty; rejects if the actor is faulted. */
  async whenIdle(actor: QualifiedId): Promise<void> {
    assert(this.#state !== 'new', 'a supervisor is started before it is used');
    await this.#actors.get(actor)?.whenIdle();
  }

  async deadLetters(actor?: QualifiedId): Promise<DeadLetter[]> {
    const { letters, diagnostics } = await this.#letters.list(actor);
    for (const found of diagnostics) this.#options.events.diagnostic(found);
    assert(this.#state !== 'new', 'a supervisor is started before it is used');
    return letters;
  }

  /** Appends the message again, with a fresh count of attempts and the effects that it had already. */
  async redeliver(id: Ulid): Promise<Receipt> {
    const letter = await this.#letters.find(id);
    const { data, error } = messageSchema.safeParse(letter.message);
    if (data === undefined) {
      const why = error?.issues[0]?.message ?? 'it has another form';
      throw failure(
        'message/unreadable',
        letter.actor,
        `The message ${id} to ${letter.actor} is not readable: ${why}.`,
      );
    }
    const redelivery = { count: letter.redelivered + 1, effects: letter.effects };
    assert(redelivery.count > 0, 'deliveries again are counted from 1');
    // The message is in the mailbox before the letter is removed. A repeat after a crash in between finds it there.
    const receipt = await this.#append(letter.actor, data, { isRepeat: true, redelivery });
    await this.#letters.remove(letter);
    return receipt;
  }

  async discard(id: Ulid): Promise<DeadLetter> {
    const letter = await this.#letters.find(id);
    await this.#letters.remove(letter);
    return letter;
  }

  #beginScan(): void {
    this.#hasToScanAgain = false;
    const scanned = this.#scanMailboxes().catch((error: unknown) => {
      this.#hasToScanAgain = this.#scanned === scanned;
      throw error;
    });
    this.#scanned = scanned;
    // A caller that awaits the scan gets the error; without one, it must not count as unhandled.
    scanned.catch(() => undefined);
  }

  /** Finds the mailboxes with something pending and wakes their actors. Opens no other. */
  async #scanMailboxes(): Promise<void> {
    const { disk, mailboxes, events } = this.#options;
    const { signal } = this.#stopping;
    const { pending, diagnostics } = await findPending(disk, mailboxes, signal);
    for (const found of diagnostics) events.diagnostic(found);
    for (const actor of pending) {
      signal.throwIfAborted();
      await this.#wakeIfPending(actor);
    }
  }

  async #append(to: QualifiedId, message: Message, options: AppendOptions): Promise<Receipt> {
    this.#assertRunning(to);
    const actor = this.#actor(to);
    this.#sends++;
    try {
      const seq = await actor.send(message, options);
      return { id: message.id, seq };
    } finally {
      this.#sends--;
      if (actor.state.kind !== 'active') await this.#leave(actor);
      if (this.#sends === 0) this.#sent?.resolve();
    }
  }

  async #untilSent(): Promise<void> {
    assert(this.#state === 'stopped', 'no send can begin');
    if (this.#sends === 0) return;
    this.#sent = createDeferred();
    await this.#sent.promise;
    assert(this.#sends === 0, 'no send is under way');
  }

  /** An actor without work becomes dormant; one that only queues closes its mailbox if many are open. */
  async #leave(actor: Actor): Promise<void> {
    assert(this.#state !== 'new', 'a supervisor is started before it is used');
    if (actor.isDormant || this.#areManyOpen) await actor.closeUnused();
    this.#forget(actor.id);
  }

  get #areManyOpen(): boolean {
    let open = 0;
    for (const { hasOpenMailbox } of this.#actors.values()) {
      if (hasOpenMailbox) open++;
      if (open > openMailboxesMax) return true;
    }
    return false;
  }

  #assertRunning(actor: QualifiedId): void {
    assert(this.#state !== 'new', 'a supervisor is started before it is used');
    if (this.#state === 'stopped') throw stopping(actor);
    if (this.#moving.has(actor)) throw failure('actor/busy', actor, `${actor} is being moved.`);
  }

  #actor(id: QualifiedId): Actor {
    const known = this.#actors.get(id);
    if (known !== undefined) return known;
    const context: ActorContext = {
      ...this.#options,
      slots: this.#slots,
      writeDeadLetter: (letter) => this.#letters.add(letter),
      onRest: (actor) => this.#forget(actor),
    };
    const actor = new Actor(id, context);
    assert(actor.isDormant, 'a new actor has done nothing');
    assert(this.#state === 'running', 'no actor is woken after the end');
    this.#actors.set(id, actor);
    return actor;
  }

  async #wakeIfPending(actor: QualifiedId): Promise<void> {
    const woken = this.#actor(actor);
    await woken.peek();
    await this.#leave(woken);
  }

  /** A dormant actor costs no object. */
  #forget(actor: QualifiedId): void {
    if (this.#actors.get(actor)?.isDormant !== true) return;
    this.#actors.delete(actor);
  }

  /** An actor queues: the one that has been idle for longest makes room. */
  #restIdlest(): void {
    let idlest: Actor | undefined;
    for (const id of this.#slots.holders) {
      const actor = this.#actors.get(id);
      if (actor?.idleSinceMs === undefined) continue;
      if (idlest?.idleSinceMs === undefined || actor.idleSinceMs < idlest.idleSinceMs) idlest = actor;
    }
    assert(this.#slots.queued > 0, 'a request queues');
    assert(idlest === undefined || idlest.idleSinceMs !== undefined, 'only an idle actor becomes dormant');
    void idlest?.makeDormant();
  }

  /** Runs `work` while none of these actors does anything, or is sent anything. Throws `actor/busy`. */
  async #atRest(named: readonly QualifiedId[], work: () => Promise<void>): Promise<void> {
    assert(named.length > 0, 'at least one actor is named');
    const actors = named.filter((actor) => !this.#held.has(actor));
    for (const actor of actors) this.#assertNotMoving(actor);
    for (const actor of actors) this.#moving.add(actor);
    try {
      for (const actor of actors) await this.#makeDormant(actor);
      await work();
      // What is there now is counted again.
      await this.#letters.count();
    } finally {
      for (const actor of actors) this.#moving.delete(actor);
    }
    assert(
      actors.every((actor) => !this.#moving.has(actor)),
      'the move is over',
    );
  }

  #assertNotMoving(actor: QualifiedId): void {
    if (this.#moving.has(actor)) throw failure('actor/busy', actor, `${actor} is being moved.`);
  }

  /** Lets an actor end the message in hand; what it has on disk is all that is left of it. */
  async #pause(id: QualifiedId): Promise<void> {
    const actor = this.#actors.get(id);
    if (actor === undefined) return;
    if (actor.isEngaged) throw failure('actor/busy', id, `${id} has something to do; it is ${actor.state.kind}.`);
    await actor.stop();
    assert(!actor.hasOpenMailbox, 'its mailbox is closed');
    this.#actors.delete(id);
    this.#options.events.changed(id, { kind: 'dormant' });
  }

  /** Only mailboxes that are there: to open one makes it. */
  async #wakePending(actors: readonly QualifiedId[]): Promise<void> {
    const { disk, mailboxes } = this.#options;
    for (const actor of actors) {
      if (await exists(disk, mailboxPaths(mailboxes, actor).mailbox)) await this.#wakeIfPending(actor);
    }
    assert(this.#state !== 'new', 'only a supervisor that runs wakes an actor');
  }

  async #makeDormant(id: QualifiedId): Promise<void> {
    const actor = this.#actors.get(id);
    if (actor === undefined) return;
    await actor.makeDormant();
    if (actor.state.kind === 'faulted') {
      await actor.closeUnused();
      this.#actors.delete(id);
      return;
    }
    this.#forget(id);
    if (this.#actors.has(id)) throw failure('actor/busy', id, `${id} has something to do; it is ${actor.state.kind}.`);
  }
}

function stopping(subject: string): RavelError {
  return failure('actor/stopping', subject, `${subject} takes nothing more: the owner of the vault is being stopped.`);
}
