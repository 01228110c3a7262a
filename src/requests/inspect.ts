import { defined } from '../base/defined.ts';
import { inspectCommitFile, inspectFile } from '../inspect/changedFile.ts';
import { commitChanges, inspectChanges } from '../inspect/changes.ts';
import { previewContext } from '../inspect/contextPreview.ts';
import { inspectGiven, inspectGivenText } from '../inspect/given.ts';
import { inspectMemory } from '../inspect/memoryPage.ts';
import { inspectSession, type SessionSnapshot } from '../inspect/sessionSnapshot.ts';
import type { inspectRequests } from '../model/requests/inspect.ts';
import { findOwnCommit } from './commitCauses.ts';
import type { HandlersOf, RequestContext } from './handlers.ts';

/** Cycles of a history unless told. */
const cyclesShown = 50;

export const inspectHandlers: HandlersOf<typeof inspectRequests> = {
  async given(context, asked) {
    return inspectGiven(await inspect(context, asked));
  },

  async given_text(context, asked) {
    return inspectGivenText(await inspect(context, asked), asked.part);
  },

  async context({ services, directory }, { plan, phase = 'work', task }) {
    const { plans } = await directory.all();
    return previewContext(services, await directory.find(plan), { phase, task, plans });
  },

  async changes(context, asked) {
    return inspectChanges(await inspect(context, asked));
  },

  async commit_changes(context, { commit }, signal) {
    const made = await findOwnCommit(context, commit, signal);
    const { hash, title, at, plan, directory } = made;
    return {
      ...{ plan, commit: hash, title, at, isRollback: made.isRollback },
      ...defined({ phase: made.phase, session: made.session }),
      sets: [await commitChanges(context.services, directory, { commit: hash, title })],
    };
  },

  async changed_file(context, { session, ...asked }, signal) {
    if (session !== undefined) return inspectFile(await inspect(context, { ...asked, session }), asked);
    const { directory } = await findOwnCommit(context, asked.set, signal);
    return inspectCommitFile(context.services, directory, asked);
  },

  async history({ directory, history }, { plan, limit = cyclesShown, before = Number.MAX_SAFE_INTEGER }) {
    const { id } = await directory.find(plan);
    const { cycles, total } = await history.page(id, { limit, before });
    const [oldest] = cycles;
    const hasOlder = oldest !== undefined && oldest.cycle > 1;
    return { cycles: cycles.toReversed(), total, ...(hasOlder && { next: oldest.cycle }) };
  },

  async memory({ services, directory }, { plan }) {
    return inspectMemory(services, await directory.find(plan));
  },
};

async function inspect(
  { services, directory, history }: Pick<RequestContext, 'services' | 'directory' | 'history'>,
  { plan, session }: { readonly plan: string; readonly session?: string | undefined },
): Promise<SessionSnapshot> {
  return inspectSession(services, history, await directory.find(plan), session);
}
