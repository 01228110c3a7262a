import { raceAbort } from '../base/abort.ts';
import { assert } from '../base/assert.ts';
import { createDeferred, type Deferred } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { type Diagnostic, isRavelError, messageOf, type RavelError } from '../base/errors.ts';
import { diagnostic, failure } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Message } from '../model/message.ts';
import { ActorBackoff } from './actorBackoff.ts';
import type { ActorSlots } from './actorSlots.ts';
import { type ActorState, advance } from './actorState.ts';
import type { Behaviour, SpawnActor } from './behaviour.ts';
import { CrashRecord } from './crashRecord.ts';
import type { DeadLetter } from './deadLetters.ts';
import { LazyMailbox } from './lazyMailbox.ts';
import type { AppendOptions, Mailbox } from './mailbox.ts';
import { MessageHandler } from './messageHandler.ts';
import { passingRefusal, refusalReason } from './refusal.ts';
import { settle } from './settle.ts';
import type { CrashTimes, SupervisorEvents, SupervisorLimits } from './supervision.ts';

/** What all actors of a supervisor share. */
export interface ActorContext {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly mailboxes: string;
  readonly limits: SupervisorLimits;
  readonly crashTimes: CrashTimes;
  readonly spawn: SpawnActor;
  readonly events: SupervisorEvents;
  readonly slots: ActorSlots;
  /** Writes the letter down. */
  writeDeadLetter(letter: DeadLetter): Promise<void>;
  /** Nothing is under way any more. */
  onRest(actor: QualifiedId): void;
}

/** What a run of an actor is at. Until it serves it queues for a slot; retiring, it has given the slot back. */
type Stage =
  | { readonly kind: 'none' | 'queueing' | 'retiring' }
  /** `isResumeAsked`: whether `resume` was called since the message in front was taken. */
  | { readonly kind: 'serving'; readonly isResumeAsked: boolean }
  /** Waits for a message; `over` resolves to true with one, to false if the actor becomes dormant. */
  | { readonly kind: 'idle'; readonly over: Deferred<boolean>; readonly sinceMs: number };

/** How serving a behaviour ended; errors of the mailbox and the disk are thrown. */
type Served = { readonly kind: 'idle' | 'stopping' } | { readonly kind: 'crashed'; readonly error: unknown };

/**
 * An actor that is not dormant: it has something to do, did not long ago, or is faulted. Hands its messages to its
 * behaviour one at a time, and decides what becomes of both when that throws.
 */
export class Actor {
  readonly id: QualifiedId;
  readonly #context: ActorContext;
  readonly #crashes: CrashRecord;
  readonly #handler: MessageHandler;
  readonly #mailbox: LazyMailbox;
  readonly #stopping = new AbortController();
  /** Aborts when the handler has had its time to end; `#stopping` aborts first, and asks it to end. */
  readonly #dropping = new AbortController();
  /** Aborts with the damage that a sender met in the mailbox; another one once a person has revived the actor. */
  #damaged = new AbortController();
  #state: ActorState = { kind: 'dormant' };
  /** Sends that are at the mailbox. */
  #sends = 0;
  #waiting = 0;
  /** Calls of `runActive` under way; they keep it active without a message. */
  #activeWork = 0;
  #run: Promise<void> | undefined;
  #stage: Stage = { kind: 'none' };
  #mustBeDormant = false;
  readonly #backoff: ActorBackoff;
  #drained: Deferred<void> | undefined;

  constructor(id: QualifiedId, context: ActorContext) {
    assert(context.limits.activeMax > 0, 'at least one actor can be active');
    this.id = id;
    this.#context = context;
    this.#crashes = new CrashRecord(id, context);
    const { crashes, crashWindowMs } = context.limits;
    // Short enough for the crashes of one that goes on crashing to fall within the window.
    this.#backoff = new ActorBackoff(context.clock, Math.max(1, crashWindowMs / (2 * crashes)), () => this.wake());
    this.#mailbox = new LazyMailbox({ ...context, actor: id, onOpened: (mailbox) => this.#countWaiting(mailbox) });
    this.#handler = new MessageHandler(id, {
      ...context,
      signal: this.#dropping.signal,
      onPassed: (mailbox) => this.#countWaiting(mailbox),
      stopBehaviour: (behaviour) => this.#stopBehaviour(behaviour),
    });
  }

  get state(): ActorState {
    return this.#state;
  }

  /** Messages that are not done with, the one in hand included. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Why what waits is not handled for now, though nothing is wrong with the actor; also while it is kept active. */
  get waitsBecause(): string | undefined {
    return this.#backoff.reason ?? (this.#state.kind === 'queued' ? this.#state.reason : undefined);
  }

  /** Whether nothing would be lost if this object went. */
  get isDormant(): boolean {
    return this.#state.kind === 'dormant' && this.#run === undefined && this.#sends === 0 && this.#activeWork === 0;
  }

  /** Whether it does what cannot be left and taken up again. */
  get isEngaged(): boolean {
    return this.#sends > 0 || this.#activeWork > 0;
  }

  get hasOpenMailbox(): boolean {
    return this.#mailbox.isOpen;
  }

  /** Since when it has held a slot that it does not need; undefined while it needs it, or has none. */
  get idleSinceMs(): number | undefined {
    return this.#stage.kind === 'idle' && this.#activeWork === 0 ? this.#stage.sinceMs : undefined;
  }

  /** Appends a message and wakes the actor; resolves with the message's `seq` once it is on the medium. */
  async send(message: Message, options: AppendOptions): Promise<number> {
    assert(message.to === this.id || options.redelivery !== undefined, 'a message goes to whom it names');
    if (this.#state.kind === 'faulted' && this.#state.fault.code === 'mailbox/corrupt') {
      throw failure('mailbox/corrupt', this.id, this.#state.fault.message, this.#state.fault);
    }
    this.#sends++;
    try {
      const mailbox = await this.#mailbox.open();
      const seq = await mailbox.append(message, options);
      this.#countWaiting(mailbox);
      this.wake();
      return seq;
    } catch (error) {
      if (isRavelError(error, 'mailbox/corrupt')) this.#parkOnDamage(error);
      throw error;
    } finally {
      this.#sends--;
    }
  }

  /** Starts what there is to do, unless it is under way or a person must act first. */
  wake(): void {
    if (this.#state.kind === 'faulted' || this.#stopping.signal.aborted) return;
    if (this.#backoff.kind === 'postponed' || this.#backoff.kind === 'crashed') return;
    this.#backoff.end();
    this.#endIdle(true);
    if (this.#run !== undefined) return;
    this.#run = this.#runToRest().finally(() => {
      this.#run = undefined;
      this.#stage = { kind: 'none' };
      if (this.#damaged.signal.aborted) this.#fault(this.#damaged.signal.reason);
      // A message that came at the last moment found this run still active, so it started none of its own.
      if (this.#hasWork) this.wake();
      else this.#context.onRest(this.id);
    });
  }

  /** What a postponed message waits for may have happened: it is tried again. Nothing if none is postponed. */
  resume(): void {
    if (this.#stage.kind === 'serving') this.#stage = { kind: 'serving', isResumeAsked: true };
    if (this.#backoff.kind !== 'postponed') return;
    this.#backoff.end();
    this.wake();
  }

  /** Makes an actor without a message dormant, now and not when its time is over. */
  async makeDormant(): Promise<void> {
    if (this.#activeWork > 0 || this.#waiting > 0 || this.#run === undefined) return;
    this.#mustBeDormant = true;
    this.#endIdle(false);
    await this.#run;
    assert(!this.#isIdle, 'no one waits for messages');
  }

  /** Resolves once no message waits, also while `runActive` is at work; rejects if the actor is faulted. */
  async whenIdle(): Promise<void> {
    if (this.#state.kind === 'faulted') throw faulted(this.id, this.#state.fault);
    if (this.#waiting === 0) return;
    this.#drained ??= createDeferred();
    await this.#drained.promise;
  }

  /** Counts as active while `work` runs; queues first if the limit of active actors is reached. */
  async runActive<T>(signal: AbortSignal, work: () => Promise<T>, onQueued: (reason: string) => void): Promise<T> {
    this.#activeWork++;
    try {
      const given = AbortSignal.any([signal, this.#stopping.signal]);
      const slot = await this.#context.slots.acquire(this.id, given, (reason) => {
        onQueued(reason);
        if (this.#run === undefined) this.#set({ kind: 'queued', reason }, reason);
      });
      try {
        if (this.#run === undefined) this.#set({ kind: 'active' });
        return await work();
      } finally {
        slot.dispose();
      }
    } finally {
      this.#activeWork--;
      if (this.#activeWork === 0 && this.#run === undefined && this.#state.kind !== 'faulted') this.#setAtRest();
      this.#context.onRest(this.id);
    }
  }

  /** A person forgives what was: whatever crashed may try again. */
  async revive(): Promise<void> {
    await this.#crashes.clear();
    if (this.#state.kind !== 'faulted') return;
    assert(this.#run === undefined, 'a faulted actor does nothing');
    await this.#mailbox.close();
    this.#damaged = new AbortController();
    this.#set({ kind: 'dormant' });
    await this.peek();
  }

  /** Opens the mailbox to see whether something waits, and goes on if so. */
  async peek(): Promise<void> {
    this.#backoff.end();
    try {
      this.#countWaiting(await this.#mailbox.open());
    } catch (error) {
      this.#endWith(error);
      return;
    }
    if (this.#waiting > 0) this.wake();
    else await this.closeUnused();
  }

  /** Begins nothing more. */
  announceStop(): void {
    if (this.#stopping.signal.aborted) return;
    this.#stopping.abort(stopping(this.id));
    this.#backoff.end();
    this.#endIdle(false);
    if (this.#state.kind !== 'faulted') this.#set({ kind: 'shuttingDown' });
  }

  /** The time to end in order is over. */
  abort(): void {
    assert(this.#stopping.signal.aborted, 'a dropped actor was told to stop');
    this.#dropping.abort(stopping(this.id));
  }

  /** Waits for the message in hand, then releases everything. */
  async stop(): Promise<void> {
    this.announceStop();
    await this.#run;
    await this.#mailbox.close();
    this.#drained?.reject(stopping(this.id));
    this.#drained = undefined;
    assert(!this.#mailbox.isOpen, 'the mailbox is closed');
    assert(!this.#isIdle, 'no one waits for messages');
  }

  /** Closes the mailbox of an actor that does nothing for now; one that queues opens it when its turn comes. */
  async closeUnused(): Promise<void> {
    if (this.#sends === 0 && !this.#hasSlot && !this.#handler.hasAnswer) await this.#mailbox.close();
  }

  /** A sender met damage, which may lie far before what waits: a person must act, once the work in progress has ended. */
  #parkOnDamage(error: RavelError): void {
    this.#damaged.abort(error);
    this.#endIdle(false);
    if (this.#run === undefined) this.#fault(error);
  }

  get #isResumeAsked(): boolean {
    return this.#stage.kind === 'serving' && this.#stage.isResumeAsked;
  }

  /** Whether its run may use the mailbox. */
  get #hasSlot(): boolean {
    return this.#stage.kind === 'serving' || this.#stage.kind === 'idle';
  }

  get #isIdle(): boolean {
    return this.#stage.kind === 'idle';
  }

  #endIdle(hasMessage: boolean): void {
    if (this.#stage.kind === 'idle') this.#stage.over.resolve(hasMessage);
  }

  /** Whether one thing may follow the other. */
  get #isRunning(): boolean {
    return !this.#stopping.signal.aborted && !this.#damaged.signal.aborted;
  }

  /** Never rejects: whatever ends it becomes the actor's state. */
  async #runToRest(): Promise<void> {
    this.#stage = { kind: 'queueing' };
    try {
      const ended = AbortSignal.any([this.#stopping.signal, this.#damaged.signal]);
      const slot = await this.#context.slots.acquire(this.id, ended, (reason) =>
        this.#set({ kind: 'queued', reason }, reason),
      );
      this.#stage = { kind: 'serving', isResumeAsked: false };
      try {
        await this.#live();
      } finally {
        this.#stage = { kind: 'retiring' };
        slot.dispose();
      }
      await this.#retire();
    } catch (error) {
      this.#endWith(error);
    }
    assert(!this.#isIdle, 'no one waits for messages');
  }

  /** Spawns and serves. Returns when there is nothing to do, or nothing for now. */
  async #live(): Promise<void> {
    await this.#crashes.load();
    if (!this.#isRunning) return;
    const mailbox = await this.#mailbox.open();
    this.#set({ kind: 'spawning' });
    const served = await this.#spawnAndServe(mailbox);
    if (served.kind !== 'crashed') return;
    await this.#crashes.count(served.error);
    if (this.#isRunning) this.#backoff.begin('crashed', `it crashed and is started again: ${messageOf(served.error)}`);
  }

  async #spawnAndServe(mailbox: Mailbox): Promise<Served> {
    const spawning = settle(() => this.#context.spawn(this.id));
    const spawned = await raceAbort(spawning, this.#dropping.signal);
    if (spawned.kind === 'threw') {
      if (passingRefusal(spawned.error, this.id) !== undefined) throw spawned.error;
      return { kind: 'crashed', error: spawned.error };
    }
    if (spawned.kind === 'aborted') {
      void spawning.then((late) => (late.kind === 'did' ? this.#stopBehaviour(late.value) : undefined));
      return { kind: 'stopping' };
    }
    if (!this.#stopping.signal.aborted) this.#set({ kind: 'active' });
    try {
      return await this.#serve(mailbox, spawned.value);
    } finally {
      // A handler that had to be dropped may still be at work; its behaviour is stopped when that ends.
      if (!this.#handler.isDropped) await raceAbort(this.#stopBehaviour(spawned.value), this.#dropping.signal);
    }
  }

  async #stopBehaviour(behaviour: Behaviour): Promise<void> {
    const stopped = await settle(() => behaviour.stop());
    if (stopped.kind !== 'threw') return;
    const message = `${this.id} did not stop in order: ${messageOf(stopped.error)}`;
    this.#context.events.diagnostic(diagnostic('message/crashed', this.id, message, { severity: 'warning' }));
  }

  async #serve(mailbox: Mailbox, behaviour: Behaviour): Promise<Served> {
    await this.#handler.finish(mailbox);
    while (this.#isRunning) {
      // Before it is decided whether the message can be handled: what is told from here on may not be seen by that.
      this.#stage = { kind: 'serving', isResumeAsked: false };
      const inFlight = await mailbox.next();
      if (inFlight === undefined) {
        assert(!this.#handler.hasAnswer, 'all that was handled is noted');
        if (!(await this.#waitForMessage(mailbox))) return { kind: 'idle' };
        continue;
      }
      assert(inFlight.started > inFlight.threw, 'an attempt is under way');
      const blocked = await this.#handler.handle(mailbox, behaviour, inFlight);
      if (blocked?.kind === 'threw') return { kind: 'crashed', error: blocked.error };
      if (blocked === undefined || this.#isResumeAsked || this.#stopping.signal.aborted) continue;
      this.#countWaiting(mailbox);
      this.#backoff.begin('postponed', blocked.reason);
      return { kind: 'idle' };
    }
    return { kind: 'stopping' };
  }

  /** True if a message came; false if the actor becomes dormant. */
  async #waitForMessage(mailbox: Mailbox): Promise<boolean> {
    this.#countWaiting(mailbox);
    this.#backoff.forget();
    if (!this.#isRunning) return false;
    assert(this.#stage.kind === 'serving', 'an actor has one behaviour');
    const { clock, limits, slots } = this.#context;
    const over = createDeferred<boolean>();
    this.#stage = { kind: 'idle', over, sinceMs: clock.monotonicMs() };
    const timer = clock.schedule(limits.idleMs, () => over.resolve(false));
    if (this.#mustBeDormant || (slots.queued > 0 && this.#activeWork === 0)) over.resolve(false);
    this.#mustBeDormant = false;
    const isWoken = await over.promise;
    timer.dispose();
    this.#stage = { kind: 'serving', isResumeAsked: false };
    return isWoken || mailbox.waiting > 0;
  }

  /** Nothing to do for now: the mailbox is closed, and the actor costs nothing any more. */
  async #retire(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    assert(!this.#isIdle, 'no one waits for messages');
    if (this.#sends === 0) await this.#mailbox.close();
    if (!this.#stopping.signal.aborted && this.#activeWork === 0) this.#setAtRest();
  }

  /** Nothing is under way: dormant, or queued if something keeps it from what waits. */
  #setAtRest(): void {
    const { reason } = this.#backoff;
    assert(this.#activeWork === 0, 'an actor with active work does not become dormant');
    if (reason === undefined) this.#set({ kind: 'dormant' });
    else this.#set({ kind: 'queued', reason }, reason);
  }

  /** Whether something waits that nothing keeps it from. */
  get #hasWork(): boolean {
    if (this.#state.kind === 'faulted' || this.#stopping.signal.aborted) return false;
    return this.#waiting > 0 && this.#backoff.kind === undefined;
  }

  /** What a run that failed leaves behind. */
  #endWith(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const refusal = passingRefusal(error, this.id);
    if (refusal !== undefined) {
      const reason = refusalReason(refusal);
      this.#context.events.diagnostic({ ...refusal.diagnostic, severity: 'warning' });
      this.#backoff.begin('refused', reason);
      this.#set({ kind: 'queued', reason }, reason);
      return;
    }
    this.#fault(error);
  }

  #fault(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#backoff.end();
    const fault = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', this.id, messageOf(error));
    this.#set({ kind: 'faulted', fault }, fault.message);
    this.#drained?.reject(faulted(this.id, fault));
    this.#drained = undefined;
    assert(this.#state.kind === 'faulted', 'a person must act');
  }

  #countWaiting(mailbox: Mailbox): void {
    this.#waiting = mailbox.waiting;
    if (this.#waiting > 0 || this.#drained === undefined) return;
    this.#drained.resolve();
    this.#drained = undefined;
  }

  #set(state: ActorState, reason?: string): void {
    if (this.#state.kind === 'faulted' && state.kind !== 'dormant') return;
    if (this.#state.kind === state.kind && state.kind !== 'queued') return;
    this.#state = advance(this.#state, state);
    this.#context.events.changed(this.id, state, reason);
  }
}

function faulted(actor: QualifiedId, fault: Diagnostic): RavelError {
  return failure('actor/faulted', actor, `${actor} is faulted: ${fault.message}`);
}

function stopping(actor: QualifiedId): RavelError {
  return failure('actor/stopping', actor, `${actor} is being stopped.`);
}
