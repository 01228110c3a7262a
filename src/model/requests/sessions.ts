import * as z from 'zod';
import type { PhaseEnd, RavelEvent } from '../event.ts';
import type { QualifiedId, Ulid } from '../id.ts';
import type { Phase } from '../phase.ts';
import type { SessionPurpose } from '../sessionPurpose.ts';
import { permitArgsSchema } from '../sessionTools.ts';
import { name } from './parameters.ts';

/** A session's own calls, and what is known of sessions that are over. */
export const sessionRequests = {
  /** The token is the right to make a session's calls. `call` makes a repeated call harmless. */
  session_tools: z
    .object({ session: name, token: name })
    .describe('the tools of a running session; requires its token'),
  session_call: z
    .object({
      session: name,
      token: name,
      call: name.min(1),
      tool: name,
      args: z.record(z.string(), z.unknown()),
      callId: name.optional(),
    })
    .describe(
      'one call of such a tool; a repeated `call` is carried out once. `callId` names it in the outputs of the session',
    ),
  /** What the gates say of a tool that a session with a terminal is about to use; `ask` is for the person there. */
  judge_tool: z
    .object({ session: name, token: name, request: permitArgsSchema })
    .describe(
      "the verdict of the gates on a tool that a session in a terminal is about to use; requires the session's token. `ask` leaves it to the person there",
    ),
  transcript: z
    .object({ session: name, from: z.number().int().nonnegative().optional() })
    .describe(
      'events of a session from a given number on, as many as fit into an answer and from at most 16,384 lines; ask again from `next` until it does not grow. Lines without an event count; a `diagnostic` with the code `session/unreadable` is in their place',
    ),
  sessions: z
    .object({
      /** As many, the newest first. */
      limit: z.number().int().positive().max(500).optional(),
      /** Only those older than this one. */
      before: name.optional(),
    })
    .describe(
      'sessions that left a transcript, the newest first: plan, phase, end, cost; `limit` (50), and the next page comes `before` its `next`',
    ),
} as const;

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Result of a session tool: text for the model, and whether it is an error to the model. */
/** A call of a tool that a session was given. */
export interface SessionCall {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Under which its harness tells of it, if it says so. */
  readonly callId?: string | undefined;
}

export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

/** A session that left a transcript, for a list of many. */
export interface SessionRow {
  readonly session: Ulid;
  /** By the name that it had then; absent if it was for the vault. */
  readonly plan?: QualifiedId;
  readonly phase: Phase | SessionPurpose;
  /** A consultation that runs now; of a phase its plan says that. */
  readonly running?: true;
  readonly startedAt: string;
  readonly harness?: string;
  readonly task?: string;
  readonly durationMs?: number;
  /** Absent while its phase runs, and if no owner saw the end. */
  readonly ended?: { readonly end: PhaseEnd; readonly at: string; readonly summary: string };
  /** Absent if the cost is not known. */
  readonly usd?: number;
}

export interface SessionResults {
  session_tools: {
    readonly tools: readonly ToolDescription[];
    /** Absent if the session is for the vault. */
    readonly plan?: QualifiedId;
    readonly phase: SessionPurpose;
  };
  session_call: CallResult;
  /** `input`: what the tool is to run with in the place of what it asked for. */
  judge_tool: {
    readonly decision: 'allow' | 'deny' | 'ask';
    readonly reason?: string;
    readonly input?: Readonly<Record<string, unknown>>;
  };
  /** A part of it; what comes `next` may be asked for until there is nothing more. */
  transcript: { readonly events: readonly RavelEvent[]; readonly next: number };
  sessions: {
    readonly sessions: readonly SessionRow[];
    /** What the next part comes `before`; absent if this is the last. */
    readonly next?: Ulid;
  };
}
