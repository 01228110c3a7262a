import { join } from 'node:path';
import { ifThere, listIfThere } from '../base/diskErrors.ts';
import { isRavelError } from '../base/errors.ts';
import { removeTree } from '../base/files.ts';
import { dayMs } from '../base/units.ts';
import { locateRepository } from '../git/repository.ts';
import { removeStaleIndexes } from '../git/temporaryIndex.ts';
import type { QualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { archiveMessages } from '../plans/messages/messageArchive.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import type { PlanServices, PlanWriterPorts } from '../plans/services.ts';
import { tidyLockFolder } from '../vault/lockFolder.ts';
import type { Chore, ChoreReport } from './housekeeper.ts';
import { moveOldRecords } from './monthlyArchive.ts';
import { findSessionFolders, isRemovable, removeSessionFolders } from './sessionFolders.ts';

/** What the owner of a vault does once a day, in this order. `isBusy`: whether a phase of the plan runs. */
export function createChores(
  services: PlanServices,
  directory: Pick<PlanDirectory, 'all'>,
  isBusy: (plan: QualifiedId) => boolean,
): readonly Chore[] {
  return [
    { name: 'What sessions and phases left', run: (signal) => removeOld(services, signal) },
    { name: 'Messages that are done with', run: (signal) => archiveAll(services, { directory, isBusy }, signal) },
    { name: 'Old decisions and answers', run: (signal) => moveOldRecords(services, signal) },
    { name: 'Locks', run: () => tidyLocks(services) },
    { name: 'Temporary files', run: (signal) => removeTemporary(services, directory, signal) },
    { name: 'Indexes of commits', run: (signal) => removeIndexes(services, directory, signal) },
  ];
}

async function removeOld(services: PlanServices, signal: AbortSignal): Promise<ChoreReport> {
  const found = await findSessionFolders(services);
  const problems: string[] = [];
  let removed = 0;
  let removedBytes = 0;
  for (const folder of found.filter(isRemovable)) {
    signal.throwIfAborted();
    const { path, bytes, changedAt, fate } = folder;
    const [unremoved] = await removeSessionFolders(services, [folder]);
    if (unremoved !== undefined) {
      problems.push(`${path} could not be removed: ${unremoved.reason}`);
      continue;
    }
    removed += 1;
    removedBytes += bytes;
    services.log.info('removed what a session or a phase left', { path, bytes, changedAt, fate });
  }
  return { removed, bytes: removedBytes, problems };
}

/** Of plans whose triage seldom runs; those that run do it with each triage. */
async function archiveAll(
  services: PlanWriterPorts & Pick<PlanServices, 'log'>,
  plans: { readonly directory: Pick<PlanDirectory, 'all'>; readonly isBusy: (plan: QualifiedId) => boolean },
  signal: AbortSignal,
): Promise<ChoreReport> {
  const problems: string[] = [];
  for (const { id } of (await plans.directory.all()).plans) {
    signal.throwIfAborted();
    if (plans.isBusy(id)) continue;
    try {
      const count = await archiveMessages(services, id);
      if (count > 0) services.log.info('put messages into the archive of a plan', { plan: id, count });
    } catch (error) {
      if (!isRavelError(error)) throw error;
      problems.push(`${id}: ${error.message}`);
    }
  }
  return { removed: 0, bytes: 0, problems };
}

async function tidyLocks(
  services: Pick<PlanServices, 'disk' | 'clock' | 'processes' | 'layout'>,
): Promise<ChoreReport> {
  await tidyLockFolder(services);
  return { removed: 0, bytes: 0, problems: [] };
}

/** What a write in progress is never as old as. */
const temporaryMs = dayMs;
/** A name of `writeAtomic`; what a message's change is prepared in has the message's id, and stays. */
const temporaryName = /^\.(.+)\.[0-9a-f]{12}\.tmp$/;

/** Halves of files that a crash left, in folders of the vault that are ours and, of plans, those of their state files. */
async function removeTemporary(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'log'>,
  directory: Pick<PlanDirectory, 'all'>,
  signal: AbortSignal,
): Promise<ChoreReport> {
  const { layout } = services;
  const ours = [
    ...[
      layout.root,
      layout.runtime,
      layout.decisions,
      layout.experts,
      layout.plans,
      layout.approvals,
      layout.mailboxes,
    ],
    ...[
      layout.deadLetters,
      layout.answers,
      layout.receipts,
      layout.gaps,
      layout.ingestions,
      layout.sending,
      layout.pendingRoutes,
    ],
    ...[layout.histories, layout.underWay, layout.programs],
  ];
  for (const outer of [layout.grants, layout.questions, layout.hooks]) {
    const inner = await listIfThere(services.disk, outer);
    ours.push(...inner.flatMap(({ name, kind }) => (kind === 'directory' ? [join(outer, name)] : [])));
  }
  let removed = 0;
  let bytes = 0;
  const remove = async (folder: string, isOurs: (of: string) => boolean) => {
    signal.throwIfAborted();
    for (const { name, kind } of await listIfThere(services.disk, folder)) {
      const [, of] = temporaryName.exec(name) ?? [];
      if (of === undefined || kind !== 'file' || !isOurs(of)) continue;
      const path = join(folder, name);
      const stat = await ifThere(path, () => services.disk.lstat(path));
      if (stat === undefined || services.clock.wallMs() - stat.mtimeMs < temporaryMs) continue;
      await removeTree(services.disk, path);
      services.log.info('removed a half-written file', { path });
      removed += 1;
      bytes += stat.size;
    }
  };
  for (const folder of ours) await remove(folder, () => true);
  const stateFiles: ReadonlySet<string> = new Set(Object.values(planFiles));
  for (const plan of (await directory.all()).plans) await remove(plan.directory, (of) => stateFiles.has(of));
  return { removed, bytes, problems: [] };
}

async function removeIndexes(
  { git }: Pick<PlanServices, 'git'>,
  directory: Pick<PlanDirectory, 'all'>,
  signal: AbortSignal,
): Promise<ChoreReport> {
  let removed = 0;
  const projects = new Set((await directory.all()).plans.map(({ projectDirectory }) => projectDirectory));
  for (const project of projects) {
    signal.throwIfAborted();
    try {
      removed += await removeStaleIndexes(git, (await locateRepository(git, project)).gitDirectory);
    } catch (error) {
      // A project without a repository has none of them, and doctor tells of one that is damaged.
      if (!isRavelError(error)) throw error;
    }
  }
  return { removed, bytes: 0, problems: [] };
}
