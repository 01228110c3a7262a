import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { Expert } from '../expert.ts';
import type { QualifiedId } from '../id.ts';

/** Requests about the experts that a vault declares. */
export const expertRequests = {
  experts: z.object({}).describe('the experts that the vault declares, and the problems of their declarations'),
} as const;

export interface ExpertRow {
  readonly actor: QualifiedId;
  readonly file: string;
  readonly declaration: Expert;
}

export interface ExpertResults {
  /** What is wrong with a declaration stands in `diagnostics`, under the expert's id. */
  experts: { readonly experts: readonly ExpertRow[]; readonly diagnostics: readonly Diagnostic[] };
}
