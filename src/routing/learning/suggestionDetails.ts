import * as z from 'zod';
import type { Approval } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import { suggestedRuleSchema } from '../../model/requests/routing.ts';
import type { Suggestion } from '../../model/routing.ts';

const suggestionSchema = z.looseObject({
  rule: suggestedRuleSchema,
  replaces: z.string().optional(),
  by: z.enum(['level-2', 'history']),
  reason: z.string(),
  messages: z.array(z.string()),
  session: z.string().optional(),
});

/** The details of an approval or a decision, if they are a suggestion: people can edit the files that they stand in. */
export function parseSuggestion(details: unknown): Suggestion | undefined {
  return suggestionSchema.safeParse(details).success ? (details as Suggestion) : undefined;
}

/** What is suggested, as it was written down. Throws `approval/unreadable`. */
export function suggestionOf({ id, details }: Pick<Approval, 'id' | 'details'>): Suggestion {
  const suggestion = parseSuggestion(details);
  if (suggestion !== undefined) return suggestion;
  throw failure('approval/unreadable', id, `What ${id} suggests is not a rule any more; its file was changed by hand.`);
}
