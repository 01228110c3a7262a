import type { snapshotRequests } from '../model/requests/snapshots.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';

/** Opening a vault does not load what these need. */
export const snapshotHandlers: HandlersOf<typeof snapshotRequests> = {
  async snapshots({ services, directory }, { plan, limit = 20 }) {
    const { listStates } = await import('../housekeeping/snapshots/compareSnapshots.ts');
    const location = await directory.find(plan);
    return { plan: location.id, snapshots: await listStates(services, location, limit) };
  },

  async compare_snapshot({ services, directory }, { plan, snapshot, with: other }) {
    const { compareStates } = await import('../housekeeping/snapshots/compareSnapshots.ts');
    const location = await directory.find(plan);
    return { plan: location.id, ...(await compareStates(services, location, snapshot, other)) };
  },

  async put_back(context, { plan, ...asked }) {
    assertOwner(context);
    const { putBackSource } = await import('../housekeeping/snapshots/putBack.ts');
    return putBackSource(context, await context.directory.find(plan), asked);
  },

  async roll_back(context, { plan, snapshot: to }) {
    assertOwner(context);
    const { rollBackPlan } = await import('../housekeeping/snapshots/rollback.ts');
    const location = await context.directory.find(plan);
    const { snapshot, ...done } = await rollBackPlan(context, location, to);
    return { plan: location.id, snapshot: snapshot.id, ...done };
  },
};
