import * as z from 'zod';
import type { QualifiedId, Ulid } from './id.ts';
import { actorSchema, ulidSchema } from './idSchemas.ts';

/** Something that an expert was asked and that its entries do not hold. */
export interface UnansweredQuestion {
  /** That of the question. */
  readonly id: Ulid;
  readonly at: string;
  readonly expert: QualifiedId;
  readonly question: string;
  /** What the expert said is missing; absent if no entry was found at all. */
  readonly missing?: string;
  /** Ids of the entries that it was given. */
  readonly entries: readonly string[];
}

export const gapSchema: z.ZodType<UnansweredQuestion> = z.looseObject({
  id: ulidSchema,
  at: z.string(),
  expert: actorSchema,
  question: z.string(),
  missing: z.string().exactOptional(),
  entries: z.array(z.string()),
});
