import type * as z from 'zod';
import type { YamlKind } from './document.ts';
import { entryKeysSchema } from './entry.ts';
import { expertSchema } from './expert.ts';
import { planSchemasByKind } from './planSchemas.ts';
import { planStateSchema } from './planState.ts';
import { policyFileSchema } from './policy.ts';
import { localProjectsSchema, projectsSchema } from './projectFile.ts';
import { ruleFileSchema } from './rule.ts';

export const documentSchemas: Readonly<Record<YamlKind, z.ZodType>> = {
  ...planSchemasByKind,
  planState: planStateSchema,
  projects: projectsSchema,
  localProjects: localProjectsSchema,
  routing: ruleFileSchema,
  // An empty policy is good, and has no rules.
  policy: policyFileSchema.nullable(),
  expert: expertSchema,
  entry: entryKeysSchema,
};
