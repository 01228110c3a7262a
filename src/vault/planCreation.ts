import { join } from 'node:path';
import type { DirectoryEntry, Disk } from '../base/disk.ts';
import { leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import type { RavelError } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { projectOf, type QualifiedId, qualifiedIdProblem, rootPlanName, toQualifiedId } from '../model/id.ts';
import { planFiles, viewFiles } from '../model/plan.ts';
import type { VaultLayout } from './layout.ts';
import { descriptionError, planScaffold } from './planScaffold.ts';
import { findForeign, type Scaffold, writeScaffold } from './scaffold.ts';
import { foldFileName } from './walk.ts';

export interface NewPlan {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly id: QualifiedId;
  readonly description: string;
  /** Called when it is sure that the plan is made, right before anything of it is. */
  readonly makeWay?: () => Promise<void>;
}

/**
 * Makes a plan somewhere below its project's root plan, and returns its folder. Folders on the way need not be plans:
 * missing ones are made, and a folder that only holds others can become a plan itself. The marker comes last, so that
 * after a crash the same call completes what it began. Throws `plan/badDescription`, `plan/badId`, `plan/unknown` (no
 * such project) or `plan/exists`.
 */
export async function createPlan(plan: NewPlan): Promise<string> {
  const { disk, layout, id, description } = plan;
  const badDescription = descriptionError(id, description);
  if (badDescription !== undefined) throw badDescription;
  const directory = await checkNewPlan(disk, layout, id);
  const scaffold = planScaffold(id.slice(id.lastIndexOf('/') + 1), description);
  const foreign = (await exists(disk, directory)) ? await findForeignFile(disk, directory, scaffold) : undefined;
  if (foreign !== undefined) throw planExists(id, `there is "${foreign}" in that folder`);
  await plan.makeWay?.();
  await writeScaffold(disk, directory, scaffold);
  return directory;
}

/** The folder of a plan that may be made under this id; there can be a folder, but no plan. Throws as `createPlan` does. */
export async function checkNewPlan(disk: Disk, layout: VaultLayout, id: QualifiedId): Promise<string> {
  checkPlanName(id);
  await checkProject(disk, layout, id);
  await checkWay(disk, layout, id);
  return layout.plan(id);
}

/** Throws `plan/badId` unless a child plan can have this id. */
export function checkPlanName(id: QualifiedId): void {
  const problem = childIdProblem(id);
  if (problem !== undefined) throw failure('plan/badId', id, `"${id}" cannot name a new plan: ${problem}.`);
}

/** Why a child plan cannot have this id, as a sentence without its end; undefined if it can. */
export function childIdProblem(id: string): string | undefined {
  const problem = qualifiedIdProblem(id);
  if (problem !== undefined) return problem;
  if (id.startsWith('expert:')) return 'it names an expert';
  const names = id.split('/').slice(2);
  if (names.length === 0) return `a project gets its ${rootPlanName} by adoption`;
  const taken = names.find(isPlanFileName);
  return taken === undefined ? undefined : `a file of the plan above has the name "${taken}"`;
}

function isPlanFileName(name: string): boolean {
  const reserved = [...Object.values(planFiles), ...viewFiles, 'pre-work.sh'];
  return reserved.some((file) => foldFileName(file) === foldFileName(name)) || /^prompt-.+\.md$/i.test(name);
}

async function checkProject(disk: Disk, layout: VaultLayout, id: QualifiedId): Promise<void> {
  const root = toQualifiedId(`${projectOf(id)}/${rootPlanName}`);
  try {
    const isFolder = (await disk.lstat(layout.plan(root))).kind === 'directory';
    if (isFolder && (await disk.lstat(join(layout.plan(root), planFiles.marker))).kind === 'file') return;
  } catch (error) {
    if (!leadsNowhere(error)) throw toDiskError(error, layout.plan(root), 'read');
  }
  throw failure('plan/unknown', root, `There is no plan "${root}".`);
}

/** Looks at each name on the way down, as far as there is anything. */
async function checkWay(disk: Disk, layout: VaultLayout, id: QualifiedId): Promise<void> {
  const names = id.split('/').slice(2);
  let folder = layout.plan(toQualifiedId(`${projectOf(id)}/${rootPlanName}`));
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1;
    const entries = await readFolder(disk, folder);
    const entry =
      entries.find((one) => one.name === name) ?? entries.find((one) => foldFileName(one.name) === foldFileName(name));
    if (entry === undefined) return;
    if (entry.name !== name) throw planExists(id, `"${entry.name}" differs from "${name}" only in case`);
    // A symlink could lead out of ravel/.
    if (entry.kind === 'symlink') throw planExists(id, `a symlink stands on the way to it: "${name}"`);
    if (entry.kind !== 'directory')
      throw planExists(id, `the name "${name}" is taken by something that is not a folder`);
    folder = join(folder, name);
    if (isLast && (await exists(disk, join(folder, planFiles.marker)))) throw planExists(id, 'it is a plan already');
  }
}

async function readFolder(disk: Disk, folder: string): Promise<DirectoryEntry[]> {
  try {
    return await disk.readDirectory(folder);
  } catch (error) {
    throw toDiskError(error, folder, 'read');
  }
}

/** Folders may stand there already: they are other plans, or the way to them. */
async function findForeignFile(disk: Disk, directory: string, scaffold: Scaffold): Promise<string | undefined> {
  const entries = await readFolder(disk, directory);
  const folders = entries.filter(({ kind }) => kind === 'directory').map(({ name }) => name);
  return findForeign(disk, directory, scaffold, { ignored: folders });
}

function planExists(id: QualifiedId, reason: string): RavelError {
  return failure('plan/exists', id, `The plan "${id}" cannot be made: ${reason}.`);
}
