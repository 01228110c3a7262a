// Bundles the command line and the extension for the tests, unless what is there was made of the same files.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommandLine, buildExtension } from '../../esbuild.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const cache = join(root, 'node_modules/.cache/ravel-tests');
const sources = ['src', 'webview', 'esbuild.mjs', 'tsconfig.json', 'tsconfig.webview.json', 'package-lock.json'];

/** Without a bundle no test runs, so that none is tried on an older one. */
export async function buildIfChanged() {
  const stamp = join(cache, 'built');
  const wanted = await stampOf(sources);
  const isBuilt = existsSync(stamp) && (await readFile(stamp, 'utf8')) === `${wanted} ${await stampOf(['dist'])}`;
  if (isBuilt) return;
  await buildCommandLine();
  await buildExtension();
  await mkdir(cache, { recursive: true });
  await writeFile(stamp, `${wanted} ${await stampOf(['dist'])}`);
}

/**
 * Changes with the name, the size and the time of any file there.
 *
 * @param {readonly string[]} places
 * @returns {Promise<string>}
 */
async function stampOf(places) {
  const hash = createHash('sha256');
  for (const place of places) {
    const path = join(root, place);
    if (!existsSync(path)) continue;
    const isFolder = (await stat(path)).isDirectory();
    const names = isFolder ? (await readdir(path, { recursive: true })).map((name) => join(path, name)).sort() : [path];
    for (const name of names) {
      // An editor's lock is a link to nowhere, and a build beside this one renames its files.
      const found = await lstat(name).catch(noneIfGone);
      if (found !== undefined) hash.update(`${name} ${found.size} ${found.mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}

/**
 * @param {unknown} error
 * @returns {undefined}
 */
function noneIfGone(error) {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  return undefined;
}
