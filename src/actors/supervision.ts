import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { Cause, Message, MessageOutcome } from '../model/message.ts';
import type { ActorState } from './actorState.ts';
import type { SpawnActor } from './behaviour.ts';
import type { DeadLetter } from './deadLetters.ts';

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
  /** The sender does not know whether it sent this before: if the mailbox has the id, nothing is appended. */
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
  /** Why what waits is not handled for now, though nothing is wrong with the actor; it may be active meanwhile. */
  readonly waitsBecause?: string;
}

/** Where an actor's crash times are kept over a restart: wall time in milliseconds, oldest first. */
export interface CrashTimes {
  load(actor: QualifiedId): Promise<readonly number[]>;
  save(actor: QualifiedId, wallMs: readonly number[]): Promise<void>;
}

export interface SupervisorLimits {
  /** Actors that may be active at a time; the others queue. */
  readonly activeMax: number;
  readonly idleMs: number;
  /** The number of crashes within the window that stops an actor. */
  readonly crashes: number;
  readonly crashWindowMs: number;
}

/** What a supervisor tells, each once it is on disk. A listener must not throw. */
export interface SupervisorEvents {
  /** `reason` says why it waits, or what crashed. */
  changed(actor: QualifiedId, state: ActorState, reason?: string): void;
  handled(message: Message, outcome: MessageOutcome): void;
  dead(letter: DeadLetter): void;
  /** A torn tail that was cut, a cursor that was found again, a crash, a disk that refuses. */
  diagnostic(diagnostic: Diagnostic): void;
}
