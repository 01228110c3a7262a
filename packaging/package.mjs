// Makes the extension's packages, one for each platform: `npm run package`, or `npm run package -- --target linux-x64,universal`.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { locateNative } from './natives.mjs';
import { stageExtension, stageTerminals } from './stage.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Where node-pty ships; `universal` has no terminals and runs everywhere else. */
const targets = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64', 'universal'];

async function main() {
  const { values } = parseArgs({
    options: { target: { type: 'string' }, out: { type: 'string', default: join(root, 'packages') } },
  });
  const wanted = values.target?.split(',') ?? targets;
  const unknown = wanted.filter((target) => !targets.includes(target));
  if (unknown.length > 0) {
    console.error(`No such target: ${unknown.join(', ')}. There are ${targets.join(', ')}.`);
    return 2;
  }
  // The same sources give the same bytes, whenever and wherever they are packed.
  process.env.SOURCE_DATE_EPOCH ??= dateOfSources();
  mkdirSync(values.out, { recursive: true });
  const work = mkdtempSync(join(values.out, '.work-'));
  try {
    const programs = join(work, 'programs');
    await stageExtension(programs);
    const rows = [];
    for (const target of wanted) rows.push(await makePackage({ target, work, out: values.out, programs }));
    printTable(rows);
    return rows.every(({ file }) => file !== undefined) ? 0 : 1;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function makePackage({ target, work, out, programs }) {
  const directory = join(work, target);
  await stageExtension(directory, { built: join(programs, 'dist') });
  if (target !== 'universal') {
    try {
      await stageTerminals(directory, await locateNative(target));
    } catch (error) {
      return { target, note: `not made: ${error.message}` };
    }
  }
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = join(out, `${name}-${version}-${target}.vsix`);
  await createVSIX({
    cwd: directory,
    packagePath: file,
    ...(target !== 'universal' && { target }),
    // What it needs is bundled or lies beside the programs; links lead to documents that are in the package.
    ...{ dependencies: false, rewriteRelativeLinks: false, allowMissingRepository: true },
    // Lets through all that is laid out; without it, the packager would leave out CONTRIBUTING.md.
    ignoreFile: join(root, '.vscodeignore'),
  });
  return { target, file, note: tryPrograms(directory, target) };
}

/** What of a package can be run on this machine, and whether it does. */
function tryPrograms(directory, target) {
  const version = execFileSync(process.execPath, [join(directory, 'dist', 'ravel.mjs'), '--version'], {
    encoding: 'utf8',
  });
  const tried = [`ravel ${version.trim()} starts`];
  if (target === 'universal') return [...tried, 'no terminals'].join(', ');
  if (target !== `${process.platform}-${process.arch}`) return [...tried, 'terminals not tried here'].join(', ');
  execFileSync(process.execPath, ['-e', spawnOnce], { cwd: join(directory, 'dist') });
  return [...tried, 'a terminal opens'].join(', ');
}

const spawnOnce = `
const { spawn } = require(process.cwd() + '/node_modules/node-pty');
spawn(process.execPath, ['--version'], {}).onExit(({ exitCode }) => process.exit(exitCode));
`;

function dateOfSources() {
  try {
    const time = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return time.trim();
  } catch {
    // An archive of the sources has no history.
    return String(Math.floor(statSync(join(root, 'package.json')).mtimeMs / 1000));
  }
}

function printTable(rows) {
  const table = rows.map(({ target, file, note }) => [
    target,
    file === undefined ? '–' : relative(process.cwd(), file),
    file === undefined ? '' : `${(statSync(file).size / 1024).toFixed(0)} kB`,
    note,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...table.map((row) => row[column].length)));
  for (const row of table) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
}

process.exitCode = await main();
