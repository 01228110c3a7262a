import { gapFolder } from '../experts/gaps.ts';
import { ingestionFolder } from '../experts/ingestion/ingestions.ts';
import { findSessionFolders, isRemovable, removeSessionFolders } from '../housekeeping/sessionFolders.ts';
import type { doctorRequests } from '../model/requests/doctor.ts';
import { actorStatuses } from './actors.ts';
import { assertOwner, type HandlersOf } from './handlers.ts';
import { policyFaults } from './policyFaults.ts';
import { reportProgress } from './vault.ts';

/** More would not fit into an answer. */
const shownMax = 1_000;

export const doctorHandlers: HandlersOf<typeof doctorRequests> = {
  async doctor(context, _params, signal) {
    const { examine } = await import('../doctor/doctor.ts');
    const { services, directory, scanner, routing, isOwner, liveSettings } = context;
    await services.refreshSettings?.();
    const statuses = () => actorStatuses(context);
    const unreadableRoutes = () => routing.router.unreadable();
    const ruleFaults = async () => (await routing.ruleStore.page()).diagnostics;
    const brokenPolicies = () => policyFaults(context, signal);
    const fileProblems = async () => {
      const { changesSetAside } = await import('../knowledge/entries/entryWriter.ts');
      const { UsesAside } = await import('../knowledge/uses/usesAside.ts');
      return [
        ...(await scanner.verify(reportProgress(services), signal)).diagnostics,
        ...(await gapFolder(services).loadAll()).diagnostics,
        ...(await new UsesAside(services.disk, services.layout.usesAside).faults()),
        ...(await ingestionFolder(services).loadAll()).diagnostics,
        ...(await changesSetAside(services.disk, services.layout)),
      ];
    };
    const parts = {
      services,
      isOwner,
      directory,
      statuses,
      unreadableRoutes,
      ruleFaults,
      brokenPolicies,
      fileProblems,
    };
    return { checks: await examine({ ...parts, waitingSettings: liveSettings.waiting }, signal) };
  },

  async harnesses({ services, isOwner }, { harness }, signal) {
    const { inspectHarnesses } = await import('../doctor/harnessChecks.ts');
    return { harnesses: await inspectHarnesses({ ...services, isOwner }, harness, signal) };
  },

  async clean(context, { dryRun = false }) {
    // Only the owner knows that no work begins meanwhile.
    if (!dryRun) assertOwner(context);
    const going = (await findSessionFolders(context.services)).filter(isRemovable);
    const unremoved = dryRun ? [] : await removeSessionFolders(context.services, going);
    return {
      sessionFolders: going.slice(0, shownMax),
      count: going.length,
      bytes: going.reduce((sum, { bytes }) => sum + bytes, 0),
      removed: !dryRun,
      unremoved: unremoved.slice(0, shownMax),
    };
  },
};
