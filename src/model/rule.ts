import * as z from 'zod';

/** A rule of `routing.yaml` (design 5), as far as its names can be checked. Unknown keys are tolerated and kept. */
const ruleSchema = z.looseObject({
  id: z.string().min(1),
  on: z.enum(['dispatch', 'query']).optional(),
  /** A plan, `expert:<id>`, or the name of a project. */
  target: z.string().min(1),
  enabled: z.boolean().default(true),
});

export const ruleFileSchema = z.looseObject({ rules: z.array(ruleSchema).nullish() });

export type Rule = z.infer<typeof ruleSchema>;
