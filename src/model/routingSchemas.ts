import * as z from 'zod';
import { actorSchema, ulidSchema } from './idSchemas.ts';
import { fromFields, type WithFields } from './namedTarget.ts';
import { person } from './person.ts';
import type { Findings, RoutedMessage } from './routing.ts';
import { routedTypes } from './rule.ts';
import { targetFieldsSchema } from './targetSchema.ts';

const keptMessageSchema: z.ZodType<WithFields<RoutedMessage>> = z.looseObject({
  id: ulidSchema,
  type: z.enum(routedTypes),
  from: z.union([z.literal(person), actorSchema]),
  named: targetFieldsSchema,
  reason: z.string(),
  body: z.string(),
  depth: z.number(),
  origin: ulidSchema,
});

/** A message on its way, of what `toFields` made of it. Unknown fields survive. */
export const routedMessageSchema: z.ZodType<RoutedMessage> = keptMessageSchema.transform(fromFields);

const text = z.string();

export const findingsFields = {
  facts: z.array(text),
  extractor: z.enum(['vocabulary', 'model', 'none']),
  rules: z.array(text),
  candidates: z.array(
    z.looseObject({
      recipient: actorSchema,
      score: z.number(),
      parts: z.record(text, z.number()),
      words: z.number().exactOptional(),
      lines: z.array(z.looseObject({ in: text, line: text })).exactOptional(),
    }),
  ),
  scoreLead: z
    .looseObject({ ahead: z.number(), threshold: z.number().exactOptional(), tasks: z.number(), decisions: z.number() })
    .exactOptional(),
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
} satisfies { readonly [Field in keyof Findings]-?: z.ZodType<Findings[Field]> };
