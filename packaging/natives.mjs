import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

/**
 * Gives the folder of a platform's native package: the one that is installed here, else one fetched from the registry
 * in exactly the version that the lock file names, and with its checksum.
 *
 * @param {string} target as `darwin-arm64`
 * @param {{ cache?: string, npm?: string }} options
 * @returns {Promise<string>} absolute path; rejects with a sentence that says why there is none
 */
export async function locateNative(
  target,
  { cache = join(root, 'node_modules', '.cache', 'ravel-package'), npm = 'npm' } = {},
) {
  const name = `@lydell/node-pty-${target}`;
  const { version, integrity } = await lockedPackage(name);
  const installed = join(root, 'node_modules', name);
  if (await isVersion(installed, version)) return installed;
  const directory = join(cache, version, basename(name));
  if (await isVersion(directory, version)) return directory;
  const download = `${directory}.${process.pid}`;
  await mkdir(download, { recursive: true });
  try {
    const archive = await fetchArchive({ name, version, integrity, directory: download, npm });
    await run('tar', ['-xzf', archive, '-C', download]);
    await rm(directory, { recursive: true, force: true });
    await rename(join(download, 'package'), directory);
  } finally {
    await rm(download, { recursive: true, force: true });
  }
  return directory;
}

async function lockedPackage(name) {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const locked = lock.packages[`node_modules/${name}`];
  if (locked?.integrity === undefined) throw new Error(`${name} is not in package-lock.json with its checksum`);
  return locked;
}

async function isVersion(directory, version) {
  const manifest = join(directory, 'package.json');
  return existsSync(manifest) && JSON.parse(await readFile(manifest, 'utf8')).version === version;
}

async function fetchArchive({ name, version, integrity, directory, npm }) {
  const args = ['pack', `${name}@${version}`, '--pack-destination', directory, '--json', '--loglevel=error'];
  let printed;
  try {
    ({ stdout: printed } = await run(npm, args, { shell: process.platform === 'win32' }));
  } catch {
    throw new Error(`${name}@${version} could not be fetched from the registry`);
  }
  const [{ filename }] = Object.values(JSON.parse(printed));
  const archive = join(directory, basename(filename));
  const [algorithm, expected] = integrity.split(/-(.*)/s);
  const found = createHash(algorithm)
    .update(await readFile(archive))
    .digest('base64');
  if (found !== expected)
    throw new Error(`${name}@${version} is not what package-lock.json says: its checksum differs`);
  return archive;
}
