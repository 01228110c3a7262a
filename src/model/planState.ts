import * as z from 'zod';
import { descriptionProblem } from './plan.ts';

/** Frontmatter of `plan-state.md`. Unknown keys are tolerated and kept. */
export const planStateSchema = z.looseObject({
  'schema-version': z.literal(1),
  description: z.string().refine((text) => descriptionProblem(text) === undefined, {
    error: (issue) => descriptionProblem(String(issue.input)) ?? 'not a description',
  }),
  tags: z.array(z.string()).default([]),
  harness: z.string().optional(),
  models: z.record(z.string(), z.string()).optional(),
  budget: z
    .looseObject({
      'session-usd': z.number().positive().optional(),
      'usd-per-day': z.number().nonnegative().optional(),
    })
    .optional(),
  memory: z
    .looseObject({
      given: z.enum(['relevant', 'all']).optional(),
      'budget-kb': z.number().nonnegative().optional(),
      'later-call-kb': z.number().nonnegative().max(9).optional(),
      'later-session-kb': z.number().nonnegative().optional(),
    })
    .optional(),
  isolation: z.string().optional(),
});

export type PlanState = z.infer<typeof planStateSchema>;
