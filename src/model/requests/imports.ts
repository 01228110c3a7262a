import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { QualifiedId } from '../id.ts';
import type { PutAway } from './archives.ts';
import { path, plan } from './parameters.ts';

/** Requests that take in plans of older programs. */
export const importRequests = {
  import: z
    .object({
      /** Absolute path of the folder to copy. */
      directory: path.min(1),
      plan,
      description: z.string(),
      /** Says what would be made, and makes nothing. */
      dryRun: z.boolean().optional(),
    })
    .describe('copies a plan of an older program into a project, or with `dryRun` reports what that would make'),
} as const;

/**
 * What became of one file. `taken`: copied byte for byte. `converted`: made from an older form. `kept`: the original of
 * something converted, or something that Ravel cannot read, below `imported/`. `made`: the folder had none. `left-out`:
 * not copied at all.
 */
export type ImportedAs = 'taken' | 'converted' | 'kept' | 'made' | 'left-out';

export interface ImportedFile {
  /** Path in the new plan; of a file that was left out, its path in the folder. */
  readonly path: string;
  readonly as: ImportedAs;
  /** Path in the folder, if it is another one. */
  readonly from?: string;
  /** A remark for people. */
  readonly note?: string;
}

export interface ImportReport extends PutAway {
  readonly plan: QualifiedId;
  readonly directory: string;
  readonly dryRun: boolean;
  readonly tasks: number;
  readonly entries: number;
  readonly sessions: number;
  readonly files: readonly ImportedFile[];
  /** Warnings about what a person should look at. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ImportResults {
  import: ImportReport;
}
