// Installs what tests need beyond the project's own packages: `node test/support/prepare.mjs [programs] [browser] [host] [system]`.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installHost } from '../../packaging/installHost.mjs';
import { installBrowser } from '../editor/support/installBrowser.mjs';

const parts = { programs: installPrograms, browser: installBrowser, host: installHost, system: installSystemPrograms };

/** Programs of the system, and the Debian package that has each. Tests that need one are not run where it is missing. */
const systemPrograms = { bwrap: 'bubblewrap', zsh: 'zsh', fish: 'fish' };

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

/** Runs one part here. */
function installPart(name) {
  const install = parts[name];
  if (install === undefined) {
    console.error(`There is no part ${name}: the parts are ${Object.keys(parts).join(', ')}.`);
    return 2;
  }
  try {
    install();
    return 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

/** Each part waits for the network most of the time, so they share it: each in a process of its own. */
async function installParts(names) {
  const codes = names.map(async (name) => {
    const [code] = await once(
      spawn(process.execPath, [fileURLToPath(import.meta.url), name], { stdio: 'inherit' }),
      'exit',
    );
    return code ?? 1;
  });
  return Math.max(...(await Promise.all(codes)));
}

const named = process.argv.slice(2);
const code =
  named.length === 1 ? installPart(named[0]) : await installParts(named.length > 0 ? named : Object.keys(parts));
// Unless it was asked for by name, tests run without a part, and the last line of a run names what that left out.
if (named.length > 0) process.exitCode = code;
