import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

/** The folder of this version below the cache of the person. */
export function cacheFolder(name) {
  return join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'ravel', name);
}

/**
 * Makes a folder once: beside its place, which it takes when it is whole. Of two programs that make it at the same time
 * the first one wins. Removes what programs left here that ended midway.
 *
 * @param {string} directory
 * @param {(making: string) => void} make
 */
export function installFolder(directory, make) {
  if (existsSync(directory)) return;
  removeLeftovers(dirname(directory), `${basename(directory)}.`);
  const making = `${directory}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  try {
    make(making);
    takeName(making, directory);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/**
 * @param {string} npm
 * @param {readonly string[]} args
 * @param {{ cwd: string, path?: string }} options
 */
export function runNpm(npm, args, { cwd, path }) {
  execFileSync(npm, [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...(path !== undefined && { PATH: [path, process.env.PATH].join(delimiter) }) },
  });
}

function takeName(making, directory) {
  try {
    renameSync(making, directory);
  } catch (error) {
    // Another program was faster, and what it made is the same.
    if (!existsSync(directory)) throw error;
  }
}

/**
 * Removes the folders of programs that have ended: those whose names are the prefix and a process id.
 *
 * @param {string} parent
 * @param {string} prefix
 */
export function removeLeftovers(parent, prefix) {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0;
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
