import type { Confinement } from '../../model/confinement.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { PlanServices } from '../services.ts';
import type { StagingPaths, Transaction } from '../transaction.ts';
import type { AskQuestion, GiveReply } from './askedQuestion.ts';
import type { GatherFacts } from './finishing.ts';
import type { SessionKnowledge } from './sessionKnowledge.ts';

/** What a session asks others for; without one of these it cannot. */
export interface AskingPorts {
  /** Without it a question is left for after the phase. */
  readonly ask?: AskQuestion;
  readonly reply?: GiveReply;
  readonly knowledge?: () => Promise<SessionKnowledge>;
}

export interface ActiveSessionParts extends AskingPorts {
  readonly services: PlanServices;
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly location: PlanLocation;
  /** Whether its programs run in a sandbox; absent if they do not. */
  readonly confinement?: Confinement['state'];
  /** Facts about the source, gathered when they are needed. */
  readonly facts: GatherFacts;
}
