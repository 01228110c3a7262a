import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { leadsNowhere, listIfThere } from '../base/diskErrors.ts';
import { isWithin } from '../base/paths.ts';
import { submodulePaths, submodulesBytesMax } from '../model/submodulePaths.ts';

/** Names of submodules have slashes, and submodules have some of their own. */
const depthMax = 12;
const foldersMax = 2000;

/**
 * Files that decide what git runs in the submodules and the other working trees of a repository, by its git directories
 * and the top of its work tree; absolute. Git reads them as well if it is asked about the repository around them. At most
 * 2,000 folders are looked at.
 */
export async function findInnerFiles(disk: Disk, gitDirectories: readonly string[], root: string): Promise<string[]> {
  const found: string[] = [];
  let folders = 0;
  const list = async (folder: string) => (++folders > foldersMax ? [] : await listIfThere(disk, folder, leadsNowhere));
  const addModules = async (folder: string, depth: number): Promise<void> => {
    const entries = await list(folder);
    if (entries.some(({ name }) => name === 'HEAD')) return addRepository(folder, depth);
    if (depth > depthMax) return;
    for (const { name, kind } of entries) if (kind !== 'file') await addModules(join(folder, name), depth + 1);
  };
  const addRepository = async (folder: string, depth: number): Promise<void> => {
    found.push(...deciding.map((name) => join(folder, name)));
    const hooks = (await list(join(folder, 'hooks'))).filter(({ name }) => !name.endsWith('.sample'));
    found.push(...hooks.map(({ name }) => join(folder, 'hooks', name)));
    await addModules(join(folder, 'modules'), depth + 1);
  };
  for (const folder of gitDirectories) {
    await addModules(join(folder, 'modules'), 0);
    for (const { name } of await list(join(folder, 'worktrees'))) {
      const tree = join(folder, 'worktrees', name);
      found.push(...['commondir', 'gitdir', 'config.worktree', todoFile].map((file) => join(tree, file)));
      await addModules(join(tree, 'modules'), 0);
    }
  }
  // Of a submodule that is not checked out, git takes whatever repository comes to lie in its place.
  const [modules] = await disk.readEach([join(root, '.gitmodules')], submodulesBytesMax);
  for (const path of submodulePaths(modules?.toString('utf8') ?? '')) {
    const folder = join(root, path, '.git');
    if (!isWithin(root, folder)) continue;
    found.push(folder);
    if ((await list(folder)).length > 0) await addRepository(folder, 0);
  }
  return [...new Set(found)];
}

/** What a rebase that is half done continues with; it can hold lines that run programs. */
export const todoFile = 'rebase-merge/git-rebase-todo';

const deciding = ['config', 'config.worktree', 'commondir', 'info/attributes', todoFile];
