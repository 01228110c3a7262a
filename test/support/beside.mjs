// Runs scripts of package.json beside each other and prints what each said when it ends: `node test/support/beside.mjs lint typecheck`.
import { spawn } from 'node:child_process';
import { readOptions } from './commandOptions.mjs';

const usage = 'Usage: node test/support/beside.mjs script [script…]';
const { positionals: scripts } = readOptions(usage, { options: {}, allowPositionals: true });

const codes = await Promise.all(scripts.map(runScript));
const failed = scripts.filter((_, n) => codes[n] !== 0);
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}.`);
process.exitCode = failed.length > 0 ? 1 : 0;

/** Resolves with its exit code; `null` after a signal. */
function runScript(name) {
  const startMs = performance.now();
  const child = spawn('npm', ['run', '--silent', name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
      process.stdout.write(`\n> ${name} (${seconds} s)\n${Buffer.concat(said)}`);
      resolve(code);
    });
  });
}
