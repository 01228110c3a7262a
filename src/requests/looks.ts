import type { lookRequests } from '../model/requests/looks.ts';
import { lookAtFile } from '../plans/looks/changedFile.ts';
import { lookAtChanges } from '../plans/looks/changes.ts';
import { lookAtGiven, lookAtGivenText } from '../plans/looks/given.ts';
import { type Look, lookAt } from '../plans/looks/lookedAt.ts';
import { lookAtMemory } from '../plans/looks/memoryPage.ts';
import type { HandlersOf, RequestContext } from './handlers.ts';

/** Cycles of a history unless told. */
const cyclesShown = 50;

export const lookHandlers: HandlersOf<typeof lookRequests> = {
  async given(context, asked) {
    return lookAtGiven(await look(context, asked));
  },

  async given_text(context, asked) {
    return lookAtGivenText(await look(context, asked), asked.part);
  },

  async changes(context, asked) {
    return lookAtChanges(await look(context, asked));
  },

  async changed_file(context, asked) {
    return lookAtFile(await look(context, asked), asked);
  },

  async history({ directory, history }, { plan, limit = cyclesShown, before = Number.MAX_SAFE_INTEGER }) {
    const { id } = await directory.find(plan);
    const { cycles, total } = await history.page(id, { limit, before });
    const [oldest] = cycles;
    const hasOlder = oldest !== undefined && oldest.cycle > 1;
    return { cycles: cycles.toReversed(), total, ...(hasOlder && { next: oldest.cycle }) };
  },

  async memory({ services, directory }, { plan }) {
    return lookAtMemory(services, await directory.find(plan));
  },
};

async function look(
  { services, directory, history }: RequestContext,
  { plan, session }: { readonly plan: string; readonly session?: string | undefined },
): Promise<Look> {
  return lookAt(services, history, await directory.find(plan), session);
}
