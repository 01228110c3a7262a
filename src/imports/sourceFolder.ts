import { join, sep } from 'node:path';
import type { DirectoryEntry, Disk } from '../base/disk.ts';
import { leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import { isNoUtf8 } from '../base/fileNames.ts';
import { isTemporaryName } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { rootPlanName } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';

/** What a folder holds that can be copied, and what not. Paths are relative to it, with `/`. */
export interface SourceFolder {
  /** Sorted. A symlink to a file inside the folder counts as that file. */
  readonly files: readonly string[];
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** A plan has a few dozen files; a user who names a home folder by mistake should learn of it soon. */
const filesMax = 10_000;
/** The same bound as for state files. */
export const sourceBytesMax = 64 * 1024 * 1024;

/**
 * Lists a folder without changing anything in it. Throws `import/badSource` if a symlink leads out of it or nowhere,
 * or there are too many files, and `disk/tooLarge`.
 */
export async function readSourceFolder(disk: Disk, root: string): Promise<SourceFolder> {
  const files: string[] = [];
  const leftOut: { path: string; reason: string }[] = [];
  const pending = [''];
  for (const folder of pending) {
    const entries = await readFolder(disk, join(root, folder));
    const reason = folder === '' ? undefined : reasonToSkip(folder, entries);
    if (reason !== undefined) {
      leftOut.push({ path: `${folder}/`, reason });
      continue;
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      const kind = await kindOf(disk, root, path, entry);
      if (kind === 'directory') pending.push(path);
      else if (kind === 'file') files.push(path);
      else leftOut.push({ path, reason: kind });
    }
    if (files.length + pending.length > filesMax) {
      const message = `${root} holds more than ${filesMax} files; that is not a plan's folder.`;
      throw failure('import/badSource', root, message, { file: root });
    }
  }
  return { files: files.sort(), leftOut };
}

/** `file`, `directory`, or why it is left out. */
async function kindOf(disk: Disk, root: string, path: string, entry: DirectoryEntry): Promise<string> {
  const { name, kind } = entry;
  if (name === '.git') return 'it belongs to git';
  if (isNoUtf8(name)) return 'its name is not UTF-8';
  if (kind === 'directory') return 'directory';
  if (kind === 'other') return 'it is not a regular file';
  if (isTemporaryName(name) || /^\..+\.tmp$/.test(name))
    return 'it is the temporary file of a write that was cut short';
  if (kind === 'symlink') await checkLink(disk, root, path);
  await checkSize(disk, join(root, path));
  return 'file';
}

/** Why a folder inside is left out that is a plan. */
export const ownPlan = 'it is a plan of its own; import it by itself';

function reasonToSkip(folder: string, entries: readonly DirectoryEntry[]): string | undefined {
  if (entries.length === 0) return 'it is empty';
  if (folder.split('/').at(-1) === rootPlanName) return `the name "${rootPlanName}" is reserved`;
  const names = new Set(entries.map((entry) => entry.name));
  const isPlan =
    names.has(planFiles.marker) ||
    (names.has(planFiles.phase) && (names.has(planFiles.backlog) || names.has('backlog.md')));
  return isPlan ? ownPlan : undefined;
}

async function checkLink(disk: Disk, root: string, path: string): Promise<void> {
  const file = join(root, path);
  const refuse = (problem: string) =>
    failure('import/badSource', file, `The symlink ${path} ${problem}.`, {
      file,
      help: 'Put the file that it leads to in its place.',
    });
  let target: string;
  try {
    target = await disk.realPath(file);
  } catch (error) {
    if (leadsNowhere(error)) throw refuse('leads nowhere');
    throw toDiskError(error, file, 'read');
  }
  if (!target.startsWith(root + sep)) throw refuse(`leads out of the folder, to ${target}`);
  if ((await disk.stat(target)).kind !== 'file') throw refuse('leads to something that is not a file');
}

async function checkSize(disk: Disk, file: string): Promise<void> {
  const { size } = await disk.stat(file);
  if (size <= sourceBytesMax) return;
  const message = `${file} has ${size} bytes; at most ${sourceBytesMax} are read.`;
  throw failure('disk/tooLarge', file, message, { file });
}

async function readFolder(disk: Disk, path: string): Promise<DirectoryEntry[]> {
  try {
    return (await disk.readDirectory(path)).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw toDiskError(error, path, 'read');
  }
}
