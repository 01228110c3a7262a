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

/** The schema of each YAML file of a plan, by what it holds. */
export const planSchemasByKind = {
  backlog: backlogSchema,
  memory: memorySchema,
  sessionLog: sessionLogSchema,
  latestSession: sessionRecordSchema,
  commits: commitSpecSchema,
  dispatches: dispatchFileSchema,
  queries: queryFileSchema,
} satisfies Partial<Record<keyof typeof planFiles, z.ZodType>>;

/** The same by the names of the files; the other files of a plan are one word or one number. */
export const planSchemas: ReadonlyMap<PlanFile, z.ZodType> = new Map<PlanFile, z.ZodType>(
  (Object.keys(planSchemasByKind) as (keyof typeof planSchemasByKind)[]).map((kind) => [
    planFiles[kind],
    planSchemasByKind[kind],
  ]),
);
