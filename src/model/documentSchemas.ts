import type * as z from 'zod';
import { backlogSchema } from './backlog.ts';
import type { DocumentKind } from './document.ts';
import { expertSchema } from './expert.ts';
import { memorySchema } from './memory.ts';
import { planStateSchema } from './plan.ts';
import { localProjectsSchema, projectsSchema } from './projectFile.ts';
import { ruleFileSchema } from './rule.ts';
import {
  commitSpecSchema,
  dispatchFileSchema,
  queryFileSchema,
  sessionLogSchema,
  sessionRecordSchema,
} from './session.ts';

/** Kinds whose text is YAML, as a whole or between the fences of its frontmatter. */
export type YamlKind = Exclude<DocumentKind, 'phase' | 'identity' | 'settings'>;

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

export function isYamlKind(kind: DocumentKind): kind is YamlKind {
  return Object.hasOwn(documentSchemas, kind);
}
