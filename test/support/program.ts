import { createHash } from 'node:crypto';
import { mkdir, readlink, rename, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { systemCode } from '../../src/base/errors.ts';

const cache = fileURLToPath(new URL('../../node_modules/.cache/ravel-programs/', import.meta.url));

/**
 * Bundles a TypeScript program for the oldest Node that is supported, once in a run, and returns the path of the result,
 * which `process.execPath` can run as a child.
 */
export async function bundleProgram(entry: string): Promise<string> {
  const link = join(inject('templates'), `program-${createHash('sha256').update(entry).digest('hex').slice(0, 16)}`);
  const found = await readlink(link).catch(noneIfGone);
  if (found !== undefined) return found;
  const program = await bundle(entry);
  const ours = `${link}.${process.pid}`;
  await symlink(program, ours);
  await rename(ours, link);
  return program;
}

function noneIfGone(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}

/** The same content lands in the same file, so nothing needs removing. */
async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    // Bundled CommonJS packages call require, which an ES module has to make for itself.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error(`${entry} gave no output`);
  const digest = createHash('sha256').update(output.contents).digest('hex').slice(0, 16);
  const path = join(cache, `${basename(entry, '.ts')}-${digest}.mjs`);
  await mkdir(cache, { recursive: true });
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, output.contents);
  await rename(temporary, path);
  return path;
}
