// Installs what tests need beyond the project's own packages: `node test/support/prepare.mjs [programs] [browser] [system]`.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installHost } from '../../packaging/installHost.mjs';
import { installBrowser } from '../editor/support/installBrowser.mjs';

const parts = { programs: installPrograms, browser: installEditor, system: installSystemPrograms };

/** Programs of the system, and the Debian package that has each. Tests that need one are not run where it is missing. */
const systemPrograms = { bwrap: 'bubblewrap' };

/** The real agent programs that some tests drive, as `test/programs` locks them. */
function installPrograms() {
  const directory = fileURLToPath(new URL('../programs/', import.meta.url));
  const installed = `${directory}node_modules/.package-lock.json`;
  const wanted = `${directory}package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(wanted).mtimeMs) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}

/** A VS Code that runs as a server, and a browser that shows it. */
function installEditor() {
  installBrowser();
  installHost();
}

/** Only an administrator of a Debian system can be helped; anyone else reads in the last line of the tests what is missing. */
function installSystemPrograms() {
  const missing = Object.entries(systemPrograms).filter(([program]) => !isOnPath(program));
  if (missing.length === 0 || process.getuid?.() !== 0 || !isOnPath('apt-get')) return;
  const packages = missing.map(([, name]) => name);
  try {
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', ...packages], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  } catch (error) {
    console.error(`apt-get could not install ${packages.join(', ')}: ${error.message}`);
  }
}

function isOnPath(program) {
  const directories = (process.env.PATH ?? '').split(':');
  return directories.some((directory) => existsSync(`${directory}/${program}`));
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(parts);
for (const name of names) {
  const install = parts[name];
  if (install === undefined) {
    console.error(`There is no part ${name}: the parts are ${Object.keys(parts).join(', ')}.`);
    process.exitCode = 2;
    continue;
  }
  try {
    install();
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    // The tests go on without it and name in their last line what was not run, which is a failure under CI.
    if (process.argv.length > 2) process.exitCode = 1;
  }
}
