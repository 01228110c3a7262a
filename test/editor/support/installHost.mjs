import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A VS Code that a browser shows, and the Node it wants. Apart from the project's own packages: it is large. */
const codeServerVersion = '4.139.1';
const nodeVersion = '24.21.0';
const nativePackages = ['@vscode/spdlog', 'node-pty', '@vscode/native-watchdog'];
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const nodePlatform = process.platform === 'win32' ? 'win' : process.platform;

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const installed = join(cache, 'ravel', `editor-host-${codeServerVersion}`);

/** Where the parts of the editor's host lie once `installHost` has run. */
export const hostParts = {
  node: join(nodeDirectory(installed), process.platform === 'win32' ? 'node.exe' : 'node'),
  codeServer: join(installed, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
};

/** The browser that shows the editor: `RAVEL_CHROMIUM`, else the system's. Throws with what to type where there is none. */
export function findBrowser() {
  const named = process.env.RAVEL_CHROMIUM;
  if (named !== undefined && !existsSync(named)) throw new Error(`RAVEL_CHROMIUM names ${named}, which is not there.`);
  const found = named ?? browsers.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium was found. Install one (on Debian and Ubuntu: apt-get install chromium), or name it in RAVEL_CHROMIUM.',
  );
}

/**
 * Installs the host once for each version, in a folder beside that takes its name when it is whole. Of two that install
 * at once the first wins; what one left that ended midway is removed.
 *
 * @param {{ directory?: string, npm?: string }} options
 */
export function installHost({ directory = installed, npm = 'npm' } = {}) {
  if (existsSync(directory)) return;
  removeLeftovers(directory);
  const making = `${directory}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  try {
    installInto(making, npm);
    takeName(making, directory);
  } catch (error) {
    throw new Error(
      `The editor of the tests could not be installed: ${error.message}\n` +
        'It is fetched once, from the npm registry, and needs about 600 MB. To try again: node test/editor/support/installHost.mjs',
    );
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function installInto(making, npm) {
  writeFileSync(join(making, 'package.json'), '{ "name": "ravel-editor-host", "private": true }\n');
  const node = `node-${nodePlatform}-${process.arch}@${nodeVersion}`;
  run(npm, ['install', '--save-exact', '--ignore-scripts', `code-server@${codeServerVersion}`, node], { cwd: making });
  const editor = join(making, 'node_modules', 'code-server', 'lib', 'vscode');
  run(npm, ['install', '--omit=dev', '--ignore-scripts'], { cwd: editor });
  // Native parts are made with the Node that will load them.
  run(npm, ['rebuild', ...nativePackages], { cwd: editor, path: nodeDirectory(making) });
}

function takeName(making, directory) {
  try {
    renameSync(making, directory);
  } catch (error) {
    // Another one was faster, and what it made is the same.
    if (!existsSync(directory)) throw error;
  }
}

function removeLeftovers(directory) {
  const parent = dirname(directory);
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(`${basename(directory)}.`) ? Number(name.slice(basename(directory).length + 1)) : 0;
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

function run(npm, args, { cwd, path }) {
  const separator = process.platform === 'win32' ? ';' : ':';
  execFileSync(npm, [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, ...(path !== undefined && { PATH: [path, process.env.PATH].join(separator) }) },
  });
}

function nodeDirectory(directory) {
  return join(directory, 'node_modules', `node-${nodePlatform}-${process.arch}`, 'bin');
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    findBrowser();
    installHost();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
