import { defined } from '../base/defined.ts';
import type { manualRunRequests } from '../model/requests/manualRuns.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';

export const manualRunHandlers: HandlersOf<typeof manualRunRequests> = {
  async begin_manual_run(context, { plan, phase, task, takeOver }) {
    assertOwner(context);
    const location = await context.directory.find(plan);
    return context.manualRuns.begin({
      location,
      ...defined({ phase, task, takeOver }),
    });
  },

  async finish_manual_run(context, { plan, session, outcome, summary, unchanged }) {
    assertOwner(context);
    const location = await context.directory.find(plan);
    return context.manualRuns.finish(location, session, { outcome, summary, ...defined({ unchanged }) });
  },

  async drop_manual_run(context, { plan, session }) {
    assertOwner(context);
    return { dropped: await context.manualRuns.drop(await context.directory.find(plan), session) };
  },
};
