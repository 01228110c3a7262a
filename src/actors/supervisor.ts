import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { Message, MessageOutcome } from '../model/message.ts';
import type { ActorState } from './actorState.ts';
import type { SpawnActor } from './behaviour.ts';
import type { DeadLetter } from './deadLetters.ts';
import type { Cause, NewMessage } from './envelope.ts';

/** Where an actor's crash times are kept over a restart: wall time in milliseconds, oldest first. */
export interface CrashTimes {
  load(actor: QualifiedId): Promise<readonly number[]>;
  save(actor: QualifiedId, wallMs: readonly number[]): Promise<void>;
}

export interface SupervisorLimits {
  /** Actors that may be active at a time; the others queue. */
  readonly activeMax: number;
  readonly idleMs: number;
  /** So many crashes within the window stop an actor. */
  readonly crashes: number;
  readonly crashWindowMs: number;
}

/** What a supervisor tells, each once it is on disk. A listener must not throw. */
export interface SupervisorEvents {
  /** `reason` says why it waits, or what crashed. */
  changed(actor: QualifiedId, state: ActorState, reason?: string): void;
  handled(message: Message, outcome: MessageOutcome): void;
  dead(letter: DeadLetter): void;
  /** A torn tail that was cut, a cursor that was found again, a disk that refuses. */
  diagnostic(diagnostic: Diagnostic): void;
}

export interface SupervisorOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  /** Folder of the mailboxes and their cursors. */
  readonly mailboxes: string;
  readonly deadLetters: string;
  readonly limits: SupervisorLimits;
  readonly crashTimes: CrashTimes;
  readonly spawn: SpawnActor;
  readonly events: SupervisorEvents;
}

export interface SendOptions {
  /** The sender does not know whether it sent this before: where the mailbox has the id, nothing is appended. */
  readonly isRepeat?: boolean;
  /** The message whose handling sends this one. */
  readonly cause?: Cause;
}

export interface Receipt {
  readonly id: Ulid;
  readonly seq: number;
}

export interface ActorStatus {
  readonly actor: QualifiedId;
  readonly state: ActorState;
  /** Messages that wait, the one in hand included. */
  readonly waiting: number;
  readonly deadLetters: number;
}

/**
 * Gives actors their messages, one at a time, and decides what becomes of those that crash. It knows behaviours and
 * mailboxes, and neither plans nor experts.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;

  constructor(options: SupervisorOptions) {
    assert(options.limits.activeMax > 0, 'somebody may be active');
    this.#options = options;
  }

  /** Finds the mailboxes with something pending and wakes their actors. Opens no other. */
  async start(): Promise<void> {
    throw new Error(`${this.#options.mailboxes}: under construction`);
  }

  /** Takes nothing more, gives handlers a second to end, then drops them. What is left is on disk. */
  async stop(): Promise<void> {
    throw new Error('under construction');
  }

  /** Resolves once the message is on the medium. Throws what the mailbox refuses, and `actor/stopping`. */
  async send(_message: NewMessage, _options: SendOptions = {}): Promise<Receipt> {
    throw new Error('under construction');
  }

  /** Where one actor stands; one that nothing is known of is dormant. */
  status(_actor: QualifiedId): ActorStatus {
    throw new Error('under construction');
  }

  /** Every actor that is not dormant, or has dead letters. */
  statuses(): ActorStatus[] {
    throw new Error('under construction');
  }

  /** A person forgives: crash times are cleared, the mailbox is opened anew, and the actor goes on. */
  async revive(_actor: QualifiedId): Promise<void> {
    throw new Error('under construction');
  }

  /**
   * Does a long piece of work that counts as the actor being active, such as a phase. Messages are handled meanwhile.
   * Where as many actors as may be are active it queues first, and `onQueued` is told why.
   */
  async keepActive<T>(
    _actor: QualifiedId,
    _signal: AbortSignal,
    _work: () => Promise<T>,
    _onQueued?: (reason: string) => void,
  ): Promise<T> {
    throw new Error('under construction');
  }

  /** Mailbox, cursor and dead letters get another actor's name; doing it again after a crash finishes it. */
  async rename(_from: QualifiedId, _to: QualifiedId): Promise<void> {
    throw new Error('under construction');
  }

  /** Moves mailbox, cursor and dead letters into a folder; doing it again after a crash finishes it. */
  async archive(_actor: QualifiedId, _directory: string): Promise<void> {
    throw new Error('under construction');
  }

  /** Resolves once the actor's mailbox is empty; rejects where the actor is faulted. */
  async quiet(_actor: QualifiedId): Promise<void> {
    throw new Error('under construction');
  }

  async deadLetters(_actor?: QualifiedId): Promise<DeadLetter[]> {
    throw new Error('under construction');
  }

  /** Appends the message again, with a fresh count of attempts and the effects that it had already. */
  async redeliver(_letter: Ulid): Promise<Receipt> {
    throw new Error('under construction');
  }

  async discard(_letter: Ulid): Promise<DeadLetter> {
    throw new Error('under construction');
  }
}
