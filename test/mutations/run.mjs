// Proves that each rule is tested: `node test/mutations/run.mjs`, or with `--only id,id`, or `--only gate-` for all that begin
// so. For each row of `rules.mjs` it takes the rule out of a copy of the sources and expects the named test file to fail.
// `--report FILE` writes the result as a vitest JSON report.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../support/commandOptions.mjs';
import { rules, takeOut } from './rules.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Without its rule a test may wait forever. */
const testTimeoutMs = 30_000;
const runTimeoutMs = 300_000;

const usage = 'Usage: node test/mutations/run.mjs [--only id,id] [--report file]';
/** A test that fails so says nothing about the rule: the change broke the program. */
const brokenProgram = /^(?:ReferenceError|SyntaxError|TypeError: .* is not a (?:function|constructor))/;

process.exitCode = await main();

async function main() {
  const { values } = readOptions(usage, { options: { only: { type: 'string' }, report: { type: 'string' } } });
  const ids = values.only?.split(',').filter((id) => id !== '');
  const isNamed = (name, { id }) => id === name || (name.endsWith('-') && id.startsWith(name));
  const unknown = (ids ?? []).filter((name) => !rules.some((rule) => isNamed(name, rule)));
  if (unknown.length > 0) {
    console.error(`No such rule: ${unknown.join(', ')}. There are ${rules.map(({ id }) => id).join(', ')}.`);
    return 2;
  }
  const chosen = rules.filter((rule) => ids === undefined || ids.some((name) => isNamed(name, rule)));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ravel-mutations-')));
  try {
    const results = await proveAll(chosen, folder);
    const failed = results.filter(({ problem }) => problem !== undefined).length;
    if (values.report !== undefined) writeFileSync(resolve(values.report), JSON.stringify(reportOf(results)));
    console.log(`${results.length - failed} passed, ${failed} failed`);
    return results.length > 0 && failed === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Each worker has its own copy of the project and takes one rule after another out of it. */
async function proveAll(chosen, folder) {
  const copies = Array.from({ length: Math.min(2, availableParallelism()) }, (_, n) => makeCopy(join(folder, `${n}`)));
  const passing = await passingFiles(copies[0], chosen);
  const results = new Map();
  const waiting = [...chosen];
  const work = async (copy) => {
    for (let rule = waiting.shift(); rule !== undefined; rule = waiting.shift()) {
      const result = await prove(rule, copy, passing);
      results.set(rule, result);
      console.log(`${result.problem === undefined ? 'killed' : result.verdict}  ${rule.id}: ${rule.rule}`);
      console.log(result.problem === undefined ? `          by "${result.killedBy}"` : `          ${result.problem}`);
    }
  };
  await Promise.all(copies.map(work));
  return chosen.map((rule) => results.get(rule));
}

/** Copies what git knows of the project; packages are linked. */
function makeCopy(directory) {
  for (const name of projectFiles()) {
    const from = join(root, name);
    if (existsSync(from)) cpSync(from, join(directory, name));
  }
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  return directory;
}

/** Tracked files, and new ones that git does not ignore. */
function projectFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 16 * 2 ** 20 });
  return listed.split('\0').filter((name) => name !== '');
}

/** The test files that pass while every rule holds. */
async function passingFiles(copy, chosen) {
  const { files } = await runTests(copy, [...new Set(chosen.map(({ test }) => test))]);
  return new Set(files.filter(({ tests }) => isPassed(tests)).map(({ file }) => file));
}

function isPassed(tests) {
  return tests.length > 0 && tests.every(({ status }) => status === 'passed');
}

async function prove(rule, copy, passing) {
  const { id, test } = rule;
  const file = join(copy, rule.file);
  const original = readFileSync(file, 'utf8');
  const fails = (verdict, problem) => ({ id, verdict, problem });
  if (!passing.has(test)) return fails('STALE', `${test} does not pass even with the rule`);
  const { text, problem } = takeOut(rule, original);
  if (problem !== undefined) return fails('STALE', problem);
  writeFileSync(file, text);
  try {
    const { files, output } = await runTests(copy, [test], ['--bail=1']);
    const tests = files.flatMap((one) => one.tests);
    const failed = tests.find(({ status }) => status === 'failed');
    if (failed !== undefined && brokenProgram.test(failed.why))
      return fails('BROKEN', `${failed.fullName}: ${failed.why}`);
    if (failed !== undefined) return { id, killedBy: failed.fullName };
    if (isPassed(tests)) return fails('SURVIVED', `${test} passes without the rule`);
    return fails('BROKEN', `${test} did not run: ${output.trim().slice(-500)}`);
  } finally {
    writeFileSync(file, original);
  }
}

/** Runs test files of a copy, and gives the tests of each with their outcome. */
async function runTests(copy, names, options = []) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const timeouts = [`--testTimeout=${testTimeoutMs}`, `--hookTimeout=${testTimeoutMs}`];
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', ...names, ...options, ...timeouts, '--reporter=json', `--outputFile=${report}`];
  const { CI: _strict, RAVEL_TEST_REPORT: _report, ...env } = process.env;
  const limits = { timeout: runTimeoutMs, killSignal: 'SIGKILL' };
  const child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'], ...limits });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-4000);
    });
  }
  const [code, signal] = await once(child, 'exit');
  const ended = signal === null ? `vitest ended with exit code ${code}` : `vitest was ended by ${signal}`;
  if (!existsSync(report)) return { files: [], output: `${ended}\n${output}` };
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const files = testResults.map(({ name, assertionResults }) => ({
    file: name.slice(copy.length + 1),
    tests: assertionResults.map(({ ancestorTitles, title, status, failureMessages }) => ({
      fullName: [...ancestorTitles, title].join(' '),
      status,
      why: failureMessages[0]?.split('\n', 1)[0] ?? '',
    })),
  }));
  return { files, output: testResults.map(({ message }) => message).join('\n') };
}

function reportOf(results) {
  const failed = results.filter(({ problem }) => problem !== undefined);
  return {
    numTotalTests: results.length,
    numPassedTests: results.length - failed.length,
    numFailedTests: failed.length,
    success: results.length > 0 && failed.length === 0,
    testResults: results.map(({ id, problem }) => {
      const status = problem === undefined ? 'passed' : 'failed';
      const title = `a test fails without the rule ${id}`;
      const failureMessages = problem === undefined ? [] : [problem];
      return {
        ...{ name: 'test/mutations/rules.mjs', status, message: problem ?? '' },
        assertionResults: [{ ancestorTitles: [], title, fullName: title, status, failureMessages }],
      };
    }),
  };
}
