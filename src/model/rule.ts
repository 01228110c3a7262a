import * as z from 'zod';

/** What a rule can be about; the words of `messageTypes` that are routed. */
export const routedTypes = ['dispatch', 'query'] as const;
export type RoutedType = (typeof routedTypes)[number];

/** A fact: a lower-case concern keyword. Rules may write it in any form; it is compared by its stem. */
const facts = z.array(z.string().trim().min(1)).nullish();

/** A rule of `routing.yaml`, as far as its names can be checked. Unknown keys are tolerated and kept. */
export const ruleSchema = z.looseObject({
  id: z.string().min(1),
  /** Both types unless told. */
  on: z.enum(routedTypes).optional(),
  /** Only what this plan, or any plan of this project, sends. */
  from: z.string().min(1).optional(),
  /** Every one of these is a fact of the message. */
  all: facts,
  /** At least one of these is. */
  any: facts,
  /** None of these is. */
  none: facts,
  /** A plan, `expert:<id>`, or the name of a project. */
  target: z.string().min(1),
  note: z.string().nullish(),
  enabled: z.boolean().default(true),
  /** Who put it there, and which suggestion it was. */
  origin: z.looseObject({ by: z.string(), at: z.string(), suggestion: z.string().optional() }).nullish(),
});

export const ruleFileSchema = z.looseObject({ rules: z.array(ruleSchema).nullish() });

export type Rule = z.infer<typeof ruleSchema>;
