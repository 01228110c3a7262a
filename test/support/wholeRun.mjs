// Runs all tests, as `npm test` does: `node test/support/wholeRun.mjs`, or some: `node test/support/wholeRun.mjs -- arguments of vitest`.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { editorLack } from '../editor/support/editorLack.mjs';
import { readOptions } from './commandOptions.mjs';
import { mergeReports } from './mergeReports.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const usage = 'Usage: npm test [-- arguments of vitest]';
const { positionals } = readOptions(usage, { options: {}, allowPositionals: true });
const wantedReport = process.env.RAVEL_TEST_REPORT;
const reports = mkdtempSync(join(tmpdir(), 'ravel-reports-'));
const parts = [];

try {
  const codes = positionals.length > 0 ? [await runTests('some', positionals)] : await runAll();
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
  if (wantedReport !== undefined)
    writeFileSync(wantedReport, JSON.stringify(mergeReports(parts.map((part) => [part, reportOf(part)]))));
} finally {
  rmSync(reports, { recursive: true });
}

async function runAll() {
  const first = await runTests('first', projects('unit', 'core', 'crash'));
  if (editorLack() !== undefined) return [first, await runTests('real', projects('real'), { isLast: true })];
  // A window often waits to be drawn: the real program works meanwhile, and gives way where both want a processor.
  const real = runTests('real', [...projects('real'), '--maxWorkers=1'], { isBehind: true });
  const editor = await runTests('editor', projects('editor'));
  return [first, editor, await real];
}

function projects(...names) {
  return names.flatMap((name) => ['--project', name]);
}

/**
 * Resolves with the exit code; null after a signal. Tests behind others get what these leave of the processors, and what they
 * say is printed at their end.
 */
function runTests(part, args, { isBehind = false, isLast = false } = {}) {
  const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args], {
    cwd: root,
    stdio: ['ignore', ...(isBehind ? ['pipe', 'pipe'] : ['inherit', 'inherit'])],
    env: { ...process.env, RAVEL_TEST_REPORT: reportOf(part), ...(isLast ? { RAVEL_WHOLE_RUN: '1' } : {}) },
  });
  parts.push(part);
  if (isBehind) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code);
    });
  });
}

function reportOf(part) {
  return join(reports, `${part}.json`);
}
