import { join } from 'node:path';
import type { DirectoryEntry, Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere, listIfThere } from '../base/diskErrors.ts';
import { decidingRules, fitsName } from '../model/decidingFiles.ts';

const watched = decidingRules.filter((rule) => typeof rule.watched === 'string');

/** For those that are watched in every folder, and for links in the place of a folder that leads to one. */
export const decidingPathspecs: readonly string[] = [
  ...new Set(watched.filter((rule) => rule.watched === 'everywhere').flatMap(pathspecsOf)),
];

function pathspecsOf({ names, isFolder }: (typeof watched)[number]): string[] {
  const places = names.map((_, at) => `:(top,glob,icase)**/${names.slice(0, at + 1).join('/')}`);
  return isFolder ? [...places, `${places.at(-1)}/**`] : places;
}

/**
 * What is watched at the top of a folder, whether git ignores it or not; absolute, with all files below a folder, and each
 * link on the way.
 */
export async function watchedAtTop(disk: Disk, top: string, filesMax: number): Promise<string[]> {
  const listed = new Map<string, Promise<readonly DirectoryEntry[]>>();
  const list = (folder: string) => {
    const entries = listed.get(folder) ?? listIfThere(disk, folder, leadsNowhere);
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
      for (const place of places) if (await isLink(disk, place)) found.push(place);
    }
    if (!isFolder) found.push(...places);
    else for (const place of places) found.push(...(await walk(disk, place, filesMax)));
  }
  return found;
}

async function isLink(disk: Disk, path: string): Promise<boolean> {
  return (await ifThere(path, () => disk.lstat(path), leadsNowhere))?.kind === 'symlink';
}

/** Levels of folders that are searched. */
const depthMax = 6;

async function walk(disk: Disk, folder: string, filesMax: number, depth = 0): Promise<string[]> {
  const files: string[] = [];
  for (const { name, kind } of await listIfThere(disk, folder, leadsNowhere)) {
    const path = join(folder, name);
    if (kind === 'directory' && depth < depthMax) files.push(...(await walk(disk, path, filesMax, depth + 1)));
    else files.push(path);
    if (files.length > filesMax) break;
  }
  return files;
}
