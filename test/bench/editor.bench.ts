import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { listFiles, stageExtension } from '../../packaging/stage.mjs';
import { type EditorHost, startEditorHost } from '../editor/support/editorHost.ts';
import { EditorPage, startBrowser } from '../editor/support/editorPage.ts';
import { runHostSuite } from '../editor/support/hostSuite.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';

const windows = sized(5, 1);
const plans = sized(10_000, 300);
const kibibyte = 1024;

interface World {
  readonly folder: string;
  readonly browser: Browser;
}

/** The time to load and activate the extension, compared with an empty extension in the same hosts; they take turns. */
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
  if (times.ravel.length !== windows) throw new Error('a window did not report its times');
  const own = round(median(times.ravel) - median(times.empty), 1);
  return {
    id: 'activate',
    value: own,
    unit: 'ms more than an empty extension',
    goal: '≤ 40',
    ok: own <= 40,
    note: `median of ${windows} windows without a vault: ${round(median(times.ravel), 1)} ms to load and activate, an empty extension ${round(median(times.empty), 1)} ms; slowest ${round(Math.max(...times.ravel), 1)} ms`,
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

/** The time from the click that shows the views to the first row, in a window that has just opened a large vault. */
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
      note: `${plans} plans in a window that has just opened; ${round(first, 0)} ms when Ravel opens the vault for the first time; slowest of ${windows} windows ${round(Math.max(...times), 0)} ms`,
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

/** The size of the shipped code that the extension loads, at activation or later, or that the largest webview loads. */
async function bundle(folder: string, which: 'extension' | 'webview'): Promise<BenchRow> {
  const directory = join(folder, 'extension');
  await stageExtension(directory);
  const files =
    which === 'webview'
      ? (await listFiles(directory)).filter((file) => /^dist\/webview\/\w+\.js$/.test(file))
      : await loadedFrom(directory, 'dist/extension.cjs');
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(directory, file))).size / kibibyte));
  const value = round(which === 'webview' ? Math.max(...sizes) : sizes.reduce((sum, size) => sum + size, 0), 0);
  // An eighth of it is what the tool gate knows of programs and shells.
  const most = which === 'webview' ? 600 : 2000;
  const named = files
    .map((file, n) => ({ file: file.slice('dist/'.length), size: round(sizes[n] ?? 0, 0) }))
    .sort((a, b) => b.size - a.size)
    .map(({ file, size }) => `${file} ${size}`);
  return {
    id: `bundle-${which}`,
    value,
    unit: 'kB, minified',
    goal: `≤ ${most}`,
    ok: value <= most,
    note: `${files.length} files, the largest ${named.slice(0, 4).join(', ')}`,
  };
}

/** A file and every file that it imports, at once or later, as paths below `directory`. */
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

function inWorld(run: (world: World) => Promise<BenchRow>): Promise<BenchRow> {
  return inFolder(async (folder) => {
    const browser = await startBrowser();
    try {
      return await run({ folder, browser });
    } finally {
      await browser.close();
    }
  });
}

async function inFolder(run: (folder: string) => Promise<BenchRow>): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const benches: readonly Bench[] = [
  { id: 'activate', usesBuild: true, run: () => inWorld(activate) },
  { id: 'first-tree', usesBuild: true, run: () => inWorld(firstTree) },
  { id: 'bundle-extension', run: () => inFolder((folder) => bundle(folder, 'extension')) },
  { id: 'bundle-webview', run: () => inFolder((folder) => bundle(folder, 'webview')) },
];
