import { join, posix, resolve } from 'node:path';
import { forEachOfSome } from '../base/async.ts';
import type { Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere, listIfThere } from '../base/diskErrors.ts';
import { decodeName } from '../base/fileNames.ts';
import { readTextIfExists } from '../base/files.ts';
import { isWithin } from '../base/paths.ts';
import { formatCopiedSettings } from './copiedSettings.ts';
import type { Git } from './git.ts';
import type { Setting } from './programSettings.ts';
import { locateRepository, readCommonDirectory } from './repository.ts';
import { splitNul } from './splitNul.ts';

/** A file or link of the original, and its place in a copy. */
export interface CopiedEntry {
  /** Absolute. */
  readonly from: string;
  /** Relative to the top of the copy, with `/`. */
  readonly to: string;
  readonly kind: 'file' | 'symlink';
  readonly bytes: number;
  /** Of git's own files, without which the copy is none; one of the work tree can be gone by the time it is copied. */
  readonly isNeeded: boolean;
}

/** What a repository of its own needs that looks like another one, and shares nothing with it. */
export interface RepositoryContents {
  readonly entries: readonly CopiedEntry[];
  /** Files whose text is the copy's own, by their place in it. */
  readonly texts: ReadonlyMap<string, string>;
  /** Links that lead out of the repository, which the copy does not have; relative to the top, with `/`. */
  readonly leftOut: readonly string[];
  /** The tops of the repositories in it, in the order in which they have to be made: '' is the outermost. */
  readonly repositories: readonly InnerRepository[];
}

export interface InnerRepository {
  readonly path: string;
  /** Of the links that are left out, those that its index has, from its own top. */
  readonly trackedLinks: readonly string[];
}

/** Repositories in repositories: submodules of submodules, and repositories that nothing tracks. */
const depthMax = 8;
/** Object stores that borrow from one another. */
const borrowingMax = 8;
/** Files that are looked at in the same moment. */
const looksMax = 32;

/**
 * Lists what a copy of the repository around `root` has: the work tree as it is, with what nothing ignores; HEAD, index,
 * branches and all objects, those that are borrowed from others too; and of the settings those of `copiedSettings`. No
 * hook, no remote and no other working tree is among it. What is read is not changed: git runs here with its own
 * settings and refreshes no index.
 */
export async function listRepository(git: Git, root: string, signal: AbortSignal): Promise<RepositoryContents> {
  const found: Found = { entries: new Map(), texts: new Map(), leftOut: [], repositories: [] };
  await visitRepository({ git, found, signal }, { root, path: '', depth: 0 });
  return { ...found, entries: [...found.entries.values()] };
}

interface Found {
  readonly entries: Map<string, CopiedEntry>;
  readonly texts: Map<string, string>;
  readonly leftOut: string[];
  readonly repositories: InnerRepository[];
}

interface Visit {
  readonly git: Git;
  readonly found: Found;
  readonly signal: AbortSignal;
}

interface Place {
  /** Top of the work tree, absolute. */
  readonly root: string;
  /** The same from the outermost one: '' or 'a/b'. */
  readonly path: string;
  readonly depth: number;
}

async function visitRepository(visit: Visit, place: Place): Promise<void> {
  const { git, found, signal } = visit;
  signal.throwIfAborted();
  const { root, path, depth } = place;
  const { gitDirectory } = await locateRepository(git, root);
  const common = await readCommonDirectory(git, root);
  const inGit = posix.join(path, '.git');
  const settings = (await git.run(root, ['config', '--list', '-z'], { asConfigured: true })).stdout;
  found.texts.set(posix.join(inGit, 'config'), formatCopiedSettings(splitNul(settings).map(toSetting)));
  // Names before objects: what a branch names when it is read was stored before.
  await addFile(visit, join(gitDirectory, 'HEAD'), posix.join(inGit, 'HEAD'));
  // A lock is the other git's, and would stay in the copy for ever.
  const isNoLock = (path: string) => !path.endsWith('.lock');
  for (const name of ['refs', 'reftable']) {
    await addFolder(visit, join(common, name), posix.join(inGit, name), isNoLock);
  }
  for (const name of ['packed-refs', 'shallow', 'info/exclude', 'info/attributes']) {
    await addFile(visit, join(common, name), posix.join(inGit, name));
  }
  await addFile(visit, join(gitDirectory, 'info/sparse-checkout'), posix.join(inGit, 'info/sparse-checkout'));
  await addIndex(visit, gitDirectory, inGit);
  await addObjects(visit, join(common, 'objects'), posix.join(inGit, 'objects'), borrowingMax);
  const { trackedLinks, inner } = await addWorkTree(visit, place);
  found.repositories.push({ path, trackedLinks });
  for (const name of depth < depthMax ? inner : []) {
    const below = { root: join(root, name), path: posix.join(path, name), depth: depth + 1 };
    if (await isRepositoryTop(git, below.root)) await visitRepository(visit, below);
  }
}

async function addIndex(visit: Visit, gitDirectory: string, inGit: string): Promise<void> {
  for (const { name } of await listIfThere(visit.git.disk, gitDirectory, leadsNowhere)) {
    if (name === 'index' || name.startsWith('sharedindex.')) {
      await addFile(visit, join(gitDirectory, name), posix.join(inGit, name));
    }
  }
}

/** With the objects of the stores that it borrows from: the copy has all of its own. */
async function addObjects(visit: Visit, from: string, to: string, borrowing: number): Promise<void> {
  const alternates = await readTextIfExists(visit.git.disk, join(from, 'info/alternates'));
  const isObject = (path: string) => !path.startsWith('info/') && !posix.basename(path).startsWith('tmp_');
  await addFolder(visit, from, to, isObject);
  const folders = (alternates ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const folder of borrowing > 0 ? folders : []) await addObjects(visit, resolve(from, folder), to, borrowing - 1);
}

/** Paths of the work tree by git's own listing, and of the repositories in it. */
async function addWorkTree(visit: Visit, place: Place): Promise<{ trackedLinks: string[]; inner: string[] }> {
  const { git, found } = visit;
  const { root, path } = place;
  const staged = namesOf((await git.run(root, ['ls-files', '--stage', '-z'])).stdout);
  const others = namesOf((await git.run(root, ['ls-files', '--others', '--exclude-standard', '-z'])).stdout);
  const tracked = new Map(staged.map((line) => [line.slice(line.indexOf('\t') + 1), line.startsWith('160000 ')]));
  const names = [...new Set([...tracked.keys(), ...others])].filter((name) => !name.endsWith('/'));
  const trackedLinks: string[] = [];
  const isPlain = folderCheck(git.disk, root);
  await forEachOfSome(names, looksMax, async (name) => {
    visit.signal.throwIfAborted();
    if (tracked.get(name) === true || !(await isPlain(posix.dirname(name)))) return;
    const kind = await addFile(visit, join(root, name), posix.join(path, name), { top: root, isNeeded: false });
    if (kind !== 'leaves') return;
    found.leftOut.push(posix.join(path, name));
    if (tracked.has(name)) trackedLinks.push(name);
  });
  const modules = [...tracked].filter(([, isModule]) => isModule).map(([name]) => name);
  const untracked = others.filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  return { trackedLinks: trackedLinks.sort(), inner: [...modules, ...untracked] };
}

/** All that is below a folder, whether git would ignore it or not, without links that lead out of `top`. */
export async function listFolder(disk: Disk, from: string, to: string, top: string): Promise<CopiedEntry[]> {
  const entries: CopiedEntry[] = [];
  const visit = async (folder: string, at: string): Promise<void> => {
    for (const { name, kind } of await listIfThere(disk, folder, leadsNowhere)) {
      const [path, target] = [join(folder, name), posix.join(at, name)];
      if (kind === 'directory' && name !== '.git') await visit(path, target);
      if (kind !== 'file' && kind !== 'symlink') continue;
      const stat = await ifThere(path, () => disk.lstat(path), leadsNowhere);
      if (stat === undefined || (kind === 'symlink' && (await leaves(disk, path, top)))) continue;
      entries.push({ from: path, to: target, kind, bytes: stat.size, isNeeded: false });
    }
  };
  await visit(from, to);
  return entries;
}

async function addFolder(
  visit: Visit,
  from: string,
  to: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<void> {
  const walk = async (path: string): Promise<void> => {
    visit.signal.throwIfAborted();
    const entries = await listIfThere(visit.git.disk, join(from, path), leadsNowhere);
    const paths = entries.map(({ name, kind }) => ({ path: posix.join(path, name), kind }));
    await forEachOfSome(paths, looksMax, async (entry) => {
      if (entry.kind === 'file' && isWanted(entry.path)) {
        await addFile(visit, join(from, entry.path), posix.join(to, entry.path));
      }
    });
    for (const entry of paths) if (entry.kind === 'directory' && isWanted(`${entry.path}/`)) await walk(entry.path);
  };
  await walk('');
}

/** Adds a file or link if it is there; what is in the list already stays, since stores that borrow hold the same. */
async function addFile(
  { git: { disk }, found }: Visit,
  from: string,
  to: string,
  { top, isNeeded }: { readonly top?: string; readonly isNeeded: boolean } = { isNeeded: true },
): Promise<'added' | 'leaves' | undefined> {
  const stat = await ifThere(from, () => disk.lstat(from), leadsNowhere);
  if (stat?.kind !== 'file' && stat?.kind !== 'symlink') return undefined;
  if (stat.kind === 'symlink' && (top === undefined || (await leaves(disk, from, top)))) return 'leaves';
  if (!found.entries.has(to)) found.entries.set(to, { from, to, kind: stat.kind, bytes: stat.size, isNeeded });
  return 'added';
}

/**
 * Whether a link leads out of a folder: by a whole path, which would name the original, by its words, or by where it
 * ends up over other links.
 */
async function leaves(disk: Disk, link: string, top: string): Promise<boolean> {
  const target = await ifThere(link, () => disk.readLink(link), leadsNowhere);
  if (target === undefined || target.startsWith('/') || /^[a-z]:|^\\/i.test(target)) return true;
  if (!isWithin(top, resolve(link, '..', target))) return true;
  const real = await ifThere(link, () => disk.realPath(link), leadsNowhere);
  if (real !== undefined) return !isWithin(top, real);
  // It leads to nothing yet. On the way there may be links, and `..` behind one of them leads elsewhere than its words say.
  let folder = resolve(link, '..');
  for (const part of target.split('/')) {
    const next = `${folder}/${part}`;
    folder = (await ifThere(next, () => disk.realPath(next), leadsNowhere)) ?? resolve(folder, part);
    if (!isWithin(top, folder)) return true;
  }
  return false;
}

/** Whether a folder is reached without any link: files behind one are not the repository's. */
function folderCheck(disk: Disk, root: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>([['.', Promise.resolve(true)]]);
  const isPlain = (path: string): Promise<boolean> => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const looking = isPlain(posix.dirname(path)).then(async (isAbovePlain) => {
      if (!isAbovePlain) return false;
      const folder = join(root, path);
      return (await ifThere(folder, () => disk.lstat(folder), leadsNowhere))?.kind === 'directory';
    });
    known.set(path, looking);
    return looking;
  };
  return isPlain;
}

async function isRepositoryTop({ disk }: Git, root: string): Promise<boolean> {
  return (await ifThere(join(root, '.git'), () => disk.stat(join(root, '.git')), leadsNowhere)) !== undefined;
}

/** Names of a `-z` listing as the disk has them, whatever their bytes are. */
function namesOf(output: Buffer): string[] {
  return splitNul(output, 'latin1').map((name) => decodeName(Buffer.from(name, 'latin1')));
}

/** A key without any value means true. */
function toSetting(entry: string): Setting {
  const end = entry.indexOf('\n');
  return end < 0 ? { key: entry, value: 'true' } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
}
