import * as z from 'zod';
import type { QualifiedId, Ulid } from '../id.ts';
import type { PlanFile } from '../plan.ts';
import { name, path, plan } from './parameters.ts';

const snapshot = name.min(1).describe('id of a snapshot, or its beginning');

/** The states that a plan had, and the way back to them. */
export const snapshotRequests = {
  snapshots: z
    .object({ plan, limit: z.int().positive().max(10_000).optional().describe('the newest; 20 by default') })
    .describe('the states of a plan that commits have, newest first'),
  /** `with`: another snapshot in place of the plan as it is now. */
  compare_snapshot: z
    .object({ plan, snapshot, with: snapshot.optional() })
    .describe('what going back to a snapshot would change, file by file'),
  put_back: z
    .object({
      plan,
      session: name.min(1).optional().describe('without it the newest of the plan'),
      paths: z.array(path.min(1)).max(10_000).optional().describe('relative to the project; without them all'),
      to: z.enum(['before', 'after']).describe('as it was before the session, or again as the session left it'),
    })
    .describe('puts files back that a work session changed and did not finish'),
  roll_back: z.object({ plan, snapshot }).describe("puts a plan's records back as a snapshot has them"),
} as const;

export interface SnapshotRow {
  /** Id of the git tree of its files; two rows with one id are the same state. */
  readonly id: string;
  readonly commit: string;
  readonly at: string;
  /** Of the commit. */
  readonly title: string;
  /** Whether the plan is in this state now. */
  readonly isNow: boolean;
}

export interface ComparedFile {
  readonly file: PlanFile;
  /** In the plan as it is now, or in the other snapshot; absent if it has no such file. */
  readonly before?: string;
  /** In the snapshot. */
  readonly after?: string;
}

export interface SnapshotResults {
  snapshots: { readonly plan: QualifiedId; readonly snapshots: readonly SnapshotRow[] };
  /** Files that differ. */
  compare_snapshot: {
    readonly plan: QualifiedId;
    readonly snapshot: string;
    readonly with?: string;
    readonly files: readonly ComparedFile[];
  };
  put_back: {
    readonly plan: QualifiedId;
    readonly session: Ulid;
    /** Files that have another content now, or are gone or there again. */
    readonly done: readonly string[];
    /** Files that were so already. */
    readonly already: readonly string[];
    /** Files that are left as they are, each with the reason as a clause. */
    readonly refused: readonly { readonly path: string; readonly why: string }[];
    /** How many files the session changed beyond those that are recorded; 0 if single files were asked for. */
    readonly more: number;
  };
  roll_back: {
    readonly plan: QualifiedId;
    readonly snapshot: string;
    /** The state before, which leads back; absent if the plan was in the state already. */
    readonly before?: string;
    readonly files: readonly PlanFile[];
    /** Files that a person saved at the same moment, and which stay as saved. */
    readonly kept: readonly PlanFile[];
    /** Why the new state is not committed yet. */
    readonly uncommitted?: string;
  };
}
