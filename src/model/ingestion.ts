import * as z from 'zod';
import type { QualifiedId, Ulid } from './id.ts';
import { actorSchema, ulidSchema } from './idSchemas.ts';

/**
 * Where a candidate is on its way into the knowledge. `new` and `offered` go on by themselves, `waiting` needs a person, and
 * the others are ends: `added` as an entry, `confirmed` an entry that says the same, `rejected` by every expert or a person,
 * `refused` by a check, `known` because the plan had been told it.
 */
export const candidateStates = [
  'new',
  'offered',
  'waiting',
  'added',
  'confirmed',
  'rejected',
  'refused',
  'known',
] as const;
export type CandidateState = (typeof candidateStates)[number];

/** What is told of a candidate on its way, each once it is in the record. */
export type IngestionStep = 'extracted' | 'compared' | 'offered' | 'judged';

export function isCandidateSettled(state: CandidateState): boolean {
  return state !== 'new' && state !== 'offered' && state !== 'waiting';
}

/** What an expert makes of a candidate. */
export const positionVerdicts = ['absorb', 'reject', 'link', 'none'] as const;

export interface ExpertPosition {
  readonly expert: QualifiedId;
  readonly verdict: (typeof positionVerdicts)[number];
  /** Why, in the words of the expert. */
  readonly reason: string;
  /** `link`: the entry that says the same already, as a path from the vault on. */
  readonly entry?: string | undefined;
  /** Entries that say the opposite, as paths from the vault on. */
  readonly contradicts: readonly string[];
  /** SHA-256 of what it was decided about: the expert's persona, the statement and the entries. */
  readonly basis?: string | undefined;
  /** The record in which the expert decided the same before, so that no session was asked. */
  readonly reusedFrom?: Ulid | undefined;
}

const positionSchema: z.ZodType<ExpertPosition> = z.looseObject({
  expert: actorSchema,
  verdict: z.enum(positionVerdicts),
  reason: z.string(),
  entry: z.string().optional(),
  contradicts: z.array(z.string()).default([]),
  basis: z.string().optional(),
  reusedFrom: ulidSchema.optional(),
});

const nearSchema = z.looseObject({
  /** A path from the vault on. */
  path: z.string(),
  title: z.string(),
  /** 0 to 1. */
  score: z.number(),
});

export type NearEntry = z.infer<typeof nearSchema>;

const candidateSchema = z.looseObject({
  /** The entry of the plan's memory that it comes from. */
  entry: z.string(),
  /** SHA-256 of its title and text. */
  hash: z.string(),
  title: z.string(),
  body: z.string(),
  /** What proved it, in the words of the session. */
  claims: z.array(z.string()),
  /** The sessions of its cycle, whose records say what they were shown. */
  sessions: z.array(ulidSchema).optional(),
  state: z.enum(candidateStates),
  /** A folder below `knowledge/`, by code; that for what has no axis if there is none. */
  folder: z.string(),
  tags: z.array(z.string()),
  /** By code. */
  kind: z.string().optional(),
  /** Why the folder, the tags and the kind are these. */
  reasons: z.array(z.string()),
  near: z.array(nearSchema).default([]),
  /** Experts that are asked, by code. */
  experts: z.array(actorSchema).default([]),
  positions: z.array(positionSchema).default([]),
  /** The session that is asked now, so that one whose owner died is ended. */
  asking: z.looseObject({ expert: actorSchema, session: ulidSchema }).optional(),
  /** Whether a person saw it before it was offered. */
  isReviewed: z.boolean().optional(),
  /** Whether a person wants it judged again, whatever was decided before. */
  isReplayed: z.boolean().optional(),
  /** Questions to a person, each by what it is about: asked once. */
  asked: z.record(z.string(), ulidSchema).default({}),
  /** What became of it, as a sentence. */
  outcome: z.string().optional(),
  /** The entry that it became or confirmed, as a path from the vault on. */
  became: z.string().optional(),
});

export type IngestionCandidate = z.infer<typeof candidateSchema>;

/** What one cycle of a plan taught, and what became of it. */
export const ingestionSchema = z.looseObject({
  id: ulidSchema,
  at: z.string(),
  plan: actorSchema,
  /** The record of the session that was reflected on. */
  record: z.string(),
  candidates: z.array(candidateSchema),
});

export interface Ingestion {
  readonly id: Ulid;
  readonly at: string;
  readonly plan: QualifiedId;
  readonly record: string;
  readonly candidates: readonly IngestionCandidate[];
}

/** What the entry of a candidate carries, so that it is made once. */
export function candidateId(ingestion: Ulid, at: number): string {
  return `${ingestion}-${at + 1}`;
}
