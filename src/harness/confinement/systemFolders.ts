import { dirname, isAbsolute, join, sep } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { isWithin } from '../../base/paths.ts';

/**
 * Where systems keep programs, libraries and their configuration. Commands read these; whatever else lies outside of the
 * project is not there for them, unless it is shown by name.
 */
export const systemFolders: readonly string[] = [
  ...['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/usr', '/etc', '/opt', '/sys', '/var/lib', '/var/cache'],
  ...[
    '/nix',
    '/gnu',
    '/snap',
    join('/home', 'linuxbrew/.linuxbrew'),
    '/System',
    '/Library',
    '/Applications',
    '/private',
  ],
];

/** How the root of the file system looks to commands. */
export interface SystemFacts {
  /** Folders of the system with symlinks resolved, none of them inside of another. */
  readonly folders: readonly string[];
  /** Links at the root and in `/var`, such as `/bin` to `/usr/bin`. */
  readonly links: readonly SystemLink[];
  /** What else lies at the root. */
  readonly others: readonly string[];
}

/** `target` is absolute, with symlinks resolved. */
export interface SystemLink {
  readonly path: string;
  readonly target: string;
}

export async function findSystem(disk: ReadingDisk, wanted: readonly string[] = systemFolders): Promise<SystemFacts> {
  const found = await Promise.all(wanted.map((path) => disk.realPath(path).catch(() => undefined)));
  const real = [...new Set(found.filter((path) => path !== undefined))];
  const folders = real.filter((path) => !real.some((other) => other !== path && isWithin(other, path)));
  const entries = await entriesOf(disk, sep);
  // Some systems have `/var/run` for `/run`.
  const folder = entries.find(({ path, kind }) => path === '/var' && kind === 'directory');
  const named = [...entries, ...(folder === undefined ? [] : await entriesOf(disk, folder.path))];
  const linked = named.filter(({ kind }) => kind === 'symlink').map(({ path }) => linksOf(disk, path));
  const others = entries.flatMap(({ path, kind }) => (kind === 'symlink' ? [] : [path]));
  return {
    folders,
    links: (await Promise.all(linked)).flat(),
    others: others.filter((path) => !['/dev', '/proc', ...folders].includes(path)),
  };
}

async function entriesOf(disk: ReadingDisk, folder: string) {
  return (await disk.readDirectory(folder)).map(({ name, kind }) => ({ path: join(folder, name), kind }));
}

/** Whether `path` lies in no folder of the system, or in one that is covered there. */
export function isCoveredBy(path: string, covers: readonly string[], system: readonly string[]): boolean {
  const folder = system.find((one) => isWithin(one, path));
  return folder === undefined || covers.some((cover) => isWithin(folder, cover) && isWithin(cover, path));
}

/** Programs are installed into it side by side, each as a project would be. */
const sideBySide = '/opt';

/** The folder that a repository lies in, if that is one of the system: what lies beside the repository is not shown. */
export function folderAround(
  { repository }: { readonly repository: { readonly root: string } },
  system: readonly string[],
): string[] {
  const parent = dirname(repository.root);
  const isOwn = system.includes(parent) && parent !== sideBySide;
  return !isOwn && system.some((folder) => isWithin(folder, parent)) ? [parent] : [];
}

/**
 * Where folders are by their real paths, with the links that lead to them. One in any of `places` is left as it is named:
 * there a link can be seen, or nothing can.
 */
export async function findNamed(
  disk: ReadingDisk,
  named: readonly string[],
  places: readonly string[],
): Promise<{ readonly paths: readonly string[]; readonly links: readonly SystemLink[] }> {
  const isPlaced = (path: string) => places.some((place) => isWithin(place, path));
  const found = await Promise.all(
    named.filter(isAbsolute).map(async (path) => {
      if (isPlaced(path)) return { paths: [path], links: [] };
      const real = await disk.realPath(path).catch(() => undefined);
      return real === undefined ? { paths: [], links: [] } : { paths: [real], links: await linksOf(disk, path) };
    }),
  );
  return {
    paths: found.flatMap(({ paths }) => paths),
    links: found.flatMap(({ links }) => links).filter(({ path }) => !isPlaced(path)),
  };
}

/** The symlinks that a path leads through, the outer first; none if it leads nowhere. */
async function linksOf(disk: ReadingDisk, path: string): Promise<SystemLink[]> {
  const links: SystemLink[] = [];
  let at: string = sep;
  try {
    for (const part of path.split(sep).filter((name) => name !== '')) {
      const next = join(at, part);
      const { kind } = await disk.lstat(next);
      at = kind === 'symlink' ? await disk.realPath(next) : next;
      if (kind === 'symlink') links.push({ path: next, target: at });
    }
  } catch {
    // A link that leads nowhere shows nothing.
    return [];
  }
  return links;
}
