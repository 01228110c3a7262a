import * as z from 'zod';
import type { RavelEvent } from '../event.ts';
import type { QualifiedId } from '../id.ts';
import type { ReasoningPhase } from '../phase.ts';

/** A session's own calls, and what is known of sessions that are over. */
export const sessionRequests = {
  /** The token is the right to make a session's calls. `call` makes a repeated call harmless. */
  session_tools: z.object({ session: z.string(), token: z.string() }),
  session_call: z.object({
    session: z.string(),
    token: z.string(),
    call: z.string().min(1),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
  }),
  transcript: z.object({ session: z.string(), from: z.number().int().nonnegative().optional() }),
} as const;

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** Result of a session tool: text for the model, and whether it is an error to the model. */
export interface CallResult {
  readonly text: string;
  readonly isError: boolean;
}

export interface SessionResults {
  session_tools: {
    readonly tools: readonly ToolDescription[];
    readonly plan: QualifiedId;
    readonly phase: ReasoningPhase;
  };
  session_call: CallResult;
  transcript: { readonly events: readonly RavelEvent[]; readonly next: number };
}
