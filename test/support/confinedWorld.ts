import { showing, writeStandIn } from './bubblewrapStandIn.ts';
import { makeRingWorld, type RingOptions, type RingWorld } from './ringWorld.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

/** A sandbox with nothing else around what must be kept from commands: temporary folders can lie in `/dev`, which is hidden. */
export async function confined(
  options: RingOptions = {},
  given?: string,
): Promise<RingWorld & { readonly shell: string }> {
  const root = given ?? (await makeTemporaryDirectory());
  const folder = await makeTemporaryDirectory();
  writeStandIn(folder, showing(root));
  const environment = { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`, ...options.environment };
  const world = makeRingWorld(root, { ...options, environment });
  const found = await world.confiner.confine(world.place, new AbortController().signal);
  if (found.state !== 'confined') throw new Error(found.reason);
  return { ...world, shell: found.shell };
}
