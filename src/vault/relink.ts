import { isAbsolute, join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import type { Diagnostic } from '../base/errors.ts';
import { shellWord } from '../base/text.ts';
import { type DiagnosticPlace, diagnostic } from '../model/codes.ts';
import { projectNameProblem, rootPlanName } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { projectPaths, type VaultLayout } from './layout.ts';
import { type Link, placeLink, readLinks } from './projectLinks.ts';
import { loadProjects, type ProjectEntry } from './projects.ts';
import { foldFileName } from './walk.ts';

export interface Relinked {
  /** Names of the projects whose link was made. */
  readonly linked: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes the links of `projects/` from `projects.yaml` and `projects.local.yaml`, as after a clone of the vault. Replaces
 * a link that leads nowhere and nothing else: whatever a person put there stays and is reported.
 */
export function relinkProjects(disk: Disk, layout: VaultLayout): Promise<Relinked> {
  return goThroughLinks(disk, layout, (name, step) => placeLink(disk, layout, name, step));
}

/** What `relinkProjects` would say, without making a link. */
export async function findLinkProblems(disk: Disk, layout: VaultLayout): Promise<readonly Diagnostic[]> {
  return (await goThroughLinks(disk, layout, async () => undefined)).diagnostics;
}

async function goThroughLinks(
  disk: Disk,
  layout: VaultLayout,
  place: (name: string, step: Extract<Step, { kind: 'link' }>) => Promise<void>,
): Promise<Relinked> {
  const { projects, diagnostics: faults } = await loadProjects(disk, layout);
  const links = await readLinks(disk, layout);
  const linked: string[] = [];
  const diagnostics: Diagnostic[] = [...faults];
  const taken = new Map(links.filter(({ resolves }) => resolves).map(({ name, leadsTo }) => [leadsTo, name]));
  for (const project of projects) {
    const step = await decide(disk, layout, { project, link: links.find(({ name }) => name === project.name), taken });
    if (step.kind === 'problem') diagnostics.push(step.diagnostic);
    if (step.kind !== 'link') continue;
    await place(project.name, step);
    taken.set(step.target, project.name);
    linked.push(project.name);
  }
  // If the registry cannot be read, nothing can be said of what it does not name.
  if (faults.every(({ severity }) => severity !== 'error')) {
    diagnostics.push(
      ...links.filter(({ name }) => isUnregistered(name, projects)).map((link) => unregistered(layout, link)),
    );
  }
  return { linked, diagnostics };
}

type Step =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'link'; readonly target: string; readonly replaces: boolean }
  | { readonly kind: 'problem'; readonly diagnostic: Diagnostic };

interface Candidate {
  readonly project: ProjectEntry;
  readonly link: Link | undefined;
  /** Which name leads to a folder already. */
  readonly taken: ReadonlyMap<string | undefined, string>;
}

async function decide(disk: Disk, layout: VaultLayout, { project, link, taken }: Candidate): Promise<Step> {
  const { name, path } = project;
  const nameProblem = projectNameProblem(name);
  if (nameProblem !== undefined) {
    const help = 'Correct the name in projects.yaml.';
    return problem('plan/badId', name, `"${name}" cannot name a project: ${nameProblem}.`, { help });
  }
  if (path === undefined) return link?.resolves === true ? { kind: 'nothing' } : notHere(layout, project);
  if (!isAbsolute(path)) {
    const help = 'Write the whole path, from the root.';
    return problem('project/missing', name, `The path of "${name}" is not absolute: ${path}.`, {
      file: layout.localProjectsFile,
      help,
    });
  }
  const target = await ravelFolder(disk, path);
  if (link?.leadsTo !== undefined && link.resolves && link.leadsTo !== target) {
    const help = `Remove the link, or correct the path of "${name}" in projects.local.yaml; then rescan.`;
    const message = `projects/${name} leads to ${link.leadsTo}, and projects.local.yaml says ${path}.`;
    return problem('project/badLink', name, message, { file: layout.project(name), help });
  }
  if (target === undefined) return gone(layout, project);
  if (link?.leadsTo === target && link.resolves) return { kind: 'nothing' };
  const other = [...taken].find(([folder, owner]) => folder === target || foldFileName(owner) === foldFileName(name));
  if (other !== undefined && other[1] !== name) {
    return problem('project/exists', name, `"${name}" is the same project or name as "${other[1]}".`);
  }
  if (link !== undefined && link.leadsTo === undefined) {
    const file = layout.project(name);
    return problem('project/badLink', name, `${file} is in the way: it is not a symlink.`, { file });
  }
  return { kind: 'link', target, replaces: link !== undefined };
}

/** Real path of the `ravel/` with a root plan in this project; undefined if there is none. */
async function ravelFolder(disk: Disk, path: string): Promise<string | undefined> {
  try {
    const folder = join(await disk.realPath(path), projectPaths.ravel);
    const marker = await disk.lstat(join(folder, rootPlanName, planFiles.marker));
    return marker.kind === 'file' ? folder : undefined;
  } catch (error) {
    if (leadsNowhere(error)) return undefined;
    throw toDiskError(error, path, 'read');
  }
}

function notHere(layout: VaultLayout, { name, remote }: ProjectEntry): Step {
  const clone = remote === undefined ? 'Get its folder' : `Clone ${remote}`;
  const help = `${clone} and run \`ravel adopt DIR --name ${shellWord(name)}\`.`;
  const file = layout.projectsFile;
  const message = `The project "${name}" is not on this machine.`;
  return problem('project/notHere', name, message, { severity: 'warning', file, help });
}

function gone(layout: VaultLayout, { name, path, remote }: ProjectEntry): Step {
  const clone = remote === undefined ? '' : `, or clone ${remote}`;
  const help = `Find the folder${clone}, and run \`ravel adopt DIR --name ${shellWord(name)}\`.`;
  const message = `There is no root plan of "${name}" in ${path}: ${projectPaths.ravel}/${rootPlanName}/${planFiles.marker} is missing.`;
  return problem('project/noRootPlan', name, message, { file: layout.localProjectsFile, help });
}

function unregistered(layout: VaultLayout, { name, leadsTo }: Link): Diagnostic {
  const file = layout.project(name);
  const message = `projects/${name} is in neither projects.yaml nor projects.local.yaml.`;
  const folder = leadsTo === undefined ? 'DIR' : leadsTo.replace(/[\\/]ravel$/, '');
  const help = `Run \`ravel adopt ${shellWord(folder)} --name ${shellWord(name)}\`, or remove the entry.`;
  return diagnostic('project/unregistered', name, message, { severity: 'warning', file, help });
}

function isUnregistered(name: string, projects: readonly ProjectEntry[]): boolean {
  // Systems leave their own files in any folder; none can be the name of a project.
  return !name.startsWith('.') && !projects.some((project) => project.name === name);
}

function problem(
  code: Parameters<typeof diagnostic>[0],
  name: string,
  message: string,
  place: DiagnosticPlace = {},
): Step {
  return { kind: 'problem', diagnostic: diagnostic(code, name, message, place) };
}
