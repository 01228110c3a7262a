import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { Expert } from '../expert.ts';
import type { QualifiedId } from '../id.ts';
import { name } from './parameters.ts';

/** Requests about the experts that a vault declares, and those that come with Ravel. */
export const expertRequests = {
  experts: z.object({}).describe('the experts that the vault declares, and the problems of their declarations'),
  shipped_experts: z
    .object({})
    .describe('the experts that come with Ravel, how many entries each of them knows, and whether the vault has it'),
  add_experts: z
    .object({ experts: z.array(name).max(100).optional().describe('their ids; all of them unless told') })
    .describe(
      'copies experts that come with Ravel, and the entries that they know, into the vault; no file is replaced',
    ),
} as const;

export interface ExpertRow {
  readonly actor: QualifiedId;
  readonly file: string;
  readonly declaration: Expert;
}

export interface ShippedExpertRow {
  readonly expert: string;
  readonly description: string;
  /** How many entries it knows. */
  readonly entries: number;
  /** Whether the vault declares an expert of that id. */
  readonly isAdded: boolean;
}

export interface AddedExperts {
  /** Ids of the experts that the vault did not have. */
  readonly experts: readonly string[];
  /** Paths in the vault of the files that were added. */
  readonly files: readonly string[];
  /** Paths of the files that the vault had already, under that path or as an entry of that id; they stay as they are. */
  readonly kept: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ExpertResults {
  shipped_experts: { readonly experts: readonly ShippedExpertRow[] };
  add_experts: AddedExperts;
  /** What is wrong with a declaration stands in `diagnostics`, under the expert's id. */
  experts: { readonly experts: readonly ExpertRow[]; readonly diagnostics: readonly Diagnostic[] };
}
