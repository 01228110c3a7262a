import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { QualifiedId } from '../id.ts';
import { nameLengthMax, path, plan } from './parameters.ts';

const project = z.string().min(1).max(nameLengthMax);

/** Requests that give plans and projects another name, put them away, and bring them back. */
export const archiveRequests = {
  rename: z
    .object({ plan, to: plan.describe('qualified id in the same project') })
    .describe('gives a plan, and those below it, another id in its project'),
  remove: z
    .object({ plan, withChildren: z.boolean().optional() })
    .describe('moves a plan into the archive, with its files in `runtime/`'),
  projects: z.object({}).describe('the projects of the vault, and where they are on this machine'),
  rename_project: z.object({ project, to: project }).describe('gives a project another name'),
  remove_project: z.object({ project }).describe('takes a project out of the vault; its folder stays as it is'),
  archives: z.object({}).describe('everything that can be restored'),
  /** `as`: another id for a plan, such as if its own is taken. */
  restore: z
    .object({ archive: path.min(1), as: plan.optional() })
    .describe('restores a removed plan or project, a plan also under another id'),
} as const;

export interface Renamed {
  readonly plan: QualifiedId;
  readonly directory: string;
  /** The project's folder: what moved there is not committed. */
  readonly project: string;
  /** Every plan that moved. */
  readonly names: readonly { readonly from: QualifiedId; readonly to: QualifiedId }[];
  /** Warnings: who still names an old id. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface PutAway {
  /** Path in the vault, of what an earlier plan of the same id had left and would have been taken for the new one's. */
  readonly putAway?: string;
}

export interface Removed {
  /** Name below the vault's `archive/`. */
  readonly archive: string;
  readonly plans: readonly QualifiedId[];
  readonly project: string;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Restored {
  readonly plan: QualifiedId;
  readonly plans: readonly QualifiedId[];
  readonly directory: string;
}

export interface ProjectRow {
  readonly name: string;
  readonly remote?: string;
  /** Absent if this machine does not have it. */
  readonly path?: string;
  /** How many plans it has; 0 if it cannot be reached. */
  readonly plans: number;
}

export interface ArchiveRow {
  readonly archive: string;
  /** A plan's id, or the name of a project. */
  readonly of: string;
  readonly kind: 'plan' | 'project';
  readonly plans: readonly QualifiedId[];
  readonly at: string;
}

export interface ArchiveResults {
  rename: Renamed;
  remove: Removed;
  projects: { readonly projects: readonly ProjectRow[]; readonly diagnostics: readonly Diagnostic[] };
  rename_project: Renamed;
  remove_project: Removed;
  archives: { readonly archives: readonly ArchiveRow[]; readonly diagnostics: readonly Diagnostic[] };
  restore: Restored;
}
