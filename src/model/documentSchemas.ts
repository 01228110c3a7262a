import type * as z from 'zod';
import { backlogSchema } from './backlog.ts';
import type { YamlKind } from './document.ts';
import { expertSchema } from './expert.ts';
import { memorySchema } from './memory.ts';
import { planStateSchema } from './planState.ts';
import { localProjectsSchema, projectsSchema } from './projectFile.ts';
import { ruleFileSchema } from './rule.ts';
import {
  commitSpecSchema,
  dispatchFileSchema,
  queryFileSchema,
  sessionLogSchema,
  sessionRecordSchema,
} from './session.ts';

export const documentSchemas: Readonly<Record<YamlKind, z.ZodType>> = {
  backlog: backlogSchema,
  memory: memorySchema,
  sessionLog: sessionLogSchema,
  latestSession: sessionRecordSchema,
  commits: commitSpecSchema,
  dispatches: dispatchFileSchema,
  queries: queryFileSchema,
  planState: planStateSchema,
  projects: projectsSchema,
  localProjects: localProjectsSchema,
  routing: ruleFileSchema,
  expert: expertSchema,
};
