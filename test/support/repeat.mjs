// Runs tests again and again beside a load, and prints what failed: `npm run test:repeat -- [--times 10] [--load 2] [-- vitest arguments]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from './commandOptions.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const usage = 'Usage: npm run test:repeat -- [--times 10] [--load 2] [-- arguments of vitest]';
const { values, positionals } = readOptions(usage, {
  options: { times: { type: 'string', default: '10' }, load: { type: 'string', default: '2' } },
  allowPositionals: true,
});
if (!(Number(values.times) > 0) || !(Number(values.load) >= 0)) {
  console.error(`--times and --load are numbers.\n${usage}`);
  process.exit(2);
}
const reports = mkdtempSync(join(tmpdir(), 'ravel-repeat-'));
const failures = new Map();
const loads = Array.from({ length: Number(values.load) }, () =>
  // Ends by itself when this process is gone.
  spawn(
    process.execPath,
    ['-e', 'const parent = process.ppid; for (;;) if (process.ppid !== parent) process.exit();'],
    {
      stdio: 'ignore',
    },
  ),
);
try {
  for (let n = 1; n <= Number(values.times); n++) {
    const report = join(reports, `${n}.json`);
    const startMs = performance.now();
    const code = await runOnce(report);
    const { numPassedTests, failed } = failuresOf(report, code);
    for (const { name } of failed) failures.set(name, [...(failures.get(name) ?? []), n]);
    const seconds = Math.round((performance.now() - startMs) / 1000);
    console.log(`Run ${n} of ${values.times}: ${numPassedTests} passed, ${failed.length} failed, ${seconds} s`);
    for (const { name, why } of failed) console.log(`  failed: ${name}\n    ${why}`);
  }
} finally {
  for (const load of loads) load.kill('SIGKILL');
  rmSync(reports, { recursive: true });
}
if (failures.size > 0) {
  console.log('Failed at least once:');
  for (const [name, runs] of failures) console.log(`  ${name}: in run ${runs.join(', ')}`);
  process.exitCode = 1;
}

async function runOnce(report) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', '--reporter=json', `--outputFile=${report}`, ...positionals];
  // A busy machine is over every budget: only failures count here.
  const env = { ...process.env };
  delete env.CI;
  const [code] = await once(spawn(process.execPath, [vitest, ...args], { cwd: root, stdio: 'ignore', env }), 'exit');
  return code;
}

/** Tests that failed, and files that could not be run, by name. */
function failuresOf(report, code) {
  if (!existsSync(report)) return { numPassedTests: 0, failed: [{ name: 'the run', why: 'It left no report.' }] };
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.slice(root.length);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && tests.length === 0) return [{ name: file, why: firstLines(message) }];
    return tests.map(({ fullName, failureMessages }) => ({
      name: `${file}: ${fullName}`,
      why: firstLines(failureMessages.join('\n')),
    }));
  });
  // Such as an error that no test awaited, or no test at all.
  if (failed.length === 0 && (code !== 0 || numPassedTests === 0)) {
    failed.push({ name: 'the run', why: `It ended with exit code ${code} after ${numPassedTests} tests.` });
  }
  return { numPassedTests, failed };
}

/** A seed stands at the beginning of a message. */
function firstLines(text) {
  return text.split('\n').slice(0, 4).join('\n    ');
}
