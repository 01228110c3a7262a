import { join, posix, relative, sep } from 'node:path';
import { mailboxPaths } from '../actors/mailbox.ts';
import type { Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { readTextIfExists } from '../base/files.ts';
import { type CopiedEntry, listFolder } from '../git/repositoryContents.ts';
import { sessionFiles } from '../harness/hostRecord.ts';
import type { QualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { projectPaths, type VaultLayout } from '../vault/layout.ts';
import type { RunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';

/** Files that belong to a session's process, which the copy has nothing to do with. */
const ofProcess: ReadonlySet<string> = new Set(Object.values(sessionFiles));

/**
 * What a cycle of one plan reads of its vault, with its places relative to the copy of it: settings, rules, experts,
 * entries, decisions, and of `runtime/` what is about this plan. Its run state is not among it.
 */
export async function listVault(
  disk: Disk,
  layout: VaultLayout,
  plan: QualifiedId,
  { workSession }: RunState,
): Promise<CopiedEntry[]> {
  const { root } = layout;
  const at = (path: string) => relative(root, path).split(sep).join('/');
  const { mailbox, cursor } = mailboxPaths(layout.mailboxes, plan);
  const files = [
    // What git ignores there is not compared when Ravel looks for what decides what others run.
    join(root, '.gitignore'),
    ...[layout.identity, layout.settings, layout.routing, layout.projectsFile, layout.spending, layout.renames],
    ...[layout.attributions(plan), layout.history(plan), layout.replied(plan), layout.origins(plan)],
    // The position first: a message that is handled meanwhile is then only seen twice.
    ...[cursor, mailbox],
  ];
  const entries: CopiedEntry[] = [];
  for (const path of files) {
    const stat = await ifThere(path, () => disk.stat(path), leadsNowhere);
    if (stat?.kind !== 'file') continue;
    entries.push({ from: path, to: at(path), kind: 'file', bytes: stat.size, isNeeded: false });
  }
  for (const folder of [layout.experts, layout.knowledge, layout.decisions]) {
    entries.push(...(await listFolder(disk, folder, at(folder), root)));
  }
  if (workSession === undefined) return entries;
  const session = await listFolder(disk, layout.session(workSession), at(layout.session(workSession)), root);
  return [...entries, ...session.filter(({ to }) => !ofProcess.has(posix.basename(to)))];
}

/** Of the plans of other projects what prompts say about them: their descriptions. Places are relative to `others`. */
export async function listOtherPlans(
  disk: Disk,
  plans: readonly PlanLocation[],
  project: string,
): Promise<CopiedEntry[]> {
  const entries: CopiedEntry[] = [];
  for (const plan of plans) {
    if (plan.project === project) continue;
    const from = join(plan.directory, planFiles.marker);
    const stat = await ifThere(from, () => disk.stat(from), leadsNowhere);
    if (stat?.kind !== 'file') continue;
    const to = posix.join(plan.project, projectPaths.ravel, ...plan.id.split('/').slice(1), planFiles.marker);
    entries.push({ from, to, kind: 'file', bytes: stat.size, isNeeded: false });
  }
  return entries;
}

/** The text of the run state as it is on disk, to see whether it has changed. */
export function readRunStateText(disk: Disk, layout: VaultLayout, plan: QualifiedId): Promise<string | undefined> {
  return readTextIfExists(disk, layout.runState(plan));
}
