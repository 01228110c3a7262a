import { join, relative } from 'node:path';
import type { DirectoryEntry, ReadingDisk } from '../base/disk.ts';
import { ifThere, isAbsent, leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import type { Diagnostic } from '../base/errors.ts';
import { diagnostic, failure } from '../model/codes.ts';
import type { VaultLayout } from './layout.ts';

/** How far below a place links are looked for: the names of what Ravel makes deeper down cannot be known beforehand. */
const depthMax = 3;
/** How many folders are read side by side. */
const batchSize = 32;
/** One is enough to refuse, and a person wants to see what else there is. */
const shownMax = 20;

/**
 * Symbolic links where Ravel itself writes: `runtime/` with what is below it, `decisions/`, `archive/`, and the folder of
 * the links to projects. What is written through one of them ends up outside of the vault. The links to projects, in
 * `projects/`, are the only ones that belong to a vault.
 */
export async function findLinks(disk: ReadingDisk, layout: VaultLayout): Promise<Diagnostic[]> {
  return (await allLinks(disk, layout)).slice(0, shownMax).map((path) => {
    return diagnostic('vault/linkOut', path, describe(layout, path), { file: path });
  });
}

async function allLinks(disk: ReadingDisk, layout: VaultLayout): Promise<string[]> {
  const top = await entriesOf(disk, layout.root);
  const found: string[] = [];
  for (const place of [layout.runtime, layout.decisions, layout.archive, layout.projects]) {
    const entry = top.find(({ name }) => join(layout.root, name) === place);
    if (entry?.kind === 'symlink') found.push(place);
  }
  if (!found.includes(layout.runtime)) found.push(...(await linksBelow(disk, layout)));
  return found;
}

function describe({ root }: VaultLayout, path: string): string {
  return `${relative(root, path)} is a symbolic link: what Ravel writes there would leave the vault.`;
}

/**
 * Throws `vault/linkOut` for the first of these links that leads to a folder. One in the place of a file holds up only
 * what that file is for: no file is written through a link.
 */
export async function assertNoLinks(disk: ReadingDisk, layout: VaultLayout): Promise<void> {
  for (const path of await allLinks(disk, layout)) {
    const kind = await ifThere(path, async () => (await disk.stat(path)).kind, leadsNowhere);
    if (kind === 'directory') throw failure('vault/linkOut', path, describe(layout, path), { file: path });
  }
}

async function linksBelow(disk: ReadingDisk, { runtime, sessions }: VaultLayout): Promise<string[]> {
  const links: string[] = [];
  let folders = [runtime];
  for (let depth = 1; depth <= depthMax && folders.length > 0; depth++) {
    const next: string[] = [];
    for (let from = 0; from < folders.length; from += batchSize) {
      const batch = folders.slice(from, from + batchSize);
      const listed = await Promise.all(batch.map((folder) => entriesOf(disk, folder)));
      for (const [at, folder] of batch.entries()) {
        // A folder for each session that ever ran is too much to look into; a link among its files is never followed.
        const goesDown = folder !== sessions;
        for (const { name, kind } of listed[at] ?? []) {
          if (kind === 'symlink') links.push(join(folder, name));
          else if (kind === 'directory' && goesDown) next.push(join(folder, name));
        }
      }
    }
    folders = next;
  }
  return links;
}

async function entriesOf(disk: ReadingDisk, folder: string): Promise<DirectoryEntry[]> {
  try {
    return await disk.readDirectory(folder);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw toDiskError(error, folder, 'read');
  }
}
