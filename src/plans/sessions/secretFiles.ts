import { basename, join } from 'node:path';
import type { DirectoryEntry, ReadingDisk } from '../../base/disk.ts';
import { ifThere, namesNothing } from '../../base/diskErrors.ts';
import { isRavelError } from '../../base/errors.ts';
import { isWithin } from '../../base/paths.ts';
import { isGitConfigFile, mayHoldSecrets } from '../../gates/tools/toolPath.ts';

/** A search stops after this many entries of folders; whoever asked then treats the folder as one with secrets. */
const entriesMax = 20_000;

/** Installed packages and git's objects are public or unreadable, and too many to look at before each command. */
const skippedFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'objects',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
]);

/**
 * The files below `folder` whose names, or the names that they link to, say that they may hold secrets, and the links
 * that lead out of the project; git's configuration if it may hold a password. A folder that cannot be read holds nothing that a session could read either. Links to
 * folders are not followed.
 */
export async function findSecretFiles(
  disk: ReadingDisk,
  project: string,
  folder: string,
): Promise<readonly string[] | 'tooMany'> {
  const found: string[] = [];
  const pending = [folder];
  let seen = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entries = await entriesOf(disk, at);
    seen += entries.length;
    if (seen > entriesMax) return 'tooMany';
    for (const { name, kind } of entries) {
      const path = join(at, name);
      if (kind === 'directory') {
        if (!skippedFolders.has(name)) pending.push(path);
      } else if (mayHoldSecrets(name) || (kind === 'symlink' && (await leadsToSecrets(disk, project, path)))) {
        found.push(path);
      } else if (kind === 'file' && isGitConfigFile(path) && (await mayHoldPassword(disk, path))) {
        found.push(path);
      }
    }
  }
  return found.sort();
}

const configBytesMax = 64 * 1024;

/** An address with a user, or a setting with such a name; a configuration that is large or cannot be read may hold one. */
async function mayHoldPassword(disk: ReadingDisk, path: string): Promise<boolean> {
  const [bytes] = await disk.readEach([path], configBytesMax);
  if (bytes === undefined) return true;
  const text = bytes.toString('utf8').toLowerCase();
  return text
    .split('\n')
    .some(
      (line) =>
        (line.includes('://') && line.includes('@')) ||
        /extraheader|password|token|secret|cookie|credential/.test(line),
    );
}

async function entriesOf(disk: ReadingDisk, folder: string): Promise<readonly DirectoryEntry[]> {
  try {
    return (await ifThere(folder, () => disk.readDirectory(folder), namesNothing)) ?? [];
  } catch (error) {
    if (isRavelError(error)) return [];
    throw error;
  }
}

async function leadsToSecrets(disk: ReadingDisk, project: string, link: string): Promise<boolean> {
  const target = await ifThere(link, () => disk.readLink(link), namesNothing);
  if (target === undefined || mayHoldSecrets(basename(target))) return target !== undefined;
  const real = await ifThere(link, () => disk.realPath(link), namesNothing);
  return real !== undefined && !isWithin(project, real);
}
