import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { listFiles, stageExtension } from '../../packaging/stage.mjs';
import { type EditorHost, startEditorHost } from '../editor/support/editorHost.ts';
import { EditorPage, startBrowser } from '../editor/support/editorPage.ts';
import { runHostSuite } from '../editor/support/hostSuite.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { type Bench, type BenchRow, measure, median, round } from './bench.ts';

const windows = 5;
const plans = 10_000;
const kibibyte = 1024;

interface World {
  readonly folder: string;
  readonly browser: Browser;
}

/** Loading and activating the extension against one that is empty, in the same hosts, in turns. */
async function activate({ folder, browser }: World): Promise<BenchRow> {
  const [empty, opened] = [join(folder, 'empty'), join(folder, 'opened')];
  for (const directory of [empty, opened]) await mkdir(directory);
  const manifest = {
    publisher: 'bench',
    name: 'empty',
    version: '1.0.0',
    engines: { vscode: '^1.101.0' },
    main: 'main.js',
  };
  await writeFile(join(empty, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(empty, 'main.js'), 'exports.activate = () => undefined;\n');
  const times = { ravel: [] as number[], empty: [] as number[] };
  const host = await startEditorHost({ underTest: true });
  try {
    for (let n = 0; n < windows; n++) {
      const order = n % 2 === 0 ? ['ravel.ravel', 'bench.empty'] : ['bench.empty', 'ravel.ravel'];
      const suite = join(folder, 'suite.cjs');
      await writeFile(suite, timeActivations(order));
      await runHostSuite(browser, {
        ...{ host, folder: opened, suite, extension: empty },
        onLine(line) {
          const [, name = '', ms = ''] = /ravel-bench \w+\.(\w+) ([\d.]+)/.exec(line) ?? [];
          if (name === 'ravel' || name === 'empty') times[name].push(Number(ms));
        },
      });
    }
  } finally {
    await host.stop();
  }
  if (times.ravel.length !== windows) throw new Error('not every window told its times');
  const own = round(median(times.ravel) - median(times.empty), 1);
  return {
    id: 'activate',
    value: own,
    unit: 'ms more than an empty extension',
    goal: '≤ 40',
    ok: own <= 40,
    note: `median of ${windows} windows without a vault: ${round(median(times.ravel), 1)} ms to load and activate, an empty one ${round(median(times.empty), 1)} ms; slowest ${round(Math.max(...times.ravel), 1)} ms`,
  };
}

function timeActivations(order: readonly string[]): string {
  return `
    const vscode = require('vscode');
    exports.run = async () => {
      for (const id of ${JSON.stringify(order)}) {
        const start = performance.now();
        await vscode.extensions.getExtension(id).activate();
        console.log('ravel-bench ' + id + ' ' + (performance.now() - start));
      }
    };`;
}

/** From the click that shows the views to the first row, in a window that has just come up on a large vault. */
async function firstTree({ folder, browser }: World): Promise<BenchRow> {
  const vault = writeLargeVault(join(folder, 'plans'), { plans });
  const host = await startEditorHost();
  try {
    const first = await showTree(browser, host, vault);
    const times: number[] = [];
    for (let n = 0; n < windows; n++) times.push(await showTree(browser, host, vault));
    const value = round(median(times), 0);
    return {
      id: 'first-tree',
      value,
      unit: 'ms from the click to the first row',
      goal: '≤ 1000',
      ok: value <= 1000,
      note: `${plans} plans, the window has just come up; ${round(first, 0)} ms where nothing of the vault was looked at before; slowest of ${windows} ${round(Math.max(...times), 0)} ms`,
    };
  } finally {
    await host.stop();
  }
}

async function showTree(browser: Browser, host: EditorHost, vault: string): Promise<number> {
  const window = await EditorPage.open(browser, { host, folder: vault });
  const time = await measure(async () => {
    await window.activity('Ravel');
    await window.view('Plans').getByRole('treeitem').first().waitFor({ timeout: 60_000 });
  });
  await window.close();
  return time;
}

/** What is loaded of the shipped package: by the extension, at activation or later, and by each webview. */
async function bundle({ folder }: World, which: 'extension' | 'webview'): Promise<BenchRow> {
  const directory = join(folder, 'extension');
  await stageExtension(directory);
  const files =
    which === 'webview'
      ? (await listFiles(directory)).filter((file) => /^dist\/webview\/\w+\.js$/.test(file))
      : await loadedFrom(directory, 'dist/extension.cjs');
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(directory, file))).size / kibibyte));
  const value = round(which === 'webview' ? Math.max(...sizes) : sizes.reduce((sum, size) => sum + size, 0), 0);
  const limit = which === 'webview' ? 600 : 1500;
  const named = files
    .map((file, n) => ({ file: file.slice('dist/'.length), size: round(sizes[n] ?? 0, 0) }))
    .sort((a, b) => b.size - a.size)
    .map(({ file, size }) => `${file} ${size}`);
  return {
    id: `bundle-${which}`,
    value,
    unit: 'kB, minified',
    goal: `≤ ${limit}`,
    ok: value <= limit,
    limit,
    note: `${files.length} files, the largest ${named.slice(0, 4).join(', ')}`,
  };
}

/** A file and all that it imports, at once or later, by their paths below `directory`. */
async function loadedFrom(directory: string, entry: string): Promise<string[]> {
  const found = new Set([entry]);
  for (const file of found) {
    const text = await readFile(join(directory, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+\.mjs)["']/g)) {
      found.add(join(dirname(file), path));
    }
  }
  return [...found];
}

async function inWorld(run: (world: World) => Promise<BenchRow>): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const browser = await startBrowser();
  try {
    return await run({ folder, browser });
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const benches: readonly Bench[] = [
  { id: 'activate', run: () => inWorld(activate) },
  { id: 'first-tree', run: () => inWorld(firstTree) },
  { id: 'bundle-extension', run: () => inWorld((world) => bundle(world, 'extension')) },
  { id: 'bundle-webview', run: () => inWorld((world) => bundle(world, 'webview')) },
];
