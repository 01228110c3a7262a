import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, installFolder, runNpm } from './installFolder.mjs';

/** A VS Code that a browser shows, and the Node it wants. Apart from the project's own packages: it is large. */
const codeServerVersion = '4.139.1';
const nodeVersion = '24.21.0';
const nativePackages = ['@vscode/spdlog', 'node-pty', '@vscode/native-watchdog'];
const nodePlatform = process.platform === 'win32' ? 'win' : process.platform;

const installed = cacheFolder(`editor-host-${codeServerVersion}`);

/** Where the parts of the editor's host lie once `installHost` has run. */
export const hostParts = {
  node: join(nodeDirectory(installed), process.platform === 'win32' ? 'node.exe' : 'node'),
  codeServer: join(installed, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
  /** The folder of the extensions that the editor brings. */
  extensions: join(installed, 'node_modules', 'code-server', 'lib', 'vscode', 'extensions'),
};

/**
 * Installs the host, once for each version.
 *
 * @param {{ directory?: string, npm?: string }} options
 */
export function installHost({ directory = installed, npm = 'npm' } = {}) {
  try {
    installFolder(directory, (making) => installInto(making, npm));
  } catch (error) {
    throw new Error(
      `The editor could not be installed: ${error.message}\n` +
        'It is fetched once, from the npm registry, and needs about 600 MB. To try again: node packaging/installHost.mjs',
    );
  }
}

function installInto(making, npm) {
  writeFileSync(join(making, 'package.json'), '{ "name": "ravel-editor-host", "private": true }\n');
  const node = `node-${nodePlatform}-${process.arch}@${nodeVersion}`;
  runNpm(npm, ['install', '--save-exact', '--ignore-scripts', `code-server@${codeServerVersion}`, node], {
    cwd: making,
  });
  const editor = join(making, 'node_modules', 'code-server', 'lib', 'vscode');
  runNpm(npm, ['install', '--omit=dev', '--ignore-scripts'], { cwd: editor });
  // Native parts are made with the Node that will load them.
  runNpm(npm, ['rebuild', ...nativePackages], { cwd: editor, path: nodeDirectory(making) });
}

function nodeDirectory(directory) {
  return join(directory, 'node_modules', `node-${nodePlatform}-${process.arch}`, 'bin');
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    installHost();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
