import type { noticeRequests } from '../model/requests/notices.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';

export const noticeHandlers: HandlersOf<typeof noticeRequests> = {
  async claim_notices(context, { keys }) {
    assertOwner(context);
    return { keys: (await context.claims?.claim(keys)) ?? [] };
  },
};
