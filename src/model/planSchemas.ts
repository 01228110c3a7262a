import type * as z from 'zod';
import { backlogSchema } from './backlog.ts';
import { memorySchema } from './memory.ts';
import { type PlanFile, planFiles } from './plan.ts';
import {
  commitSpecSchema,
  dispatchFileSchema,
  queryFileSchema,
  sessionLogSchema,
  sessionRecordSchema,
} from './session.ts';

/** The schema of each YAML file of a plan; the others are one word or one number. */
export const planSchemas: ReadonlyMap<PlanFile, z.ZodType> = new Map<PlanFile, z.ZodType>([
  [planFiles.backlog, backlogSchema],
  [planFiles.memory, memorySchema],
  [planFiles.sessionLog, sessionLogSchema],
  [planFiles.latestSession, sessionRecordSchema],
  [planFiles.commits, commitSpecSchema],
  [planFiles.dispatches, dispatchFileSchema],
  [planFiles.queries, queryFileSchema],
]);
