import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildCommandLine, buildExtension } from '../../esbuild.mjs';
import { systemCode } from '../../src/base/errors.ts';

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/ravel-tests');

/**
 * Bundles the command line and the extension, unless what is there was made of the same files; without a bundle no test
 * runs, so that none is tried on an older one. Makes the folder of the templates that tests copy, and removes it after.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfChanged();
  const templates = await mkdtemp(join(tmpdir(), 'ravel-templates-'));
  project.provide('templates', templates);
  return () => rm(templates, { recursive: true, force: true });
}

const sources = ['src', 'webview', 'esbuild.mjs', 'tsconfig.json', 'tsconfig.webview.json', 'package-lock.json'];

async function buildIfChanged(): Promise<void> {
  const stamp = join(cache, 'built');
  const wanted = await stampOf(sources);
  const isBuilt = existsSync(stamp) && (await readFile(stamp, 'utf8')) === `${wanted} ${await stampOf(['dist'])}`;
  if (isBuilt) return;
  await buildCommandLine();
  await buildExtension();
  await mkdir(cache, { recursive: true });
  await writeFile(stamp, `${wanted} ${await stampOf(['dist'])}`);
}

/** Changes with the name, the size and the time of any file there. */
async function stampOf(places: readonly string[]): Promise<string> {
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

function noneIfGone(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error;
}
