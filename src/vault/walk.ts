import { basename, dirname, join, resolve } from 'node:path';
import { forEachYielding } from '../base/async.ts';
import { defined } from '../base/defined.ts';
import type { DirectoryEntry, ReadingDisk } from '../base/disk.ts';
import { isAbsent, toDiskError } from '../base/diskErrors.ts';
import { type Diagnostic, systemCode } from '../base/errors.ts';
import { isTemporaryName } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import { type Code, diagnostic } from '../model/codes.ts';
import {
  isQualifiedId,
  projectNameProblem,
  projectOf,
  type QualifiedId,
  qualifiedIdProblem,
  rootPlanName,
} from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { projectPaths, type VaultLayout } from './layout.ts';

/** A plan that was found, and where. */
export interface PlanLocation {
  readonly id: QualifiedId;
  /** The plan's folder through the vault's link. */
  readonly directory: string;
  /** Name of the project in this vault. */
  readonly project: string;
  /** Real path of the project: the folder that holds `ravel/`. */
  readonly projectDirectory: string;
  /** Real path of the project's `ravel/`. */
  readonly ravelDirectory: string;
  /** The nearest plan above. */
  readonly parent?: QualifiedId;
}

export interface VaultWalk {
  /** Sorted by id, without two that differ only in case. */
  readonly plans: readonly PlanLocation[];
  /** Sorted by file. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Folders read at the same time: an unbounded walk of a large vault runs out of descriptors. */
const readersMax = 16;

/**
 * Finds every plan, and checks that plans and the targets of links are in allowed places. Reads only folders, not
 * files. Never throws for what it finds: an entry that cannot be read is a diagnostic as well. `onPlan` gets the
 * entries of the folder of each plan, so that the caller need not read it again.
 */
export async function walkVault(
  disk: ReadingDisk,
  layout: VaultLayout,
  onPlan?: (id: QualifiedId, entries: readonly DirectoryEntry[]) => void,
): Promise<VaultWalk> {
  const walk: Walk = { disk, layout, found: [], diagnostics: [], onPlan };
  const projects = await linkedProjects(walk);
  const pending: Folder[] = projects.map((project) => ({ project, path: '' }));
  while (pending.length > 0) {
    const batch = await Promise.all(pending.splice(-readersMax).map((folder) => visitFolder(walk, folder)));
    pending.push(...batch.flat());
  }
  reportMissingRoots(walk, projects);
  const plans = await withoutClashes(walk);
  walk.diagnostics.sort((a, b) => compare(a.file ?? '', b.file ?? '') || compare(a.code, b.code));
  return { plans, diagnostics: walk.diagnostics };
}

interface Walk {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly found: { readonly id: QualifiedId; readonly project: LinkedProject }[];
  readonly diagnostics: Diagnostic[];
  readonly onPlan: ((id: QualifiedId, entries: readonly DirectoryEntry[]) => void) | undefined;
}

interface LinkedProject {
  readonly name: string;
  readonly ravelDirectory: string;
}

/** A folder of a project; `path` is relative to its `ravel/`, with `/`. */
interface Folder {
  readonly project: LinkedProject;
  readonly path: string;
}

async function linkedProjects(walk: Walk): Promise<LinkedProject[]> {
  const projects: LinkedProject[] = [];
  const entries = await readFolder(walk, walk.layout.projects);
  for (const entry of entries.sort((a, b) => compare(a.name, b.name))) {
    // Systems leave their own files in any folder (.DS_Store); none can be the name of a project.
    if (entry.name.startsWith('.') && entry.kind === 'file') continue;
    const ravelDirectory = await resolveProject(walk, entry);
    if (ravelDirectory === undefined) continue;
    const other = projects.find((one) => one.ravelDirectory === ravelDirectory);
    if (other === undefined) projects.push({ name: entry.name, ravelDirectory });
    else badLink(walk, entry.name, `leads to the same folder as "${other.name}"; a plan has one host project`);
  }
  return projects;
}

async function resolveProject(walk: Walk, entry: DirectoryEntry): Promise<string | undefined> {
  const { disk, layout } = walk;
  const path = layout.project(entry.name);
  const problem = projectNameProblem(entry.name);
  if (problem !== undefined) return badLink(walk, entry.name, `cannot name a project: ${problem}`);
  if (entry.kind !== 'symlink')
    return badLink(walk, entry.name, 'is not a symlink; it must lead to the ravel/ of a project');
  try {
    const target = await disk.realPath(path);
    const isRavel = basename(target) === projectPaths.ravel && (await disk.stat(target)).kind === 'directory';
    return isRavel
      ? target
      : badLink(walk, entry.name, `leads to ${target}, which is not the ravel/ folder of a project`);
  } catch (error) {
    if (systemCode(error) === 'ELOOP') {
      return report(walk, 'project/linkLoop', `projects/${entry.name}`, 'is a symlink that leads back to itself', path);
    }
    if (!isAbsent(error)) {
      reportUnreadable(walk, error, path);
      return undefined;
    }
    // Only the sentence is poorer without it: the link may be gone by now.
    const target = await disk.readLink(path).catch(() => 'nowhere');
    return badLink(walk, entry.name, `leads to ${target}, which does not exist`);
  }
}

async function visitFolder(walk: Walk, folder: Folder): Promise<Folder[]> {
  const { project, path } = folder;
  const below: Folder[] = [];
  let hasMarker = false;
  const entries = await readFolder(walk, join(project.ravelDirectory, path));
  for (const entry of entries) {
    // Most entries are other files of a plan, and need no path.
    if (entry.kind === 'other' || (entry.kind === 'file' && entry.name !== planFiles.marker)) continue;
    const child = { project, path: path === '' ? entry.name : `${path}/${entry.name}` };
    const staysInside = entry.kind !== 'symlink' || (await checkLink(walk, child));
    const isFile = entry.kind === 'file' || entry.kind === 'symlink';
    if (entry.name === planFiles.marker && isFile && staysInside) hasMarker = true;
    // A folder with a temporary name is a plan that is being put together, or what a crash left of one.
    if (entry.kind !== 'directory' || entry.name === '.git' || isTemporaryName(entry.name)) continue;
    if (entry.name === rootPlanName && path !== '') {
      const message = `The folder ${child.path} has the reserved name "${rootPlanName}".`;
      reportAt(walk, 'project/nestedRoot', child, message);
    } else {
      below.push(child);
    }
  }
  if (hasMarker) addPlan(walk, folder, entries);
  return below;
}

function addPlan(walk: Walk, folder: Folder, entries: readonly DirectoryEntry[]): void {
  const { project, path } = folder;
  const marker = { project, path: path === '' ? planFiles.marker : `${path}/${planFiles.marker}` };
  const id = `${project.name}/${path}`;
  const top = path.split('/')[0];
  if (top === projectPaths.knowledge) {
    reportAt(walk, 'project/planInKnowledge', marker, `There is a plan in knowledge/: ${path}.`);
  } else if (top !== rootPlanName) {
    reportAt(walk, 'plan/badId', marker, `The plan in ravel/${path} stands outside ${rootPlanName}/.`);
  } else if (isQualifiedId(id)) {
    walk.found.push({ id, project });
    walk.onPlan?.(id, entries);
  } else {
    reportAt(walk, 'plan/badId', marker, `"${id}" cannot name a plan: ${qualifiedIdProblem(id) ?? 'it is not an id'}.`);
  }
}

/** Reports a symlink that leaves `ravel/`, leads nowhere or back to itself; returns whether it is harmless. */
async function checkLink(walk: Walk, link: Folder): Promise<boolean> {
  const root = link.project.ravelDirectory;
  const path = join(root, link.path);
  try {
    const target = await walk.disk.realPath(path);
    if (!isWithin(root, target)) {
      return reportAt(walk, 'project/linkOut', link, `The symlink ${link.path} leaves ravel/: it leads to ${target}.`);
    }
    if (!isWithin(target, path)) return true;
    return reportAt(walk, 'project/linkLoop', link, `The symlink ${link.path} leads back to a folder above it.`);
  } catch (error) {
    if (systemCode(error) === 'ELOOP') {
      return reportAt(walk, 'project/linkLoop', link, `The symlink ${link.path} leads back to itself.`);
    }
    if (!isAbsent(error)) {
      reportUnreadable(walk, error, path);
      return false;
    }
    // As above; a link that is gone led to nothing outside.
    const target = resolve(dirname(path), await walk.disk.readLink(path).catch(() => '.'));
    const code = isWithin(root, target) ? 'project/badLink' : 'project/linkOut';
    return reportAt(walk, code, link, `The symlink ${link.path} leads nowhere: there is no ${target}.`);
  }
}

function reportMissingRoots(walk: Walk, projects: readonly LinkedProject[]): void {
  const ids = new Set<string>(walk.found.map(({ id }) => id));
  for (const project of projects) {
    if (ids.has(`${project.name}/${rootPlanName}`)) continue;
    const message = `The project "${project.name}" has no root plan: there is no ${rootPlanName}/${planFiles.marker}.`;
    reportAt(walk, 'project/noRootPlan', { project, path: rootPlanName }, message);
  }
}

/** Ids become names of files in `runtime/`, where on some systems two that differ only in case are one. */
async function withoutClashes(walk: Walk): Promise<PlanLocation[]> {
  const byFoldedId = new Map<string, QualifiedId>();
  const kept = new Map<string, PlanLocation>();
  const sorted = walk.found.sort((a, b) => compare(a.id, b.id));
  await forEachYielding(sorted, ({ id, project }) => {
    const folded = foldFileName(id);
    const other = byFoldedId.get(folded);
    if (other === undefined) {
      byFoldedId.set(folded, id);
      kept.set(id, locate(walk.layout, id, project, kept));
      return;
    }
    const message = `The plans "${other}" and "${id}" differ only in case; the second is left out.`;
    const place = { file: walk.layout.plan(id), help: 'Rename one of the two folders.' };
    walk.diagnostics.push(diagnostic('plan/badId', id, message, place));
  });
  return [...kept.values()];
}

/** Case and Unicode form are what file systems disagree about. */
export function foldFileName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** `above` holds every plan above `id`: in the order of ids they come first. */
function locate(
  layout: VaultLayout,
  id: QualifiedId,
  project: LinkedProject,
  above: ReadonlyMap<string, PlanLocation>,
): PlanLocation {
  return locatePlan(layout, { id, ravelDirectory: project.ravelDirectory, parent: nearestAbove(id, above) });
}

/** All that is known of a plan's place, from what cannot be worked out. */
export function locatePlan(
  layout: VaultLayout,
  {
    id,
    ravelDirectory,
    parent,
  }: { readonly id: QualifiedId; readonly ravelDirectory: string; readonly parent: QualifiedId | undefined },
): PlanLocation {
  return {
    id,
    directory: layout.plan(id),
    project: projectOf(id),
    projectDirectory: dirname(ravelDirectory),
    ravelDirectory,
    ...defined({ parent }),
  };
}

function nearestAbove(id: QualifiedId, above: ReadonlyMap<string, PlanLocation>): QualifiedId | undefined {
  for (let end = id.lastIndexOf('/'); end > 0; end = id.lastIndexOf('/', end - 1)) {
    const plan = above.get(id.slice(0, end));
    if (plan !== undefined) return plan.id;
  }
  return undefined;
}

/** What vanished while the walk ran has no entries; a folder that cannot be read has none either, and is reported. */
async function readFolder(walk: Walk, path: string): Promise<DirectoryEntry[]> {
  try {
    return await walk.disk.readDirectory(path);
  } catch (error) {
    if (!isAbsent(error)) reportUnreadable(walk, error, path);
    return [];
  }
}

/** What the system refuses is bad content; anything else is a defect and goes on. */
function reportUnreadable(walk: Walk, error: unknown, path: string): void {
  if (systemCode(error) === undefined) throw error;
  walk.diagnostics.push(toDiskError(error, path, 'read').diagnostic);
}

function badLink(walk: Walk, name: string, problem: string): undefined {
  return report(walk, 'project/badLink', `projects/${name}`, problem, walk.layout.project(name));
}

function report(walk: Walk, code: Code, entry: string, problem: string, file: string): undefined {
  walk.diagnostics.push(diagnostic(code, entry, `The entry ${entry} ${problem}.`, { file }));
}

function reportAt(walk: Walk, code: Code, place: Folder, message: string): false {
  const { project, path } = place;
  const file = join(walk.layout.project(project.name), path);
  walk.diagnostics.push(diagnostic(code, `${project.name}/${path}`, message, { file }));
  return false;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
