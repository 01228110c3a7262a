import {
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { World } from './world.ts';

/** A copy of a world that stands by itself: for trying many things from one point. The project must be its repository's root. */
export async function copyWorld(
  world: World,
  name: string,
): Promise<Pick<World, 'vault' | 'project' | 'plan' | 'planDirectory' | 'environment' | 'scenario' | 'readPlan'>> {
  const root = join(world.root, 'copies', name);
  const [vault, project] = [join(root, 'vault'), join(root, 'greeter')];
  // The owner's lock and socket are the owner's; the copy has no owner.
  copyFolder(world.vault, vault, (name) => !name.startsWith('daemon.') || name.endsWith('.toml'));
  copyFolder(world.project, project);
  unlinkSync(join(vault, 'projects/greeter'));
  symlinkSync(join(project, 'ravel'), join(vault, 'projects/greeter'));
  const planDirectory = join(project, 'ravel/project-root');
  const { plan, environment, scenario } = world;
  return {
    ...{ vault, project, plan, planDirectory, environment, scenario },
    readPlan: (file) => readFile(join(planDirectory, file), 'utf8'),
  };
}

/**
 * Copies a folder with the times of its files, at once: for so few files a trip to another thread for each takes ten times
 * as long, and what else this process does stands still meanwhile.
 */
export function copyFolder(from: string, to: string, isWanted: (name: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (!isWanted(entry.name)) continue;
    if (entry.isDirectory()) copyFolder(source, target, isWanted);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) copyFile(source, target);
  }
}

function copyFile(source: string, target: string): void {
  copyFileSync(source, target, constants.COPYFILE_FICLONE);
  const { atime, mtime } = statSync(source);
  utimesSync(target, atime, mtime);
}
