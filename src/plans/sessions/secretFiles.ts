import { basename, join, relative, sep } from 'node:path';
import type { DirectoryEntry, ReadingDisk } from '../../base/disk.ts';
import { ifThere, listIfThere, namesNothing } from '../../base/diskErrors.ts';
import { isRavelError } from '../../base/errors.ts';
import { isWithin } from '../../base/paths.ts';
import { isGitConfigFile, mayHoldRegistryToken, mayHoldSecrets, secretPart } from '../../gates/tools/toolPath.ts';

/** A search before a command stops after this many entries of folders; the gate then takes the folder for one with secrets. */
const entriesMax = 20_000;

/** Installed packages: public, and too many to look at before each command. */
const skippedFolders: ReadonlySet<string> = new Set(['node_modules', 'site-packages']);

/**
 * The files below `folder` whose paths, or the names that they link to, say that they may hold secrets, and the links
 * that lead out of the project; git's configuration if it may hold a password, and settings of package managers if they may
 * hold a token. A folder of another user that cannot be read holds nothing that a session could read either. Links to
 * folders are not followed. `tooMany` if there are more than `most` entries, or a folder that a session could read and
 * the search could not.
 */
export async function findSecretFiles(
  disk: ReadingDisk,
  project: string,
  folder: string,
  most = entriesMax,
): Promise<readonly string[] | 'tooMany'> {
  const found: string[] = [];
  let level = [folder];
  let seen = 0;
  while (level.length > 0) {
    const next: string[] = [];
    for (const at of level) {
      const entries = await entriesOf(disk, at);
      seen += entries?.length ?? 0;
      if (entries === undefined || seen > most) return 'tooMany';
      const folders = relative(project, at).split(sep);
      const isGitDirectory = folders.includes('.git') && entries.some(({ name }) => name === 'HEAD');
      for (const { name, kind } of entries) {
        const path = join(at, name);
        if (kind === 'directory') {
          const isSkipped = skippedFolders.has(name) || (isGitDirectory && name === 'objects');
          if (!isSkipped) next.push(path);
        } else if (
          secretPart([...folders, name]) !== undefined ||
          (kind === 'symlink' ? await leadsToSecrets(disk, project, path) : await holdsLogin(disk, path))
        ) {
          found.push(path);
        }
      }
    }
    level = next;
  }
  return found.sort();
}

/** Whether a file of settings, known by its name, has a line that may be a login. */
async function holdsLogin(disk: ReadingDisk, path: string): Promise<boolean> {
  if (isGitConfigFile(path)) return hasLine(disk, path, isLogin);
  return mayHoldRegistryToken(path) && hasLine(disk, path, setsToken);
}

/** Bytes of a configuration file that are read. */
const configBytesMax = 64 * 1024;

/** Whether one line is of a kind; a configuration that is large or cannot be read may have one. */
async function hasLine(disk: ReadingDisk, path: string, isOfKind: (line: string) => boolean): Promise<boolean> {
  const [bytes] = await disk.readEach([path], configBytesMax);
  return bytes === undefined || bytes.toString('utf8').toLowerCase().split('\n').some(isOfKind);
}

/** An address with a user, or a setting with such a name. */
function isLogin(line: string): boolean {
  return (
    (line.includes('://') && line.includes('@')) ||
    /extraheader|password|passwd|(?<!ask)pass\s*=|token|secret|cookie|credential/.test(line)
  );
}

/** The same, unless the value is empty or only names a variable. */
function setsToken(line: string): boolean {
  if (/^\s*[#;]/.test(line)) return false;
  const plain = line.replace(/\$\{[\w:-]+\}|\$\w+|%\w+%|["']/g, '');
  const value = plain.split(/[=:]/).at(-1)?.trim() ?? '';
  return /:\/\/[^/\s@]+@/.test(plain) || (/_auth|token|password|secret|credential|apikey/.test(plain) && value !== '');
}

/** Undefined for a folder that a session could get to, though its path is too long or its owner may not read it now. */
async function entriesOf(disk: ReadingDisk, folder: string): Promise<readonly DirectoryEntry[] | undefined> {
  try {
    return await listIfThere(disk, folder);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return (await isLockedByOwner(disk, folder)) ? undefined : [];
  }
}

/** The permissions of a folder that its owner locked do not keep its owner out: a session can change them. */
async function isLockedByOwner(disk: ReadingDisk, folder: string): Promise<boolean> {
  try {
    const stat = await ifThere(folder, () => disk.lstat(folder));
    return stat !== undefined && (stat.mode & ownerReads) !== ownerReads;
  } catch (error) {
    if (isRavelError(error)) return true;
    throw error;
  }
}

const ownerReads = 0o500;

async function leadsToSecrets(disk: ReadingDisk, project: string, link: string): Promise<boolean> {
  const target = await ifThere(link, () => disk.readLink(link), namesNothing);
  if (target === undefined || mayHoldSecrets(basename(target))) return target !== undefined;
  const real = await ifThere(link, () => disk.realPath(link), namesNothing);
  return real !== undefined && !isWithin(project, real);
}
