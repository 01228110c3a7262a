import * as z from 'zod';
import { actorSchema, ulidSchema } from '../../model/idSchemas.ts';
import { routingSteps, type Suggestion } from '../../model/routing.ts';
import { findingsFields, routedMessageSchema } from '../../model/routingSchemas.ts';
import { parseSuggestion } from '../learning/suggestionDetails.ts';
import type { PendingRoute } from './routeSteps.ts';

const isSuggestion = (value: unknown) => parseSuggestion(value) !== undefined;

/** Unknown fields survive. */
export const pendingRouteSchema: z.ZodType<PendingRoute> = z.looseObject({
  ...findingsFields,
  message: routedMessageSchema,
  at: z.string(),
  wantsFacts: z.boolean().exactOptional(),
  scope: z.string(),
  asking: z
    .looseObject({
      session: ulidSchema,
      purpose: z.enum(['facts', 'route']),
      checks: z.array(ulidSchema).exactOptional(),
      attempt: z.number(),
    })
    .exactOptional(),
  turnedAway: z.array(z.string()),
  retargets: z.number(),
  suggestions: z.array(z.custom<Suggestion>(isSuggestion, 'it is not a suggestion')),
  verdict: z
    .discriminatedUnion('kind', [
      z.looseObject({ kind: z.literal('route'), to: actorSchema, step: z.enum(routingSteps), reasoning: z.string() }),
      z.looseObject({ kind: z.literal('person'), why: z.string() }),
    ])
    .exactOptional(),
  approval: ulidSchema.exactOptional(),
});
