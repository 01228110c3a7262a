import type { Diagnostic } from '../base/errors.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Message, MessageOutcome } from '../model/message.ts';
import type { ActorState } from './actorState.ts';
import type { DeadLetter } from './deadLetters.ts';

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
  /** A torn tail that was cut, a cursor that was found again, a crash, a disk that refuses. */
  diagnostic(diagnostic: Diagnostic): void;
}
