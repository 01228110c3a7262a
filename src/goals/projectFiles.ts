import { join } from 'node:path';
import type { DirectoryEntry, ReadingDisk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { isRavelError } from '../base/errors.ts';
import { compareText } from '../base/text.ts';
import { maskSecrets } from '../gates/secrets/maskSecrets.ts';
import { mayHoldRegistryToken, secretPart } from '../gates/tools/toolPath.ts';
import type { Git } from '../git/git.ts';
import { hiddenCharacters } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import { projectPaths } from '../vault/layout.ts';

/** Files of a project that are looked at; the rest is left out. */
const filesMax = 50_000;
/** Bytes of git's list of files: a quarter of a million paths. */
const listBytesMax = 16 * 1024 * 1024;
/** Folders of a project without git that are read. */
const foldersMax = 2000;
/** Bytes of one file; a larger one is not read. */
const fileBytesMax = 512 * 1024;

const skippedFolders: ReadonlySet<string> = new Set(['node_modules', 'site-packages', '.git', 'target', '.venv']);

/**
 * The files of a project that a session may know: those that git does not ignore, without the plans and without files whose
 * names say that they hold secrets. Reading follows no link, and what looks like a secret is masked in every text.
 */
export class ProjectFiles {
  /** Real path. */
  readonly root: string;
  /** Relative paths with `/`, sorted. */
  readonly paths: readonly string[];
  /** Whether there are more files than could be listed. */
  readonly isCut: boolean;
  readonly #disk: ReadingDisk;
  readonly #known: ReadonlySet<string>;

  private constructor(
    disk: ReadingDisk,
    root: string,
    listed: { readonly paths: readonly string[]; readonly isCut: boolean },
  ) {
    this.#disk = disk;
    this.root = root;
    this.paths = listed.paths;
    this.isCut = listed.isCut;
    this.#known = new Set(listed.paths);
  }

  static async open(
    { disk, git }: { readonly disk: ReadingDisk; readonly git: Git },
    directory: string,
  ): Promise<ProjectFiles> {
    const root = await disk.realPath(directory);
    const all = (await listByGit(git, root)) ?? (await walk(disk, root));
    const mine = all.paths.filter(isForSessions);
    const paths = highest(mine, filesMax).sort(compareText);
    return new ProjectFiles(disk, root, { paths, isCut: all.isCut || mine.length > paths.length });
  }

  /** The text of a file; undefined if it is gone, too large, binary, or not one that a session can read. */
  async read(path: string): Promise<string | undefined> {
    if (!this.#known.has(path)) return undefined;
    const [bytes] = await this.#readEach([path]);
    return bytes;
  }

  /** As `read`, for several. */
  async readAll(paths: readonly string[]): Promise<readonly (string | undefined)[]> {
    return this.#readEach(paths);
  }

  async #readEach(paths: readonly string[]): Promise<(string | undefined)[]> {
    const real = await Promise.all(paths.map((path) => this.#realFile(path)));
    const wanted = real.filter((path) => path !== undefined);
    const contents = await this.#disk.readEach(wanted, fileBytesMax);
    let next = 0;
    return real.map((path) => {
      const bytes = path === undefined ? undefined : contents[next++];
      return bytes === undefined || bytes.subarray(0, 8000).includes(0)
        ? undefined
        : maskSecrets(bytes.toString('utf8'));
    });
  }

  /** The path of a file, unless a link stands anywhere on the way to it. */
  async #realFile(path: string): Promise<string | undefined> {
    const file = join(this.root, ...path.split('/'));
    if (!this.#known.has(path)) return undefined;
    try {
      return (await this.#disk.realPath(file)) === file ? file : undefined;
    } catch {
      // It is gone, or cannot be reached: there is nothing to read.
      return undefined;
    }
  }
}

/** At most `max` of the paths; what lies deepest is left out, so that a folder of very many files hides none beside it. */
function highest(paths: readonly string[], max: number): string[] {
  if (paths.length <= max) return [...paths];
  const byDepth: string[][] = [];
  for (const path of paths) {
    const depth = path.split('/').length;
    byDepth[depth] ??= [];
    byDepth[depth].push(path);
  }
  const taken: string[] = [];
  for (const level of byDepth) {
    if (level === undefined) continue;
    const left = max - taken.length;
    taken.push(...(level.length <= left ? level : spread(level.sort(compareText), left)));
  }
  return taken;
}

/** `count` of the paths, taken evenly from all over them. */
function spread(paths: readonly string[], count: number): string[] {
  return Array.from({ length: count }, (_, n) => paths[Math.floor((n * paths.length) / count)] ?? '');
}

/** A file of a plan of another project, whose folder lies in this one. */
function isOfPlan(segments: readonly string[]): boolean {
  const name = segments.at(-1);
  return segments.slice(0, -2).includes(projectPaths.ravel) && Object.values(planFiles).some((file) => file === name);
}

function isForSessions(path: string): boolean {
  const segments = path.split('/');
  if (segments[0] === projectPaths.ravel || segments.includes('.git') || isOfPlan(segments)) return false;
  // A name that ends a line would pass for two.
  if (hiddenCharacters.test(path)) return false;
  return secretPart(segments) === undefined && !mayHoldRegistryToken(path);
}

interface Listed {
  readonly paths: readonly string[];
  readonly isCut: boolean;
}

/** Undefined if git does not keep this folder. */
async function listByGit(git: Git, root: string): Promise<Listed | undefined> {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
    const { stdout, cut } = await git.run(root, args, { cutBytes: listBytesMax });
    const paths = stdout.toString('utf8').split('\0');
    // The last one is empty, or cut in the middle.
    paths.pop();
    return { paths, isCut: cut };
  } catch (error) {
    if (isRavelError(error)) return undefined;
    throw error;
  }
}

/** Breadth first, so that what lies deep is what is left out. */
async function walk(disk: ReadingDisk, root: string): Promise<Listed> {
  const paths: string[] = [];
  const folders = [''];
  let seen = 0;
  for (const folder of folders) {
    if (seen === foldersMax || paths.length >= filesMax) return { paths, isCut: true };
    seen += 1;
    for (const { name, kind } of await entriesOf(disk, join(root, ...folder.split('/')))) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'file') paths.push(path);
      if (kind === 'directory' && !skippedFolders.has(name)) folders.push(path);
    }
  }
  return { paths, isCut: false };
}

async function entriesOf(disk: ReadingDisk, folder: string): Promise<readonly DirectoryEntry[]> {
  try {
    return await listIfThere(disk, folder);
  } catch (error) {
    if (isRavelError(error)) return [];
    throw error;
  }
}
