import { basename, join } from 'node:path';
import type { DirectoryEntry, ReadingDisk } from '../../base/disk.ts';
import { ifThere, namesNothing } from '../../base/diskErrors.ts';
import { isRavelError } from '../../base/errors.ts';
import { isWithin } from '../../base/paths.ts';
import { isGitConfigFile, isRegistrySettings, mayHoldSecrets } from '../../gates/tools/toolPath.ts';

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
 * that lead out of the project; git's configuration if it may hold a password, and settings of package managers if they may
 * hold a token. A folder that cannot be read holds nothing that a session could read either. Links to folders are not
 * followed.
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
      } else if (kind === 'file' && isGitConfigFile(path) && (await hasLine(disk, path, mayHoldPassword))) {
        found.push(path);
      } else if (kind === 'file' && isRegistrySettings(path) && (await hasLine(disk, path, mayHoldToken))) {
        found.push(path);
      }
    }
  }
  return found.sort();
}

const configBytesMax = 64 * 1024;

/** Whether one line is of a kind; a configuration that is large or cannot be read may have one. */
async function hasLine(disk: ReadingDisk, path: string, isOfKind: (line: string) => boolean): Promise<boolean> {
  const [bytes] = await disk.readEach([path], configBytesMax);
  return bytes === undefined || bytes.toString('utf8').toLowerCase().split('\n').some(isOfKind);
}

/** An address with a user, or a setting with such a name. */
function mayHoldPassword(line: string): boolean {
  return (
    (line.includes('://') && line.includes('@')) || /extraheader|password|token|secret|cookie|credential/.test(line)
  );
}

/** The same, unless the value is empty or only names a variable. */
function mayHoldToken(line: string): boolean {
  if (/^\s*[#;]/.test(line)) return false;
  const plain = line.replace(/\$\{[\w:-]+\}|\$\w+|%\w+%|["']/g, '');
  const value = plain.split(/[=:]/).at(-1)?.trim() ?? '';
  return /:\/\/[^/\s@]+@/.test(plain) || (/_auth|token|password|secret|credential|apikey/.test(plain) && value !== '');
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
