import type * as z from 'zod';
import type { EventActor, SessionEnd } from '../model/event.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { CallResult } from '../model/requests/sessions.ts';
import type { ConsultationPurpose } from '../model/sessionPurpose.ts';
import type { Usage } from '../model/usage.ts';
import type { PromptValues } from './promptTemplate.ts';

/**
 * A fresh session that is asked one thing. It can use the tools that it gets here and read what its profile allows; the
 * caller learns the answer from the tools that it called.
 */
export interface ConsultationRequest {
  /** Chosen by the caller, which writes it down first: so a session that outlives its owner can be found and ended. */
  readonly session: Ulid;
  readonly purpose: ConsultationPurpose;
  /** Whom its events are about. */
  readonly actor: EventActor;
  /** Whose budget it is paid from; the vault's alone if there is none. */
  readonly plan?: QualifiedId;
  /** Names of files below `prompts/` and the values of their tokens. */
  readonly system: ConsultationPrompt;
  readonly prompt: ConsultationPrompt;
  /** Absolute path of what it may read beside its prompt; without it nothing. */
  readonly projectDirectory?: string;
  readonly tools: readonly ConsultationTool[];
  readonly timeMs: number;
  readonly model?: string;
  /** The one that is to run it; that of the settings without it. */
  readonly harness?: HarnessName;
  /** Absolute path of what the scripted harness plays; the scenario of the settings without it. */
  readonly scenario?: string;
  /** What the scripted harness fills in for `${task}`. */
  readonly task?: string;
}

export interface ConsultationPrompt {
  readonly file: string;
  readonly values: PromptValues;
}

/** A tool as the session is offered it; arguments that do not fit `args` are refused before `call` is asked. */
export interface ConsultationTool {
  readonly name: string;
  readonly description: string;
  readonly args: z.ZodObject;
  /** `ends` says that nothing more is wanted: the session is given its grace and then ended. */
  call(args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallResult & { readonly ends?: boolean }>;
}

/** How a consultation ended; what it answered, its tools know. */
export interface ConsultationReport {
  readonly session: Ulid;
  readonly end: SessionEnd;
  readonly model?: string;
  readonly usage?: Usage;
  readonly durationMs: number;
  /** The end of what it said as text, then what it called in vain; at most 64 KiB, kept if the answer was none. */
  readonly output: string;
}

/**
 * Runs a consultation to its end. Rejects if it could not be started, or if the budget leaves no room for it. An
 * aborted signal ends it with `stopped`.
 */
export type Consult = (request: ConsultationRequest, signal: AbortSignal) => Promise<ConsultationReport>;
