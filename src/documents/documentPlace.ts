import { basename, dirname, join, relative, sep } from 'node:path';
import { isWithin } from '../base/paths.ts';
import { type DocumentKind, planDocuments, projectDocuments, vaultDocuments } from '../model/document.ts';
import type { QualifiedId } from '../model/id.ts';
import { type EntryPlace, entrySubject } from '../vault/entryFile.ts';
import { knowledgeFolders, placeInFolder } from '../vault/entryFiles.ts';
import type { VaultLayout } from '../vault/layout.ts';
import type { PlanLocation } from '../vault/walk.ts';
import type { YamlPlace } from '../yaml/yamlDocument.ts';

/** A file that Ravel reads, and what it belongs to. */
export interface DocumentPlace extends YamlPlace {
  readonly kind: DocumentKind;
  /** Path through the vault. */
  readonly file: string;
  readonly plan?: PlanLocation;
  /** Of a file in a `knowledge/`. */
  readonly entry?: EntryPlace;
  /** Whether the caller named the file by its real path; it then expects real paths of other files as well. */
  readonly isReal: boolean;
}

/** What an absolute path is; undefined for a file that Ravel does not read. */
export function placeOfDocument(
  layout: VaultLayout,
  plans: readonly PlanLocation[],
  path: string,
): DocumentPlace | undefined {
  const name = basename(path);
  const folder = dirname(path);
  const ownKind = vaultDocuments.get(name);
  if (folder === layout.root && ownKind !== undefined) {
    return { kind: ownKind, file: path, subject: path, isReal: false };
  }
  if (folder === layout.experts && name.endsWith('.md')) {
    return { kind: 'expert', file: path, subject: `expert:${name.slice(0, -'.md'.length)}`, isReal: false };
  }
  const kind = planDocuments.get(name);
  const projectKind = projectDocuments.get(name);
  if (projectKind !== undefined) return placeInProject(layout, plans, { kind: projectKind, file: path });
  if (kind === undefined) return name.endsWith('.md') ? placeOfEntry(layout, plans, path) : undefined;
  const isReal = !isWithin(layout.projects, folder);
  const plan = plans.find((one) => (isReal ? realDirectory(one) : one.directory) === folder);
  if (plan === undefined) return undefined;
  return { kind, file: join(plan.directory, name), subject: plan.id, plan, isReal };
}

/** A file of a project as a whole. Code that reads it names it by its real path, and so do its findings. */
function placeInProject(
  layout: VaultLayout,
  plans: readonly PlanLocation[],
  { kind, file }: Pick<DocumentPlace, 'kind' | 'file'>,
): DocumentPlace | undefined {
  const folder = dirname(file);
  const plan = plans.find((one) => [one.ravelDirectory, layout.project(one.project)].includes(folder));
  if (plan === undefined) return undefined;
  const real = join(plan.ravelDirectory, basename(file));
  return { kind, file: real, subject: real, isReal: folder === plan.ravelDirectory };
}

function placeOfEntry(layout: VaultLayout, plans: readonly PlanLocation[], path: string): DocumentPlace | undefined {
  for (const { folder, readFrom, project, isArchived } of knowledgeFolders(layout, plans)) {
    const root = [folder, readFrom].find((one) => isWithin(one, path));
    if (root === undefined) continue;
    const entry = placeInFolder(layout, { project, isArchived }, relative(root, path).split(sep).join('/'));
    const isReal = root !== folder;
    return { kind: 'entry', file: entry.file, subject: entrySubject(entry), entry, isReal };
  }
  return undefined;
}

/** The path of a plan's file, in the form in which the reader of a document names files. */
export function fileOfPlan(plan: PlanLocation, name: string, isReal: boolean): string {
  return join(isReal ? realDirectory(plan) : plan.directory, name);
}

/** Where documents lie: in the vault, and in the `ravel/` of each project. */
export function documentFolders(layout: VaultLayout, plans: readonly PlanLocation[]) {
  const names = `{${[...planDocuments.keys()].join(',')}}`;
  const projects = new Map(plans.map(({ ravelDirectory, project }) => [ravelDirectory, layout.project(project)]));
  const entries = ['knowledge/**/*.md', 'archive/knowledge/**/*.md'];
  const shared = [...projectDocuments.keys()];
  const own = [
    ...[...vaultDocuments.keys(), 'experts/*.md', `projects/*/**/${names}`, ...entries],
    ...[...entries, ...shared].map((pattern) => `projects/*/${pattern}`),
  ];
  return [
    { folder: layout.root, patterns: own },
    ...[...projects].map(([folder, link]) => ({ folder, link, patterns: [`**/${names}`, ...entries, ...shared] })),
  ];
}

function realDirectory(plan: PlanLocation): string {
  return join(plan.ravelDirectory, relative(plan.project, idPath(plan.id)));
}

function idPath(id: QualifiedId): string {
  return sep === '/' ? id : id.replaceAll('/', sep);
}
