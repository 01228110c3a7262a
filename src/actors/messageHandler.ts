import { type Aborted, raceAbort } from '../base/abort.ts';
import { assert } from '../base/assert.ts';
import { type Clock, formatTimestamp } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Message, MessageOutcome } from '../model/message.ts';
import type { Behaviour, Delivery, Postponed } from './behaviour.ts';
import type { DeadLetter } from './deadLetters.ts';
import type { InFlightMessage } from './inFlightMessage.ts';
import type { Mailbox } from './mailbox.ts';
import { passingRefusal } from './refusal.ts';
import { type Settled, settle } from './settle.ts';
import type { SupervisorEvents } from './supervision.ts';

export interface MessageHandlerParts {
  readonly clock: Clock;
  readonly events: SupervisorEvents;
  /** Aborts when the handler has had its time to end. */
  readonly signal: AbortSignal;
  /** Writes the letter down. */
  writeDeadLetter(letter: DeadLetter): Promise<void>;
  /** The cursor has passed a message. */
  onPassed(mailbox: Mailbox): void;
  stopBehaviour(behaviour: Behaviour): Promise<void>;
}

/** A message whose handler threw this many times is given up. */
const throwsMax = 2;
/** So is one during which the process died this many times. */
const deathsMax = 5;
type Delivered = Settled<MessageOutcome | Postponed> | Aborted;

/** What keeps an actor from the next message. */
type Blocked = { readonly kind: 'threw'; readonly error: unknown } | Postponed;

/** Hands one message at a time to a behaviour, and sees to what becomes of the message. */
export class MessageHandler {
  readonly #actor: QualifiedId;
  readonly #parts: MessageHandlerParts;
  /** A message that was handled, but not yet noted: the disk refused. */
  #answered: { readonly message: Message; readonly outcome: MessageOutcome } | undefined;
  /** What the message in hand made its handler throw last; for its letter. */
  #thrown = '';
  #isDropped = false;

  constructor(actor: QualifiedId, parts: MessageHandlerParts) {
    assert(!parts.signal.aborted, 'no actor is woken after the end');
    this.#actor = actor;
    this.#parts = parts;
  }

  /** Whether a message was handled that the cursor has not passed. */
  get hasAnswer(): boolean {
    return this.#answered !== undefined;
  }

  /** Whether a handler can still be running although its result is no longer awaited. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  /** Notes what was handled before the disk refused. If the mailbox was opened again meanwhile, nothing is in hand. */
  async finish(mailbox: Mailbox): Promise<void> {
    if (this.#answered === undefined) return;
    const content = (await mailbox.next())?.content;
    if (content?.kind === 'message' && content.message.id === this.#answered.message.id) await this.#complete(mailbox);
    // Given up by hand: there is nothing that it would be noted of.
    else this.#answered = undefined;
    assert(this.#answered === undefined, 'all that was handled is noted');
  }

  /** Undefined if the message is done with, or left for later because the actor is stopped. */
  async handle(mailbox: Mailbox, behaviour: Behaviour, inFlight: InFlightMessage): Promise<Blocked | undefined> {
    assert(this.#answered === undefined, 'all that was handled is noted');
    const hopeless = hopelessReason(inFlight, this.#thrown);
    if (inFlight.content.kind !== 'message' || hopeless !== undefined) {
      const letter = hopeless === undefined ? undefined : await this.#bury(mailbox, inFlight, hopeless);
      await mailbox.complete();
      this.#parts.onPassed(mailbox);
      if (letter !== undefined) this.#parts.events.dead(letter);
      return undefined;
    }
    const { message } = inFlight.content;
    const delivered = await this.#deliver(mailbox, behaviour, inFlight, message);
    if (delivered.kind === 'aborted') {
      await mailbox.giveBack();
      return undefined;
    }
    if (delivered.kind === 'threw') return this.#failed(mailbox, inFlight, delivered.error);
    const { value } = delivered;
    if (value.kind === 'postponed') {
      await mailbox.giveBack();
      return value;
    }
    this.#answered = { message, outcome: value };
    await this.#complete(mailbox);
    return undefined;
  }

  async #deliver(
    mailbox: Mailbox,
    behaviour: Behaviour,
    inFlight: InFlightMessage,
    message: Message,
  ): Promise<Delivered> {
    const { signal } = this.#parts;
    assert(mailbox.waiting > 0, 'the message in hand is counted');
    const delivery: Delivery = {
      signal,
      attempt: inFlight.started,
      done: (effectIndex) => mailbox.effects[String(effectIndex)],
      record: (effectIndex, outcome) => mailbox.record(inFlight, effectIndex, outcome),
    };
    if (signal.aborted) return { kind: 'aborted' };
    const handled = settle(() => behaviour.handle(message, delivery));
    const delivered = await raceAbort(handled, signal);
    if (delivered.kind !== 'aborted') return delivered;
    this.#isDropped = true;
    void handled.then(() => this.#parts.stopBehaviour(behaviour));
    return delivered;
  }

  /** The message is done with on disk, then it is told. */
  async #complete(mailbox: Mailbox): Promise<void> {
    assert(this.#answered !== undefined, 'something was handled');
    await mailbox.complete();
    const { message, outcome } = this.#answered;
    this.#answered = undefined;
    this.#parts.onPassed(mailbox);
    this.#parts.events.handled(message, outcome);
    await mailbox.compactIfDue();
  }

  /** A temporary refusal by the system is rethrown and tried again; any other error counts against the message. */
  async #failed(mailbox: Mailbox, inFlight: InFlightMessage, error: unknown): Promise<Blocked> {
    assert(inFlight.threw < throwsMax, 'a message without hope is not delivered');
    if (passingRefusal(error, this.#actor) !== undefined) {
      await mailbox.giveBack();
      throw error;
    }
    await mailbox.fail();
    this.#thrown = messageOf(error);
    assert(mailbox.waiting > 0, 'what failed waits still');
    return { kind: 'threw', error };
  }

  /** On disk before the cursor passes the message. */
  async #bury(mailbox: Mailbox, inFlight: InFlightMessage, reason: DeadLetter['reason']): Promise<DeadLetter> {
    assert(inFlight.content.kind !== 'lost', 'a message that was given up by hand needs no dead letter');
    const message = inFlight.content.kind === 'message' ? inFlight.content.message : inFlight.content.fields;
    const { started, redelivered } = inFlight;
    assert(typeof message['id'] === 'string', 'a record has the id of its message');
    const letter: DeadLetter = {
      id: message['id'] as DeadLetter['id'],
      actor: this.#actor,
      message,
      reason,
      at: formatTimestamp(this.#parts.clock.wallMs()),
      attempts: started - 1,
      redelivered,
      effects: mailbox.effects,
    };
    await this.#parts.writeDeadLetter(letter);
    return letter;
  }
}

/** Why a message is not delivered (again); undefined if it is. */
function hopelessReason(
  { content, started, threw }: InFlightMessage,
  thrown: string,
): DeadLetter['reason'] | undefined {
  assert(started > threw, 'an attempt is under way');
  if (content.kind === 'lost') return undefined;
  if (content.kind === 'unreadable') {
    return { code: 'message/unreadable', message: `Its form is unknown: ${content.reason}.` };
  }
  if (threw >= throwsMax) {
    const tried = threw === 2 ? 'twice' : plural(threw, 'time');
    return { code: 'message/crashed', message: `It was tried ${tried}: ${thrown}` };
  }
  const died = started - 1 - threw;
  if (died < deathsMax) return undefined;
  return { code: 'message/crashed', message: `The process died ${plural(died, 'time')} while it was handled.` };
}
