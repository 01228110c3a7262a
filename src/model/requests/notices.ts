import * as z from 'zod';
import { name } from './parameters.ts';

/** What is asked for at once. */
const keysMax = 500;

/** Requests of the windows that tell a person what happens. */
export const noticeRequests = {
  claim_notices: z
    .object({
      keys: z.array(name.min(1)).max(keysMax).describe('what each notification is about, as `notificationOf` names it'),
    })
    .describe(
      'which of these notifications its client is to show: each is given out once, to the first that asks, also over restarts of the owner',
    ),
} as const;

export interface NoticeResults {
  /** Those of the `keys` that no client was given before, in their order. */
  claim_notices: { readonly keys: readonly string[] };
}
