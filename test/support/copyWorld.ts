import { cp, mkdir, readFile, symlink, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { World } from './world.ts';

/** A copy of a world that stands by itself: for trying many things from one point. The project must be its repository's root. */
export async function copyWorld(
  world: World,
  name: string,
): Promise<Pick<World, 'vault' | 'project' | 'plan' | 'planDirectory' | 'environment' | 'scenario' | 'readPlan'>> {
  const root = join(world.root, 'copies', name);
  const [vault, project] = [join(root, 'vault'), join(root, 'greeter')];
  await mkdir(root, { recursive: true });
  // The owner's lock and socket are the owner's; nobody owns the copy.
  const filter = (path: string) => !basename(path).startsWith('daemon.') || path.endsWith('.toml');
  await cp(world.vault, vault, { recursive: true, verbatimSymlinks: true, filter });
  await cp(world.project, project, { recursive: true, verbatimSymlinks: true });
  await unlink(join(vault, 'projects/greeter'));
  await symlink(join(project, 'ravel'), join(vault, 'projects/greeter'));
  const planDirectory = join(project, 'ravel/project-root');
  const { plan, environment, scenario } = world;
  return {
    ...{ vault, project, plan, planDirectory, environment, scenario },
    readPlan: (file) => readFile(join(planDirectory, file), 'utf8'),
  };
}
