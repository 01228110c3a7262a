import type { Disk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { isUlid, type Ulid } from '../model/id.ts';

const ending = '.json';

/** Which `<ulid>.json` a folder has, the oldest first as far as ids tell; none where there is no folder. */
export async function listUlidFiles(disk: Disk, folder: string): Promise<readonly Ulid[]> {
  const entries = await listIfThere(disk, folder);
  return entries
    .filter(({ name }) => name.endsWith(ending))
    .map(({ name }) => name.slice(0, -ending.length))
    .filter(isUlid)
    .sort();
}

/** What is wrong with those that `load` rejects. Reads all of them. */
export async function findUnreadable(
  ids: readonly Ulid[],
  load: (id: Ulid) => Promise<unknown>,
): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const id of ids) {
    await load(id).catch((error: unknown) => {
      if (!isRavelError(error)) throw error;
      found.push(error.diagnostic);
    });
  }
  return found;
}
