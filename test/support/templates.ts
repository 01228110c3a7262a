import { createHash } from 'node:crypto';
import { constants, cpSync } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { systemCode } from '../../src/base/errors.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that the workers of a run share for what they copy. */
    templates: string;
  }
}

/**
 * Fills `directory`, which may be there already, with what `make` makes for these options. The first call of a run makes
 * it, apart from all tests; every call copies it, which takes a tenth of the time. An absolute path in a copy still names
 * the folder in which it was made: the caller replaces it.
 */
export async function copyTemplate(
  options: unknown,
  directory: string,
  make: (directory: string) => Promise<void>,
): Promise<void> {
  const key = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  const template = join(inject('templates'), key);
  if (!(await isThere(template))) {
    const making = await mkdtemp(`${template}.`);
    await make(making);
    await takeName(making, template);
  }
  cpSync(template, directory, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
  });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Of two workers that made the same, the first wins. */
async function takeName(making: string, template: string): Promise<void> {
  try {
    await rename(making, template);
  } catch (error) {
    if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST') throw error;
    await rm(making, { recursive: true });
  }
}
