import { basename, join } from 'node:path';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import type { RavelError } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { projectNameProblem, type QualifiedId, rootPlanName, toQualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { projectPaths, type VaultLayout } from './layout.ts';
import { resolveFolder } from './namedFolder.ts';
import { descriptionError, planScaffold } from './planScaffold.ts';
import { type Link, placeLink, readLinks } from './projectLinks.ts';
import { prepareRegistration } from './projects.ts';
import { findForeign, type Scaffold, writeScaffold } from './scaffold.ts';
import { foldFileName } from './walk.ts';

export interface Adoption {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  /** Absolute path of the project's folder. */
  readonly project: string;
  /** The folder's own name if none is given. */
  readonly name?: string;
  /** For the root plan that is made; a project that has one needs none. */
  readonly description?: string;
  /** Where the project's repository comes from, for other machines. */
  readonly remote?: string;
}

export interface Adopted {
  readonly plan: QualifiedId;
  /** Whether the project had a root plan already, which was linked as it is. */
  readonly relinked: boolean;
  /** Paths of the vault that changed and are tracked, for a commit. */
  readonly vaultPaths: readonly string[];
}

/**
 * Takes a project into the vault: makes `<project>/ravel/` with a root plan unless it has one, registers it, and links
 * it. Everything is checked before anything is written, and the link comes last, so that after a crash the same call
 * completes what it began. Throws `plan/badDescription`, `plan/badId`, `project/missing`, `project/exists`,
 * `project/badLink` or `project/noRootPlan`.
 */
export async function adoptProject(adoption: Adoption): Promise<Adopted> {
  const { disk, layout, description, remote } = adoption;
  const path = await resolveFolder(disk, adoption.project);
  const name = adoption.name ?? basename(path);
  const problem = projectNameProblem(name);
  if (problem !== undefined) throw failure('plan/badId', name, `"${name}" cannot name a project: ${problem}.`);

  const ravelDirectory = join(path, projectPaths.ravel);
  const link = await checkLinks(disk, layout, name, ravelDirectory);
  const hasPlan = await hasFile(disk, join(ravelDirectory, rootPlanName, planFiles.marker));
  const badDescription = hasPlan && description === undefined ? undefined : descriptionError(name, description ?? '');
  if (badDescription !== undefined) throw badDescription;
  const scaffold = projectScaffold(name, description ?? '');
  const relinked = await checkRavelFolder(disk, ravelDirectory, scaffold);
  const registration = await prepareRegistration(disk, layout, {
    name,
    path,
    ...defined({ remote }),
  });
  if (link === 'ours' && relinked && registration.isComplete) {
    throw failure('project/exists', name, `The project "${name}" is adopted already.`);
  }

  if (!relinked) await writeScaffold(disk, ravelDirectory, scaffold);
  await registration.write();
  if (link !== 'ours') await placeLink(disk, layout, name, { target: ravelDirectory, replaces: link === 'dangling' });
  return { plan: toQualifiedId(`${name}/${rootPlanName}`), relinked, vaultPaths: [basename(layout.projectsFile)] };
}

/** `free`: nothing there. `ours`: it leads to this project. `dangling`: it leads nowhere and may be replaced. */
type LinkState = 'free' | 'ours' | 'dangling';

/** Looks at every link, since neither the name nor the project may be taken by another. */
async function checkLinks(disk: Disk, layout: VaultLayout, name: string, target: string): Promise<LinkState> {
  let state: LinkState = 'free';
  for (const other of await readLinks(disk, layout)) {
    if (other.name === name) state = sameNameState(layout, other, target);
    else if (other.leadsTo === target)
      throw failure('project/exists', name, `This project is already adopted, as "${other.name}".`);
    else if (foldFileName(other.name) === foldFileName(name))
      throw taken(name, `"${other.name}" differs from it only in case`);
  }
  return state;
}

function sameNameState(layout: VaultLayout, link: Link, target: string): LinkState {
  const file = layout.project(link.name);
  if (link.leadsTo === undefined) {
    throw failure('project/badLink', link.name, `${file} is in the way: it is not a symlink.`, { file });
  }
  if (link.leadsTo === target) return 'ours';
  if (link.resolves) throw taken(link.name, `it leads to ${link.leadsTo}`);
  return 'dangling';
}

function taken(name: string, reason: string): RavelError {
  const help = 'Choose another name for the project.';
  return failure('project/exists', name, `The name "${name}" is taken: ${reason}.`, { help });
}

/** Whether the project has a root plan; a `ravel/` without one must be empty or the work of a call that a crash cut short. */
async function checkRavelFolder(disk: Disk, ravelDirectory: string, scaffold: Scaffold): Promise<boolean> {
  const stat = (await exists(disk, ravelDirectory)) ? await disk.lstat(ravelDirectory) : undefined;
  if (stat === undefined) return false;
  if (stat.kind !== 'directory') {
    const help = 'Move it away, or adopt another folder.';
    throw failure('project/badLink', ravelDirectory, `${ravelDirectory} is in the way: it is not a folder.`, { help });
  }
  if (await hasFile(disk, join(ravelDirectory, rootPlanName, planFiles.marker))) return true;
  const foreign = await findForeign(disk, ravelDirectory, scaffold);
  if (foreign === undefined) return false;
  throw failure(
    'project/noRootPlan',
    ravelDirectory,
    `${ravelDirectory} holds "${foreign}" but no root plan; it is left as it is.`,
    { help: 'Move that folder away, or make ravel/project-root/plan-state.md in it yourself.' },
  );
}

async function hasFile(disk: Disk, path: string): Promise<boolean> {
  try {
    return (await disk.lstat(path)).kind === 'file';
  } catch (error) {
    if (leadsNowhere(error)) return false;
    throw toDiskError(error, path, 'read');
  }
}

function projectScaffold(name: string, description: string): Scaffold {
  const plan = [...planScaffold(name, description)];
  return new Map([
    ['.gitignore', ignored],
    [`${projectPaths.knowledge}/.gitkeep`, ''],
    ...plan.map(([file, text]) => [`${rootPlanName}/${file}`, text] as const),
  ]);
}

/** Below the root plan alone: knowledge/ may hold notes of any name. */
const ignored = `# Views that Ravel makes, and what a cycle uses up
/project-root/**/backlog.md
/project-root/**/memory.md
/project-root/**/session-log.md
/project-root/**/commits.yaml
/project-root/**/dispatches.yaml
/project-root/**/queries.yaml
.*.tmp
`;
