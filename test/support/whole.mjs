// Runs all tests: `node test/support/whole.mjs`. Those of the editor mostly wait for a window, so the others run beside
// them, at a lower priority: a window that had to wait for a processor would lose keys.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfChanged } from './built.mjs';
import { joinReports } from './joinReports.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const report = process.env.RAVEL_TEST_REPORT;

const parts = [
  { name: 'editor', projects: ['editor'], priority: 0 },
  {
    name: 'others',
    projects: ['unit', 'core', 'crash', 'real'],
    // A third of a window's share where both want a processor. At the lowest priority, owners that these tests start
    // waited so long for a processor that they missed their own time limits.
    priority: 5,
  },
];

// Once, before both need it.
await buildIfChanged();
const running = parts.map(run);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const { child } of running) child.kill(signal);
  });
}
const codes = await Promise.all(running.map(({ ended }) => ended));
if (report !== undefined) joinReports(parts.map(reportOf), report);
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** Shows what the others say as it comes, and what the editor's tests said at their end. */
function run(part) {
  const { name, projects, priority } = part;
  const isShown = name === 'others';
  const args = [vitest, 'run', ...projects.flatMap((project) => ['--project', project])];
  const env = {
    ...process.env,
    RAVEL_TEST_PART: name,
    ...(report !== undefined && { RAVEL_TEST_REPORT: reportOf(part) }),
  };
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'pipe'],
  });
  setPriority(child.pid, priority);
  const said = [];
  child.stdout?.on('data', (chunk) => said.push(chunk));
  child.stderr.on('data', (chunk) => (isShown ? process.stderr.write(chunk) : said.push(chunk)));
  const ended = new Promise((done, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      done(code);
    });
  });
  return { child, ended };
}

function reportOf({ name }) {
  return `${report}.${name}`;
}
