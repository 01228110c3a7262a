import { basename, dirname, join } from 'node:path';
import { assert } from './assert.ts';
import { defined } from './defined.ts';
import type { Disk } from './disk.ts';
import { ifThere, listIfThere, toDiskError } from './diskErrors.ts';
import { exists, isTemporaryName, refuseUnlessFile, writeAtomic } from './files.ts';
import { replaceSeen } from './seenFile.ts';

/**
 * A replacement of a file's content in two steps, which tells after a crash whether it was carried out, whatever became
 * of the file since: the new content waits beside the file, and the step that puts it in place takes its name away.
 */
export interface Replacement {
  readonly path: string;
  /** Where the new content waits: a name in the same folder that no other file uses. */
  readonly beside: string;
}

/** A replacement whose waiting content has its own name, which git and the code that looks for changes ignore. */
export function replacementOf(directory: string, file: string, name: string): Replacement {
  assert(name !== '' && !name.includes('/'), 'the name is one word');
  return { path: join(directory, file), beside: join(directory, `.${file}.${name.toLowerCase()}.tmp`) };
}

/**
 * Puts the new content beside the file, durably. If something waits already it is renamed over and never taken away,
 * for its absence would say that the replacement was carried out. The name can be known to others who may write in the
 * folder: a link that they laid there is replaced itself, and nothing is written where it leads.
 */
export async function prepareReplacement(disk: Disk, replacement: Replacement, text: string): Promise<void> {
  const { path, beside } = replacement;
  const permissions = await permissionsOf(disk, path);
  await removeUnfinished(disk, beside);
  await writeAtomic(disk, beside, text, { replacesLink: true, ...defined({ permissions }) });
}

/** What a crash left of an earlier try to put the same content there: each has a name of its own. */
async function removeUnfinished(disk: Disk, beside: string): Promise<void> {
  const folder = dirname(beside);
  const entries = await listIfThere(disk, folder);
  for (const { name } of entries) {
    if (!name.startsWith(`.${basename(beside)}.`) || !isTemporaryName(name)) continue;
    await ifThere(join(folder, name), () => disk.unlink(join(folder, name)));
  }
}

/** Whether what waited is gone, and so stands, or stood, in the file's place. */
export async function wasCarriedOut(disk: Disk, { beside }: Replacement): Promise<boolean> {
  return !(await exists(disk, beside));
}

/**
 * Puts what waits in the file's place, but only if the file still has the content that the caller saw (undefined: is
 * still absent); otherwise throws `yaml/changedMeanwhile`, and it goes on waiting.
 */
export async function carryOut(disk: Disk, replacement: Replacement, seen: string | undefined): Promise<void> {
  const { path, beside } = replacement;
  const bytes = seen === undefined ? undefined : Buffer.from(seen);
  try {
    await replaceSeen(disk, beside, path, (now) =>
      now === undefined ? bytes === undefined : bytes?.equals(now) === true,
    );
  } catch (error) {
    throw toDiskError(error, path, 'write');
  }
  await settleReplacement(disk, replacement);
}

/** Makes durable what a crash may have left half known: the name is gone, and stays gone over a power cut. */
export async function settleReplacement(disk: Disk, { path }: Replacement): Promise<void> {
  try {
    await disk.syncDirectory(dirname(path));
  } catch (error) {
    throw toDiskError(error, path, 'write');
  }
}

async function permissionsOf(disk: Disk, path: string): Promise<number | undefined> {
  if (!(await exists(disk, path))) return undefined;
  const stat = await disk.lstat(path);
  refuseUnlessFile(path, stat, 'replaced by a file');
  return stat.mode & 0o777;
}
