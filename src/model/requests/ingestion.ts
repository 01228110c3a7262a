import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import { ulidSchema } from '../idSchemas.ts';
import type { Ingestion } from '../ingestion.ts';
import { plan } from './parameters.ts';

/** Records of one answer. */
export const ingestionsMax = 200;

/** Requests about what plans learned, and how it is taken into the knowledge. */
export const ingestionRequests = {
  ingestions: z
    .object({
      plan: plan.optional(),
      limit: z.number().int().positive().max(ingestionsMax).default(20),
    })
    .describe('what the latest cycles taught, the newest first, and what became of each statement'),
  ingestion: z.object({ id: ulidSchema }).describe('what one cycle taught, with what the experts said'),
  ingest: z
    .object({ plan })
    .describe('looks what the latest cycle of a plan proved, and offers what is new to the experts; waits for them'),
  replay_ingestion: z
    .object({ id: ulidSchema })
    .describe('offers the statements of one cycle once more that were rejected, refused or known'),
} as const;

export interface IngestionResults {
  ingestions: { readonly ingestions: readonly Ingestion[]; readonly diagnostics: readonly Diagnostic[] };
  ingestion: Ingestion;
  /** Absent if there is nothing to take in. */
  ingest: { readonly ingestion?: Ingestion };
  replay_ingestion: Ingestion;
}
