import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A VS Code that a browser shows, and the Node it wants. Apart from the project's own packages: it is large. */
const codeServerVersion = '4.139.1';
const nodeVersion = '24.21.0';
const nativePackages = ['@vscode/spdlog', 'node-pty', '@vscode/native-watchdog'];
const browsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
const directory = join(cache, 'ravel', `editor-host-${codeServerVersion}`);
const nodeDirectory = join(directory, 'node_modules', `node-${nodePlatform()}-${process.arch}`, 'bin');

/** Where the parts of the editor's host lie once `installHost` has run. */
export const hostParts = {
  node: join(nodeDirectory, process.platform === 'win32' ? 'node.exe' : 'node'),
  codeServer: join(directory, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
};

/** The browser that shows the editor: `RAVEL_CHROMIUM`, else the system's. Throws with what to type where there is none. */
export function findBrowser() {
  const found = [process.env.RAVEL_CHROMIUM, ...browsers].find((path) => path !== undefined && existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    'No Chromium was found. Install one (on Debian and Ubuntu: apt-get install chromium), or name it in RAVEL_CHROMIUM.',
  );
}

/** Installs the host once for each version; a folder that was left half made is made again. */
export function installHost() {
  if (existsSync(directory)) return;
  const making = `${directory}.${process.pid}`;
  rmSync(making, { recursive: true, force: true });
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, 'package.json'), '{ "name": "ravel-editor-host", "private": true }\n');
  const node = `node-${nodePlatform()}-${process.arch}@${nodeVersion}`;
  npm(making, ['install', '--save-exact', '--ignore-scripts', `code-server@${codeServerVersion}`, node]);
  const editor = join(making, 'node_modules', 'code-server', 'lib', 'vscode');
  npm(editor, ['install', '--omit=dev', '--ignore-scripts']);
  npm(editor, ['rebuild', ...nativePackages], making);
  renameSync(making, directory);
}

/** Runs npm, for native packages with the Node that will load them. */
function npm(cwd, args, made) {
  const path = made === undefined ? [] : [join(made, 'node_modules', `node-${nodePlatform()}-${process.arch}`, 'bin')];
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: [...path, process.env.PATH].join(process.platform === 'win32' ? ';' : ':') },
  });
}

function nodePlatform() {
  return process.platform === 'win32' ? 'win' : process.platform;
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
