import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { ApprovalKind } from '../approval.ts';
import type { BacklogCounts } from '../backlog.ts';
import type { Confinement } from '../confinement.ts';
import type { PhaseEnd } from '../event.ts';
import type { QualifiedId, Ulid } from '../id.ts';
import { type Phase, phases } from '../phase.ts';
import type { ActorSummary } from './actors.ts';
import type { PutAway } from './archives.ts';
import { name, plan } from './parameters.ts';

/** Requests about plans and their files. */
export const planRequests = {
  outline: z
    .object({})
    .describe(
      'all plans with description, phase and parent: enough for a tree, and quicker than `list` when a large vault is opened for the first time',
    ),
  list: z
    .object({
      under: name.min(1).optional().describe('a plan, for it and those below it, or a project'),
      phase: z.enum(phases).optional(),
      running: z.boolean().optional(),
      waiting: z.boolean().optional(),
      faulted: z.boolean().optional(),
      ready: z.boolean().optional(),
      text: z.string().optional(),
      limit: z.number().int().positive().optional(),
      after: name.optional(),
    })
    .describe(
      "all plans, one row each, and the problems of the vault's tree. `queued` says what a queued run is waiting for. You can combine the filters `under` (a plan and those below it, or a project), `phase`, `running`, `waiting`, `faulted`, `ready` (each true or false), `text` (in the id or the description); `limit` gives one page, with the number of all plans in `total`, and the next page comes `after` its `next`",
    ),
  status: z.object({ plan }).describe('one plan in full'),
  create: z.object({ plan, description: z.string() }).describe('makes a child plan'),
  state: z
    .object({ plan, verb: name, args: z.record(z.string(), z.unknown()) })
    .describe("one state verb on a plan's files: its `result`, and a `summary` of it for people"),
} as const;

export interface PausedRun {
  readonly done: number;
  readonly cycles: number;
}

export interface PlanRow {
  readonly plan: QualifiedId;
  readonly description: string;
  /** Absent if `phase.md` cannot be read. */
  readonly phase?: Phase;
  readonly counts: BacklogCounts;
  readonly running?: {
    readonly session: Ulid;
    readonly phase: Phase;
    readonly task?: string;
    /** Whether a person has it open. */
    readonly manual?: true;
    /** Whether its owner is gone and no other owner has taken it over yet. */
    readonly unowned?: boolean;
    /** Of a session that runs commands: whether they are in a sandbox. */
    readonly confinement?: Confinement;
  };
  readonly waiting?: string;
  /** What a run of it waits for that stands in a queue; told by the owner. */
  readonly queued?: string;
  /** Whether it stopped for a question that is answered, and continues with the next session. */
  readonly answered?: true;
  /** A run over cycles that its owner did not live to end. */
  readonly paused?: PausedRun;
  readonly faults: readonly Diagnostic[];
  /** Its state as an actor; if the vault has no owner, only for actors that have something waiting. */
  readonly actor?: ActorSummary;
}

export interface PlanStatus extends PlanRow {
  readonly directory: string;
  readonly project: string;
  /** The plans right below it. */
  readonly children: readonly QualifiedId[];
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
    /** As in the row. */
    readonly answered?: true;
  };
  /** What a waiting phase asks; `file` holds both sides of it. */
  readonly question?: {
    readonly phase: Phase;
    readonly kind: ApprovalKind;
    readonly reason: string;
    readonly approval: Ulid;
    readonly file: string;
  };
  readonly nextTask?: { readonly id: string; readonly title: string };
}

/** What a tree of plans shows first. */
export interface OutlineRow extends Pick<PlanRow, 'plan' | 'description' | 'phase'> {
  /** The nearest plan above. */
  readonly parent?: QualifiedId;
}

export interface PlanResults {
  outline: { readonly plans: readonly OutlineRow[]; readonly diagnostics: readonly Diagnostic[] };
  list: {
    readonly plans: readonly PlanRow[];
    /** How many fit, if these are not all of them. */
    readonly total?: number;
    /** What the next part comes `after`; absent if this is the last. */
    readonly next?: QualifiedId;
    readonly diagnostics: readonly Diagnostic[];
  };
  status: PlanStatus;
  create: { readonly plan: QualifiedId; readonly directory: string } & PutAway;
  /** `summary` says in one line for people what was done. */
  state: { readonly result: unknown; readonly summary: string };
}
