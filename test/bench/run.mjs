// Runs the benches and writes bench-results.json: `npm run bench`, or `npm run bench -- --only id,id`.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const cache = join(root, 'node_modules', '.cache', 'ravel-bench');

/** Scripts know where they lie, so they run from there. */
const scriptsStay = {
  name: 'scripts-stay',
  setup(steps) {
    steps.onResolve({ filter: /^\..*\.mjs$/ }, ({ path, resolveDir }) => ({
      path: pathToFileURL(join(resolveDir, path)).href,
      external: true,
    }));
  },
};

if (process.argv[2] === '--child') await runChild(process.argv[3], process.argv[4]);
else process.exitCode = await main();

async function main() {
  const { values } = parseArgs({ options: { only: { type: 'string' } } });
  const only = values.only?.split(',').filter((id) => id !== '');
  const benches = await findBenches();
  const unknown = (only ?? []).filter((id) => !benches.some((bench) => bench.id === id));
  if (unknown.length > 0) {
    console.error(`No such bench: ${unknown.join(', ')}. There are ${benches.map(({ id }) => id).join(', ')}.`);
    return 2;
  }
  const rows = [];
  for (const bench of benches) {
    if (only === undefined || only.includes(bench.id)) rows.push(await runInChild(bench));
  }
  writeFileSync(join(root, 'bench-results.json'), `${JSON.stringify(rows, undefined, 2)}\n`);
  printTable(rows);
  return rows.every((row) => row.ok) ? 0 : 1;
}

async function findBenches() {
  mkdirSync(cache, { recursive: true });
  const files = readdirSync(here).filter((name) => name.endsWith('.bench.ts'));
  const benches = [];
  for (const file of files.sort()) {
    const bundle = join(cache, `${basename(file, '.ts')}.mjs`);
    await build({
      entryPoints: [join(here, file)],
      outfile: bundle,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      // Peers run as they are installed.
      packages: 'external',
      plugins: [scriptsStay],
      logLevel: 'warning',
    });
    const module = await import(pathToFileURL(bundle).href);
    for (const { id } of module.benches) benches.push({ id, bundle });
  }
  return benches;
}

/** Each bench has a process of its own, so that none inherits another's heap or warm code. */
async function runInChild({ id, bundle }) {
  console.log(`${id} ...`);
  const child = fork(fileURLToPath(import.meta.url), ['--child', bundle, id], { execArgv: ['--expose-gc'] });
  let row;
  child.on('message', (message) => {
    row = message;
  });
  const [code] = await once(child, 'exit');
  if (code === 0 && row !== undefined) return row;
  return { id, value: 0, unit: '', goal: 'to run at all', ok: false, note: `ended with exit code ${code}` };
}

async function runChild(bundle, id) {
  const { benches } = await import(pathToFileURL(bundle).href);
  const row = await benches.find((bench) => bench.id === id).run();
  await new Promise((resolve) => process.send(row, resolve));
  process.disconnect();
}

function printTable(rows) {
  const cells = rows.map((row) => [
    row.ok === true ? 'ok' : row.ok || 'MISS',
    row.id,
    `${row.value} ${row.unit}`,
    row.goal,
    row.note,
  ]);
  const table = [['', 'bench', 'value', 'goal', 'note'], ...cells];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((line) => line[column].length)));
  for (const line of table) console.log(line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}
