// Runs the benches: `npm run bench`, or `npm run bench -- --only id,id`. Writes bench-results.json; a missed goal is a MISS.
// `--small` only shows that every bench still runs and gives a finite number; it judges no goal. `--report FILE` writes the
// result as a vitest JSON report. `--list` prints the ids.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildCommandLine, buildExtension } from '../../esbuild.mjs';
import { readOptions } from '../support/commandOptions.mjs';
import { problemOf, reportOf, tableOf } from './rows.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
/** Support files of the tests find the repository by their own path; a bundle in a folder here is as deep as they are. */
const cache = join(root, 'node_modules', '.cache');
/** A small bench that takes longer than this hangs. */
const smallTimeoutMs = 120_000;

/** Scripts find their files by their own path, so the bundle imports them from there. */
const scriptsStay = {
  name: 'scripts-stay',
  setup(steps) {
    steps.onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

const usage = 'Usage: npm run bench -- [--only id,id] [--small] [--list] [--report file] [--folder folder]';

if (process.argv[2] === '--child') await runChild(process.argv[3], process.argv[4]);
else process.exitCode = await main();

async function main() {
  const { values } = readOptions(usage, {
    options: {
      only: { type: 'string' },
      small: { type: 'boolean', default: false },
      report: { type: 'string' },
      list: { type: 'boolean', default: false },
      folder: { type: 'string', default: here },
    },
  });
  mkdirSync(cache, { recursive: true });
  const bundles = mkdtempSync(join(cache, 'ravel-bench-'));
  try {
    return await runBenches(await findBenches(values.folder, bundles), values);
  } finally {
    rmSync(bundles, { recursive: true, force: true });
  }
}

async function runBenches(benches, { only, small: isSmall, report, list }) {
  if (list) {
    console.log(benches.map(({ id }) => id).join('\n'));
    return 0;
  }
  const ids = only?.split(',').filter((id) => id !== '');
  const unknown = (ids ?? []).filter((id) => !benches.some((bench) => bench.id === id));
  if (unknown.length > 0) {
    console.error(`No such bench: ${unknown.join(', ')}. There are ${benches.map(({ id }) => id).join(', ')}.`);
    return 2;
  }
  const chosen = benches.filter(({ id }) => ids === undefined || ids.includes(id));
  if (chosen.some(({ usesBuild }) => usesBuild)) {
    await buildCommandLine();
    await buildExtension();
  }
  const start = performance.now();
  const results = isSmall ? await runSmall(chosen) : await runFull(chosen);
  for (const line of tableOf(results, { isSmall })) console.log(line);
  if (report !== undefined) writeFileSync(resolve(report), JSON.stringify(reportOf(results)));
  const failed = results.filter(({ problem }) => problem !== undefined).length;
  if (isSmall) {
    console.log(`${Math.round((performance.now() - start) / 1000)} s for the small form of ${results.length} benches`);
    console.log(`${results.length - failed} passed, ${failed} failed`);
    return results.length > 0 && failed === 0 ? 0 : 1;
  }
  writeFileSync(join(root, 'bench-results.json'), `${JSON.stringify(results.map(toSavedRow), undefined, 2)}\n`);
  return results.every(({ row, problem }) => problem === undefined && row.ok) ? 0 : 1;
}

/** Every bench of every `*.bench.ts`. Throws when such a file exports none. */
async function findBenches(folder, bundles) {
  const files = readdirSync(folder).filter((name) => name.endsWith('.bench.ts'));
  await build({
    entryPoints: files.map((file) => join(folder, file)),
    outdir: bundles,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Peers run as they are installed.
    packages: 'external',
    plugins: [scriptsStay],
    logLevel: 'warning',
  });
  const benches = [];
  for (const file of files.sort()) {
    const bundle = join(bundles, `${basename(file, '.ts')}.mjs`);
    const { benches: found = [] } = await import(pathToFileURL(bundle).href);
    if (found.length === 0) throw new Error(`${file} exports no benches`);
    for (const { id, usesBuild } of found)
      benches.push({ id, usesBuild, bundle, file: relative(root, join(folder, file)) });
  }
  return benches;
}

async function runFull(benches) {
  const results = [];
  for (const bench of benches) {
    console.log(`${bench.id} ...`);
    results.push(await runInChild(bench, { RAVEL_BENCH_SIZE: 'full' }, { stdio: 'inherit' }));
  }
  return results;
}

/** Times say nothing here, so the benches share the processors. */
async function runSmall(benches) {
  const results = new Map();
  const waiting = [...benches];
  const work = async () => {
    for (let bench = waiting.shift(); bench !== undefined; bench = waiting.shift()) {
      const options = { stdio: 'pipe', timeout: smallTimeoutMs, killSignal: 'SIGKILL' };
      const result = await runInChild(bench, { RAVEL_BENCH_SIZE: 'small' }, options);
      results.set(bench, result);
      const { problem, output, ms } = result;
      console.log(`${bench.id} ${problem ?? 'ran'} (${(ms / 1000).toFixed(1)} s)`);
      if (problem !== undefined) console.log(output);
    }
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  return benches.map((bench) => results.get(bench));
}

/** Each bench has its own process, so that no bench inherits the heap or the warm code of another. */
async function runInChild({ id, bundle, file }, environment, { stdio, ...limits }) {
  const start = performance.now();
  const child = fork(fileURLToPath(import.meta.url), ['--child', bundle, id], {
    ...limits,
    cwd: root,
    env: { ...process.env, ...environment },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', stdio, stdio, 'ipc'],
  });
  let row;
  let thrown;
  let output = '';
  child.on('message', (message) => {
    ({ row, thrown } = message);
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-4000);
    });
  }
  // A process that a bench left behind can hold the streams open, so the end of the bench itself counts.
  const [code, signal] = await once(child, 'exit');
  const ended = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
  const problem = code === 0 ? problemOf(id, row) : (thrown ?? ended);
  return { id, file, row, problem, output, ms: performance.now() - start };
}

async function runChild(bundle, id) {
  const { benches } = await import(pathToFileURL(bundle).href);
  let message;
  try {
    message = { row: await benches.find((bench) => bench.id === id).run() };
  } catch (error) {
    console.error(error);
    message = { thrown: String(error).slice(0, 300) };
  }
  await new Promise((sent) => process.send(message, sent));
  // A bench that failed can leave a handle open.
  if (message.thrown !== undefined) process.exit(1);
  process.disconnect();
}

function toSavedRow({ id, row, problem }) {
  if (problem === undefined) return row;
  return { id, value: 0, unit: '', goal: row?.goal ?? 'to run at all', ok: false, note: problem };
}
