import { resolve } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { leadsNowhere, toDiskError } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import { ensureDirectory } from '../base/files.ts';
import type { VaultLayout } from './layout.ts';

/** An entry of `projects/`. */
export interface Link {
  readonly name: string;
  /** Where it leads, whether that exists or not; undefined if it is not a symlink. */
  readonly leadsTo?: string;
  readonly resolves: boolean;
}

/** Every entry of `projects/`, including those that are not symlinks. */
export async function readLinks(disk: Disk, layout: VaultLayout): Promise<Link[]> {
  const links: Link[] = [];
  for (const { name, kind } of await readProjectsFolder(disk, layout)) {
    links.push(kind === 'symlink' ? await readLink(disk, layout, name) : { name, resolves: false });
  }
  return links;
}

async function readProjectsFolder(disk: Disk, layout: VaultLayout) {
  try {
    return await disk.readDirectory(layout.projects);
  } catch (error) {
    // A vault that was cloned has no such folder yet; git ignores it.
    if (systemCode(error) === 'ENOENT') return [];
    throw toDiskError(error, layout.projects, 'read');
  }
}

async function readLink(disk: Disk, layout: VaultLayout, name: string): Promise<Link> {
  const path = layout.project(name);
  try {
    return { name, leadsTo: await disk.realPath(path), resolves: true };
  } catch (error) {
    if (!leadsNowhere(error)) throw toDiskError(error, path, 'read');
    return { name, leadsTo: resolve(layout.projects, await disk.readLink(path)), resolves: false };
  }
}

/** Makes a symlink of `projects/`, in place of one that leads nowhere if that is said. */
export async function placeLink(
  disk: Disk,
  layout: VaultLayout,
  name: string,
  place: { readonly target: string; readonly replaces: boolean },
): Promise<void> {
  const path = layout.project(name);
  try {
    await ensureDirectory(disk, layout.projects);
    if (place.replaces) await disk.unlink(path);
    await disk.symlink(place.target, path);
    await disk.syncDirectory(layout.projects);
  } catch (error) {
    throw toDiskError(error, path, 'make');
  }
}
