import * as z from 'zod';
import { targetShape } from './targetSchema.ts';

export const claimVerdicts = ['evidenced', 'unsupported', 'contradicted'] as const;
export type ClaimVerdict = (typeof claimVerdicts)[number];

/** One piece of evidence: exactly one of these shapes. */
export const evidenceSchema = z.union([
  z.strictObject({ path: z.string(), hunk: z.string().optional() }),
  z.strictObject({ test: z.string() }),
  z.strictObject({ commit: z.string() }),
  z.strictObject({ file: z.string() }),
]);

export type Evidence = z.infer<typeof evidenceSchema>;

/** What a session says it did. Code checks the evidence and sets the verdict; no session ever does. */
export const claimSchema = z.looseObject({
  id: z.string().min(1),
  text: z.string(),
  evidence: z.array(evidenceSchema).nullish(),
  verdict: z.enum(claimVerdicts).nullish(),
});

/** `timestamp` stays the string it is in the file (YAML 1.2 core schema). */
export const sessionRecordSchema = z.looseObject({
  id: z.string().min(1),
  timestamp: z.string(),
  phase: z.string(),
  body: z.string(),
  session: z.string().nullish(),
  claims: z.array(claimSchema).nullish(),
});

export type SessionRecord = z.infer<typeof sessionRecordSchema>;

export const sessionLogSchema = z.looseObject({ sessions: z.array(sessionRecordSchema).nullish() });

export type SessionLog = z.infer<typeof sessionLogSchema>;

export const commitEntrySchema = z.looseObject({
  /** Git pathspecs, relative to the project. */
  paths: z.array(z.string().min(1)).min(1),
  message: z.string().min(1),
});

export type CommitEntry = z.infer<typeof commitEntrySchema>;

export const commitSpecSchema = z.looseObject({ commits: z.array(commitEntrySchema).nullish() });

/** An entry of `dispatches.yaml` (and, with the question as body, of `queries.yaml`): exactly one target. */
export const dispatchEntrySchema = z.looseObject({
  id: z.string().optional(),
  ...targetShape(),
  reason: z.string().min(1).describe('why it is sent, in one line'),
  body: z.string().min(1).describe('what the receiver should do, know or say; it stands by itself'),
  /** The session that left it, which leads back to the task that it worked on. */
  session: z.string().optional(),
  /** The received message that it follows from. */
  cause: z.string().optional(),
});

export type DispatchEntry = z.infer<typeof dispatchEntrySchema>;

export const dispatchFileSchema = z.looseObject({ dispatches: z.array(dispatchEntrySchema).nullish() });
export const queryFileSchema = z.looseObject({ queries: z.array(dispatchEntrySchema).nullish() });
