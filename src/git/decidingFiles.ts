import { join } from 'node:path';
import type { DirectoryEntry, Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { decidingRules, fitsName, leadsTo } from '../model/decidingFiles.ts';

const watched = decidingRules.filter((rule) => typeof rule.watched === 'string');

/** For those that are watched in every folder. */
export const decidingPathspecs: readonly string[] = watched
  .filter((rule) => rule.watched === 'everywhere')
  .map(({ names, isFolder }) => `:(top,glob,icase)**/${names.join('/')}${isFolder ? '/**' : ''}`);

/** What is watched at the top of a folder, whether git ignores it or not; absolute, with all files below a folder. */
export async function watchedAtTop(disk: Disk, top: string, filesMax: number): Promise<string[]> {
  const listed = new Map<string, Promise<readonly DirectoryEntry[]>>();
  const list = (folder: string) => {
    const entries = listed.get(folder) ?? entriesOf(disk, folder);
    listed.set(folder, entries);
    return entries;
  };
  const found: string[] = [];
  for (const { names, isFolder } of watched) {
    let places = [top];
    for (const name of names) {
      const next = places.map(async (folder) =>
        name.includes('*')
          ? (await list(folder)).filter((entry) => fitsName(name, entry.name)).map((entry) => join(folder, entry.name))
          : [join(folder, name)],
      );
      places = (await Promise.all(next)).flat();
    }
    if (!isFolder) found.push(...places);
    else for (const place of places) found.push(...(await walk(disk, place, filesMax)));
  }
  return found;
}

const depthMax = 6;

async function walk(disk: Disk, folder: string, filesMax: number, depth = 0): Promise<string[]> {
  const files: string[] = [];
  for (const { name, kind } of await entriesOf(disk, folder)) {
    const path = join(folder, name);
    if (kind === 'directory' && depth < depthMax) files.push(...(await walk(disk, path, filesMax, depth + 1)));
    else files.push(path);
    if (files.length > filesMax) break;
  }
  return files;
}

async function entriesOf(disk: Disk, folder: string): Promise<readonly DirectoryEntry[]> {
  return (await ifThere(folder, () => disk.readDirectory(folder), leadsNowhere)) ?? [];
}

/** Whether the text of such a file may hold a token, and so is compared and never shown. */
export function mayHoldToken(path: string): boolean {
  return watched.some((rule) => rule.holdsTokens === true && leadsTo(rule, path.split('/')));
}
