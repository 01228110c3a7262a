import * as z from 'zod';

/**
 * How an entry was used. What was only shown counts nothing: memory that counted what it was given would strengthen
 * itself. `confirmed` is a use whose evidence code has proven.
 */
export const useWeights = { shown: 0, cited: 1, opened: 1, confirmed: 3 } as const;

const kind = z.enum(['shown', 'cited', 'opened', 'confirmed']);

/** A use of one or more entries, as a line of the journal. */
export const entryUseSchema = z.looseObject({
  /** The same use has the same id, however often it is recorded. */
  use: z.string().min(1).max(200),
  kind,
  /** Each by its id; one without an id by its path in the vault. */
  entries: z.array(z.string().min(1)).max(1000),
  at: z.string(),
  /** The session that used them; absent for a person. */
  session: z.string().optional(),
  /** The project for which they were used. */
  project: z.string().optional(),
  /** Sessions of one schedule count once a day. */
  schedule: z.string().optional(),
});

export type EntryUse = z.infer<typeof entryUseSchema>;

const count = z.number().int().nonnegative();

/** What the uses of one entry come to. */
const useSumsSchema = z.looseObject({
  ...{ shown: count, cited: count, opened: count, confirmed: count },
  /** The sum of the weights of its uses. */
  weight: count,
  /** Times of the first and the last use that counts. */
  first: z.string(),
  last: z.string(),
  /** Sessions and projects that used it, the earliest first; no rule asks for more than a few. */
  sessions: z.array(z.string()),
  projects: z.array(z.string()),
});

export type UseSums = z.infer<typeof useSumsSchema>;

/** The first line of a compacted journal: everything that the lines said that it replaced. */
export const carriedSumsSchema = z.looseObject({
  sums: z.record(z.string(), useSumsSchema),
  /** Ids of the last uses among them, so that one that is recorded again still counts once. */
  known: z.array(z.string()),
  /** What schedules used on their last days. */
  scheduled: z.array(z.string()),
});

export type CarriedSums = z.infer<typeof carriedSumsSchema>;

export const useLineSchema = z.union([carriedSumsSchema, entryUseSchema]);
