import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// Installs the real agent programs that some tests drive, unless what the lock file names is there already.
const directory = fileURLToPath(new URL('../programs/', import.meta.url));
const installed = `${directory}node_modules/.package-lock.json`;
const wanted = `${directory}package-lock.json`;

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: directory,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
}
