import type { searchRequests } from '../model/requests/search.ts';
import type { HandlersOf } from './handlers.ts';

export const searchHandlers: HandlersOf<typeof searchRequests> = {
  async search({ vaultSearch, directory }, { plan, ...order }, signal) {
    const of = plan === undefined ? {} : { plan: (await directory.find(plan)).id };
    return vaultSearch.search({ ...order, ...of }, signal);
  },
};
