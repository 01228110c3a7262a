import * as z from 'zod';
import type { Ulid } from './id.ts';
import { phases } from './phase.ts';
import { spendingRecordSchema } from './spending.ts';

const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheWriteTokens: z.number(),
});

/** A phase of a plan that came to an end: one line of the plan's history. */
export const phaseRecordSchema = z.object({
  phase: z.enum(phases),
  /** Of the plan, from 1; absent in lines of earlier versions. */
  cycle: z.number().int().positive().optional().catch(undefined),
  session: z.string().transform((text) => text as Ulid),
  end: z.enum(['finished', 'interrupted', 'failed', 'waiting']),
  summary: z.string(),
  endedAt: z.string(),
  /** Absent if another owner had begun it. */
  startedAt: z.string().optional(),
  harness: z.string().optional(),
  task: z.string().optional(),
  model: z.string().optional(),
  /** Of a session that ran commands: whether they were in a sandbox. */
  confinement: z.enum(['confined', 'unconfined']).optional().catch(undefined),
  durationMs: z.number().optional(),
  usage: usageSchema.optional(),
  usd: spendingRecordSchema.shape.usd,
  basis: spendingRecordSchema.shape.basis.optional(),
  commits: z.array(z.object({ commit: z.string(), title: z.string(), files: z.number() })).optional(),
  /** How often each gate refused something of the session; absent if none did. */
  refusals: z.record(z.string(), z.number()).optional().catch(undefined),
  /** Words of the plan's memory when it ended. */
  memoryWords: z.number().optional(),
  /**
   * Entries of the memory: in full in the prompt, with answers to tool calls, read by the session itself; and those of
   * all of these that it read itself, changed or named. Absent if it was given none.
   */
  memory: z
    .object({ given: z.number(), later: z.number(), read: z.number(), used: z.number() })
    .optional()
    .catch(undefined),
});

export type PhaseRecord = z.infer<typeof phaseRecordSchema>;

/** That a person put the records of a plan back as a commit has them: another line of the plan's history. */
export const rollbackRecordSchema = z.object({
  /** Id of the snapshot. */
  rollback: z.string(),
  /** Of the plan: the one that ended, or that was under way. */
  cycle: z.number().int().positive().catch(1),
  /** Whether that one was over. */
  isAfterCycle: z.boolean().catch(false),
  endedAt: z.string(),
  /** The operating system's name for the person. */
  by: z.string(),
  /** Names of the plan's files that have another text since then. */
  files: z.array(z.string()),
  /** What was made of it in the project: the state before, unless a commit had it, and the state after. */
  commits: z.array(z.object({ commit: z.string(), title: z.string() })),
});

export type RollbackRecord = z.infer<typeof rollbackRecordSchema>;
