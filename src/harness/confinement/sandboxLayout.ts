import { dirname, join, relative, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import type { SystemFacts } from './systemFolders.ts';

/**
 * What becomes of one path inside the sandbox. What no mount names, or leads to, is not there.
 * `private`: a folder of the session's own in its place; `copied`: a copy in its place; `empty`: an empty folder in its place;
 * `link`: a symlink to `from`.
 */
export type Mount =
  | { readonly kind: 'writable' | 'readable' | 'empty'; readonly path: string }
  | { readonly kind: 'private' | 'copied' | 'link'; readonly path: string; readonly from: string };

/** `open` is that of the machine, with the servers on its loopback and its sockets that have no file. */
export type Network = 'closed' | 'open';

export interface Replaced {
  readonly path: string;
  readonly text: string;
}

/** A sandbox as data, for whichever engine builds it; absolute paths with symlinks resolved. */
export interface SandboxLayout {
  /** Folders before what lies in them. */
  readonly mounts: readonly Mount[];
  /** What lies at the root of the file system and is in no mount: for an engine that cannot begin with an empty root. */
  readonly others: readonly string[];
  /** Files that look empty, as long as they are there. */
  readonly emptied: readonly string[];
  /** Files that are shown with another text. */
  readonly replaced: readonly Replaced[];
  /** git's index, shown without the emptied files that it tracks. */
  readonly index?: { readonly path: string; readonly root: string; readonly tracked: readonly string[] };
  readonly network: Network;
  readonly home: string;
  /** The session's own folders on disk for temporary files and for its home. */
  readonly temporary: string;
  readonly privateHome: string;
  /** Names of the variables that come in. */
  readonly variables: readonly string[];
}

/** What is known of the machine and the place; folders that do not exist are left out before. */
export interface LayoutFacts {
  readonly project: string;
  readonly repository: { readonly root: string; readonly gitDirectory: string; readonly commonDirectory: string };
  /** Folders and files of git that are shown. */
  readonly gitParts: readonly string[];
  readonly vault: string;
  /** A person's home, and the account's own if that is another. */
  readonly homes: readonly string[];
  /** How the root of the file system looks to commands, and links elsewhere that tools are named by. */
  readonly system: SystemFacts;
  /** Folders of the system, or needed as empty ones, whose content is not shown. */
  readonly hidden: readonly string[];
  /** Where programs keep temporary files and sockets. */
  readonly sharedFolders: readonly string[];
  /** Folders of tools and caches that commands may read although they lie in a hidden one. */
  readonly tools: readonly string[];
  /** Folders that may be changed, the outer before the inner. */
  readonly writable: readonly string[];
  /** Files and folders in these that may not be changed. */
  readonly fixed: readonly string[];
  /** Folders of which commands see and change a copy. */
  readonly copied: readonly { readonly path: string; readonly from: string }[];
  readonly emptied: readonly string[];
  readonly replaced: readonly Replaced[];
  readonly trackedSecrets: readonly string[];
  readonly network: Network;
  readonly variables: readonly string[];
  /** The session's own folders on disk for its temporary files and for its home. */
  readonly temporary: string;
  readonly privateHome: string;
}

/**
 * Lays out the sandbox. The order is by depth, so that what lies deeper stands for itself: a project below a hidden home,
 * a fixed file below a project.
 */
export function layOutSandbox(facts: LayoutFacts): SandboxLayout {
  const { project, repository, homes, temporary, privateHome } = facts;
  const [home = privateHome] = homes;
  const mounts = new Map<string, Mount>();
  const add = (mount: Mount) => mounts.set(mount.path, mount);
  for (const one of systemMounts(facts.system)) add(one);
  for (const path of facts.hidden) add({ kind: 'empty', path });
  for (const path of facts.sharedFolders) add({ kind: 'private', path, from: temporary });
  for (const path of homes) add({ kind: 'private', path, from: privateHome });
  for (const path of facts.tools) if (!isWithin(project, path)) add({ kind: 'readable', path });
  add({ kind: 'empty', path: facts.vault });
  for (const path of [repository.root, ...facts.gitParts]) add({ kind: 'readable', path });
  for (const path of facts.writable) add({ kind: 'writable', path });
  for (const copy of facts.copied) add({ kind: 'copied', ...copy });
  // A folder that is itself mounted cannot be moved away together with what may not be changed or read in it.
  for (const path of [...facts.fixed, ...facts.emptied]) {
    const around = facts.writable.findLast((folder) => isWithin(folder, path));
    // The real folders are not to be shown in a copy.
    if (around === undefined || facts.copied.some((copy) => isWithin(copy.path, path))) continue;
    for (const folder of foldersBetween(around, path)) {
      const isFixed = facts.fixed.some((fixed) => isWithin(fixed, folder));
      if (!isFixed && !mounts.has(folder)) add({ kind: 'writable', path: folder });
    }
  }
  for (const path of facts.fixed) add({ kind: 'readable', path });
  return {
    mounts: [...mounts.values()].sort((one, other) => depth(one.path) - depth(other.path)),
    others: facts.system.others,
    ...{ emptied: facts.emptied, replaced: facts.replaced },
    ...(facts.trackedSecrets.length > 0 && {
      index: {
        path: join(repository.gitDirectory, 'index'),
        root: repository.root,
        tracked: facts.trackedSecrets,
      },
    }),
    ...{ home, temporary, privateHome },
    ...{ variables: facts.variables, network: facts.network },
  };
}

/** The mounts of a sandbox that shows nothing but the system. */
export function systemMounts({ folders, links }: Pick<SystemFacts, 'folders' | 'links'>): Mount[] {
  return [
    ...folders.map((path) => ({ kind: 'readable', path }) as const),
    ...links.map(({ path, target }) => ({ kind: 'link', path, from: target }) as const),
  ];
}

/** Those that a sandbox has of its own, with the devices and processes that it shows. */
const ownFolders = ['/dev', '/proc'];

/** A folder that leads to a mount, what of it is shown, and where on disk the rest of what it shows lies. */
interface Way {
  readonly folder: string;
  readonly shown: readonly string[];
  readonly from?: string;
}

/** The folders above the project and the mounts of which nothing may be seen but the way on; absolute paths. */
export function waysOf({ mounts }: Pick<SandboxLayout, 'mounts'>, project: string): Way[] {
  const above = new Set(mounts.flatMap(({ path }) => foldersAbove(path)));
  for (const folder of ownFolders) above.delete(folder);
  const aboveProject = foldersAbove(project);
  /** Names in a folder under which there are mounts. */
  const named = (folder: string) => mounts.flatMap(({ path }) => relativeBelow(folder, path)?.split(sep)[0] ?? []);
  return [...above].flatMap((folder) => {
    const around = mounts.findLast(({ path }) => isWithin(path, folder));
    const shown = (names: readonly string[]) => [...new Set(names)].map((name) => join(folder, name));
    const names = named(folder);
    if (around === undefined || around.kind === 'empty') {
      return [{ folder, shown: [...shown(names), ...(folder === sep ? ownFolders : [])] }];
    }
    // Of a home only what lies around the project: tools have files of their own in the rest.
    if (around.kind !== 'private' || !aboveProject.includes(folder)) return [];
    const below = relative(around.path, folder);
    // One folder of the session can stand in several places: the mounts of each leave their names in all of them.
    const alike = mounts.filter((mount) => mount.kind === 'private' && mount.from === around.from);
    const left = alike.flatMap(({ path }) => named(join(path, below)));
    return [{ folder, shown: shown([...names, ...left]), from: join(around.from, below) }];
  });
}

function relativeBelow(folder: string, path: string): string | undefined {
  return path !== folder && isWithin(folder, path) ? relative(folder, path) : undefined;
}

function foldersAbove(path: string): string[] {
  return path === sep ? [] : [...foldersBetween(sep, path), sep];
}

/** The folders below `around` that a path lies in; none if it is not below it. */
export function foldersBetween(around: string, path: string): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== around && isWithin(around, at); at = dirname(at)) folders.push(at);
  return folders;
}

function depth(path: string): number {
  return path === sep ? 0 : path.split(sep).length;
}

/** Why commands cannot be kept to such a project, as a sentence; undefined if they can. */
export function placeProblem(
  facts: Pick<LayoutFacts, 'project' | 'repository' | 'homes' | 'vault'>,
): string | undefined {
  const { project, repository, homes, vault } = facts;
  if (project === sep) return 'The project is the whole file system.';
  if (homes.some((home) => isWithin(project, home))) return 'The project holds your home folder.';
  if (homes.some((home) => isWithin(repository.root, home))) return 'The repository holds your home folder.';
  if (isWithin(project, vault)) return 'The project holds the vault.';
  return undefined;
}
