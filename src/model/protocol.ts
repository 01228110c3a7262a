import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import type { Diagnostic } from '../base/errors.ts';
import type { BacklogCounts } from './backlog.ts';
import { failure } from './codes.ts';
import type { PhaseEnd, RavelEvent, Usage } from './event.ts';
import type { QualifiedId, Ulid } from './id.ts';
import { type Phase, type ReasoningPhase, reasoningPhases } from './phase.ts';
import { harnessNames } from './settings.ts';
import type { ApprovalKind } from './verdict.ts';

export const protocolVersion = 1;

/** Longest line either side accepts (design 3, limits). */
export const lineBytesMax = 8 * 1024 * 1024;

const plan = z.string().min(1).describe('qualified id of a plan; its project alone means its root plan');
const harness = z.enum(harnessNames).optional();
const runOptions = {
  plan,
  harness,
  /** Id of the task for a work phase; without it the best ready one is taken. */
  task: z.string().optional(),
  /** Absolute path of a scenario file, for the scripted harness. */
  scenario: z.string().optional(),
};

/**
 * Requests: name, and the schema of its parameters. Unknown fields are ignored. The handlers stand in one table of the
 * same names (`requests.ts`); a missing one does not compile.
 */
export const requestSchemas = {
  hello: z.object({ protocol: z.number().int() }),
  list: z.object({}),
  status: z.object({ plan }),
  verify: z.object({}),
  rescan: z.object({}),
  adopt: z.object({ project: z.string().min(1), description: z.string(), name: z.string().optional() }),
  create: z.object({ plan: z.string().min(1), description: z.string() }),
  run_phase: z.object({ ...runOptions, phase: z.enum(reasoningPhases).optional() }),
  run_cycle: z.object({ ...runOptions, cycles: z.number().int().positive().optional() }),
  stop: z.object({ plan }),
  retry: z.object(runOptions),
  dismiss: z.object({ plan }),
  state: z.object({ plan, verb: z.string(), args: z.record(z.string(), z.unknown()) }),
  /** A session's own calls: the token is the right to make them. `call` makes a repeated call harmless. */
  session_tools: z.object({ session: z.string(), token: z.string() }),
  session_call: z.object({
    session: z.string(),
    token: z.string(),
    call: z.string().min(1),
    tool: z.string(),
    args: z.record(z.string(), z.unknown()),
  }),
  transcript: z.object({ session: z.string(), from: z.number().int().nonnegative().optional() }),
  shutdown: z.object({}),
} as const;

export type RequestName = keyof typeof requestSchemas;
/** Parameters as the caller may write them (defaults not yet filled in). */
export type RequestParams<Name extends RequestName> = z.input<(typeof requestSchemas)[Name]>;

/** The name of a request; throws `server/unknownRequest` for any other text. */
export function toRequestName(text: string): RequestName {
  if (Object.hasOwn(requestSchemas, text)) return text as RequestName;
  throw failure('server/unknownRequest', text, `There is no request "${text}".`);
}

export interface PlanRow {
  readonly plan: QualifiedId;
  readonly description: string;
  /** Absent where `phase.md` cannot be read. */
  readonly phase?: Phase;
  readonly counts: BacklogCounts;
  readonly running?: { readonly session: Ulid; readonly phase: Phase };
  readonly waiting?: string;
  readonly faults: readonly Diagnostic[];
}

export interface PlanStatus extends PlanRow {
  readonly directory: string;
  readonly project: string;
  readonly memoryEntries: number;
  readonly memoryWords: number;
  readonly lastEnd?: {
    readonly phase: Phase;
    readonly session: Ulid;
    readonly end: PhaseEnd;
    readonly at: string;
    readonly summary: string;
  };
  readonly interrupted?: {
    readonly phase: Phase;
    readonly session: Ulid;
    readonly directory: string;
    readonly reason: string;
  };
  /** What a waiting phase asks; `file` holds both sides of it. */
  readonly question?: {
    readonly phase: Phase;
    readonly kind: ApprovalKind;
    readonly reason: string;
    readonly file: string;
  };
  readonly nextTask?: { readonly id: string; readonly title: string };
}

/** How `run_phase` ended, the code phase that followed included. `phase` is a code phase where only that was left to do. */
export interface PhaseReport {
  readonly phase: Phase;
  readonly session: Ulid;
  readonly end: PhaseEnd;
  readonly next: Phase;
  readonly summary: string;
  readonly commits: readonly { readonly commit: string; readonly title: string }[];
  readonly usage?: Usage;
  readonly durationMs: number;
  /** Bytes the session was given; see its context.json. */
  readonly givenBytes: number;
}

export type RunStop = 'cycle-ended' | 'nothing-ready' | 'interrupted' | 'failed' | 'waiting' | 'stopped' | 'budget';

export interface CycleReport {
  readonly phases: readonly PhaseReport[];
  readonly stop: RunStop;
  readonly reason: string;
}

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

export interface RequestResults {
  hello: { readonly protocol: number; readonly version: string; readonly vault: string; readonly pid: number };
  list: { readonly plans: readonly PlanRow[]; readonly diagnostics: readonly Diagnostic[] };
  status: PlanStatus;
  verify: { readonly diagnostics: readonly Diagnostic[]; readonly plans: number };
  rescan: { readonly plans: number };
  adopt: { readonly plan: QualifiedId; readonly directory: string };
  create: { readonly plan: QualifiedId; readonly directory: string };
  run_phase: PhaseReport;
  run_cycle: CycleReport;
  stop: { readonly stopped: boolean };
  retry: PhaseReport;
  dismiss: { readonly dismissed: Ulid };
  state: { readonly result: unknown };
  session_tools: {
    readonly tools: readonly ToolDescription[];
    readonly plan: QualifiedId;
    readonly phase: ReasoningPhase;
  };
  session_call: CallResult;
  transcript: { readonly events: readonly RavelEvent[]; readonly next: number };
  shutdown: Record<string, never>;
}

/**
 * The one interface that every face holds: the same object in the owner's process, a socket client elsewhere
 * (design 2). A request rejects with a RavelError; an aborted signal gives up waiting, and for `run_*` stops the run.
 */
export interface Api {
  request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]>;
  onEvent(listener: (event: RavelEvent) => void): Disposable;
}

/** A line from client to server. */
export const clientLineSchema = z.looseObject({
  id: z.number().int().nonnegative(),
  /** `attach` starts the flow of events, `cancel` aborts the request whose id is in `params.id`. */
  request: z.string(),
  params: z.unknown().optional(),
});

/**
 * A line from server to client. `dropped` tells a slow client how many of its oldest events it lost; `goodbye` that the
 * owner closes in order, and did not die.
 */
export type ServerLine =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: Diagnostic }
  | { readonly event: RavelEvent }
  | { readonly dropped: number }
  | { readonly goodbye: true };
