import * as z from 'zod';
import { actorSchema, ulidSchema } from './idSchemas.ts';
import { person } from './message.ts';
import type { Findings, NamedTarget, RoutedMessage } from './routing.ts';
import { routedTypes } from './rule.ts';

/** Shapes of what is kept of a message on its way. Unknown fields survive. */
export const namedTargetSchema: z.ZodType<NamedTarget> = z.looseObject({
  'target-plan': z.string().optional(),
  'target-project': z.string().optional(),
  'suggested-target-plan': z.string().optional(),
  'target-expert': z.string().optional(),
  target: z.literal('auto').optional(),
});

export const routedMessageSchema: z.ZodType<RoutedMessage> = z.looseObject({
  id: ulidSchema,
  type: z.enum(routedTypes),
  from: z.union([z.literal(person), actorSchema]),
  named: namedTargetSchema,
  reason: z.string(),
  body: z.string(),
  depth: z.number(),
  origin: ulidSchema,
});

const text = z.string();

export const findingsFields = {
  facts: z.array(text),
  extractor: z.enum(['vocabulary', 'model', 'none']),
  rules: z.array(text),
  candidates: z.array(z.looseObject({ place: actorSchema, score: z.number(), parts: z.record(text, z.number()) })),
  consulted: z.array(
    z.looseObject({
      level: z.literal([2, 3]),
      session: ulidSchema,
      scope: text,
      model: text.exactOptional(),
      usd: z.number().exactOptional(),
      durationMs: z.number(),
      answer: z.enum(['accept', 'reject', 'none']),
      target: text.exactOptional(),
      reasoning: text,
      raw: text.exactOptional(),
    }),
  ),
} satisfies { readonly [Field in keyof Findings]: z.ZodType<Findings[Field]> };
