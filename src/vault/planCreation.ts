import { dirname, join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { type RavelError, systemCode } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { type QualifiedId, qualifiedIdProblem, rootPlanName } from '../model/id.ts';
import { planFiles, viewFiles } from '../model/plan.ts';
import type { VaultLayout } from './layout.ts';
import { descriptionError, planScaffold } from './planScaffold.ts';
import { findForeign, writeScaffold } from './scaffold.ts';
import { foldCase } from './walk.ts';

export interface NewPlan {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly id: QualifiedId;
  readonly description: string;
}

/**
 * Makes a child plan in the folder of an existing one, and returns its folder. The marker comes last, so that after a
 * crash the same call completes what it began. Throws `plan/badDescription`, `plan/badId`, `plan/unknown` (no such
 * parent) or `plan/exists`.
 */
export async function createPlan(plan: NewPlan): Promise<string> {
  const { disk, layout, id, description } = plan;
  const badDescription = descriptionError(id, description);
  if (badDescription !== undefined) throw badDescription;
  const problem = childIdProblem(id);
  if (problem !== undefined) throw failure('plan/badId', id, `"${id}" cannot name a new plan: ${problem}.`);

  const directory = layout.plan(id);
  const name = id.slice(id.lastIndexOf('/') + 1);
  await checkParent(disk, layout, id);
  const scaffold = planScaffold(name, description);
  await checkFolder(disk, directory, id);
  const foreign = (await exists(disk, directory)) ? await findForeign(disk, directory, scaffold) : undefined;
  if (foreign !== undefined) throw planExists(id, `there is "${foreign}" in that folder`);
  await writeScaffold(disk, directory, scaffold);
  return directory;
}

function childIdProblem(id: QualifiedId): string | undefined {
  const problem = qualifiedIdProblem(id);
  if (problem !== undefined) return problem;
  const segments = id.split('/');
  const name = segments.at(-1) ?? '';
  if (id.startsWith('expert:')) return 'it names an expert';
  if (segments.length < 3) return `a project gets its ${rootPlanName} by adoption`;
  const reserved = [...Object.values(planFiles), ...viewFiles, 'pre-work.sh'];
  if (reserved.some((file) => foldCase(file) === foldCase(name)) || /^prompt-.+\.md$/i.test(name)) {
    return `a file of the plan above bears the name "${name}"`;
  }
  return undefined;
}

async function checkParent(disk: Disk, layout: VaultLayout, id: QualifiedId): Promise<void> {
  const parentId = id.slice(0, id.lastIndexOf('/'));
  const parent = dirname(layout.plan(id));
  const unknown = (reason: string) => failure('plan/unknown', parentId, `There is no plan "${parentId}"${reason}.`);
  try {
    if ((await disk.lstat(join(parent, planFiles.marker))).kind !== 'file') throw unknown('');
    const [project = '', ...below] = id.split('/').slice(0, -1);
    // The project's own link is the only one on the way: any other could lead out of ravel/.
    const expected = join(await disk.realPath(layout.project(project)), ...below);
    if ((await disk.realPath(parent)) !== expected) throw unknown(': a symlink stands on the way to it');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) throw unknown('');
    throw toDiskError(error, parent, 'read');
  }
}

async function checkFolder(disk: Disk, directory: string, id: QualifiedId): Promise<void> {
  const name = id.slice(id.lastIndexOf('/') + 1);
  for (const entry of await disk.readDirectory(dirname(directory))) {
    if (foldCase(entry.name) !== foldCase(name)) continue;
    if (entry.name !== name) throw planExists(id, `"${entry.name}" differs from it only in case`);
    if (entry.kind !== 'directory') throw planExists(id, 'that name is taken by something that is no folder');
    if (await exists(disk, join(directory, planFiles.marker))) throw planExists(id, 'it is a plan already');
  }
}

function planExists(id: QualifiedId, reason: string): RavelError {
  return failure('plan/exists', id, `The plan "${id}" cannot be made: ${reason}.`);
}
