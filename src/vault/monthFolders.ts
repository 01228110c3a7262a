import { join } from 'node:path';
import { formatTimestamp } from '../base/clock.ts';
import type { Disk, ReadingDisk } from '../base/disk.ts';
import { attempt, listIfThere } from '../base/diskErrors.ts';
import { ensureDirectory, readTextIfExists } from '../base/files.ts';
import { timeOfUlid } from '../base/ulid.ts';
import type { Ulid } from '../model/id.ts';

/** Where the file of an id lies: at first as `live`, later in the folder of a month, such as `2026-03`, below `months`. */
export interface FilePlaces {
  readonly id: Ulid;
  readonly live: string;
  readonly months: string;
}

/** Puts the file into the folder of a month. Returns that folder, which a caller that moves many files syncs once. */
export async function moveToMonth(disk: Disk, { id, live, months }: FilePlaces, ms: number): Promise<string> {
  const folder = join(months, monthOf(ms));
  await ensureDirectory(disk, folder);
  await attempt(live, 'write', () => disk.renameIf(live, inMonth(folder, id), (now) => now === undefined));
  return folder;
}

/** The file of an id, wherever it lies; undefined if it is in none of its places. */
export async function readOfMonths(
  disk: ReadingDisk,
  { id, live, months }: FilePlaces,
): Promise<{ readonly file: string; readonly text: string } | undefined> {
  const text = await readTextIfExists(disk, live);
  if (text !== undefined) return { file: live, text };
  for (const folder of await monthsFor(disk, months, id)) {
    const file = inMonth(join(months, folder), id);
    const older = await readTextIfExists(disk, file);
    if (older !== undefined) return { file, text: older };
  }
  return undefined;
}

/** The month of the id first, which mostly has it: a derived id has no time. */
async function monthsFor(disk: ReadingDisk, folder: string, id: Ulid): Promise<readonly string[]> {
  const own = monthOf(timeOfUlid(id));
  const others = (await listIfThere(disk, folder)).flatMap(({ name }) => (isMonth.test(name) ? [name] : []));
  return others.sort((a, b) => Number(b === own) - Number(a === own) || (a < b ? 1 : -1));
}

const isMonth = /^\d{4}-\d{2}$/;

function monthOf(ms: number): string {
  return formatTimestamp(ms).slice(0, 7);
}

function inMonth(folder: string, id: Ulid): string {
  return join(folder, `${id}.yaml`);
}
