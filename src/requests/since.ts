import type { sinceRequests } from '../model/requests/since.ts';
import type { HandlersOf } from './handlers.ts';

export const sinceHandlers: HandlersOf<typeof sinceRequests> = {
  async since(context, params, signal) {
    const { activityHandlers } = await import('./vaultActivity.ts');
    return activityHandlers.since(context, params, signal);
  },
};
