import type { expertRequests } from '../model/requests/experts.ts';
import { checkScopes, loadExperts } from '../vault/expertStore.ts';
import type { HandlersOf } from './handlers.ts';

export const expertHandlers: HandlersOf<typeof expertRequests> = {
  async experts({ services: { disk, layout } }) {
    const { experts, diagnostics } = await loadExperts(disk, layout);
    const scopes = await Promise.all(experts.map((expert) => checkScopes(disk, layout, expert)));
    const rows = experts.map(({ actor, file, expert }) => ({ actor, file, declaration: expert }));
    return { experts: rows, diagnostics: [...diagnostics, ...scopes.flat()] };
  },
};
