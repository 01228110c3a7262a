import { cp } from 'node:fs/promises';
import { join } from 'node:path';

/** The bundle of a bench lies elsewhere; the runner starts it in the repository. */
const repository = process.cwd();

/**
 * A package as it is installed, in `directory`: what `dist` holds, which the runner builds for a bench that says
 * `usesBuild`, with the prompts. A build of a later change leaves it as it is.
 */
export async function copyBuiltPackage(directory: string): Promise<void> {
  for (const name of ['package.json', 'prompts', 'dist'])
    await cp(join(repository, name), join(directory, name), {
      recursive: true,
      filter: (path) => !path.endsWith('.map'),
    });
}
