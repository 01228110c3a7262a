import { systemFolders } from '../../src/harness/confinement/systemFolders.ts';
import { makeSandboxWorld, type SandboxOptions, type SandboxWorld } from './sandboxWorld.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

/** A sandbox in which the world itself counts as the system's, so that nothing else keeps commands from what is in it. */
export async function confined(
  options: SandboxOptions = {},
  given?: string,
): Promise<SandboxWorld & { readonly shell: string }> {
  const root = given ?? (await makeTemporaryDirectory());
  const world = makeSandboxWorld(root, { systemFolders: [...systemFolders, root], ...options });
  const found = await world.confiner.confine(world.place, new AbortController().signal);
  if (found.state !== 'confined') throw new Error(found.reason);
  return { ...world, shell: found.shell };
}
