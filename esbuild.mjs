import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));

/**
 * gray-matter can evaluate JavaScript in frontmatter. Every engine it uses comes from `vault/frontmatter.ts`, so its own
 * are left out, and with them the last `eval` of the bundle.
 */
const stripEngines = {
  name: 'strip-engines',
  setup(steps) {
    steps.onLoad({ filter: /gray-matter[\\/]lib[\\/]engines\.js$/ }, () => ({ contents: 'module.exports = {};' }));
  },
};

/**
 * The protocol of session tools brings a validator of JSON schemas, larger than all that a session's process loads of our
 * own. Client and server are each given one that is never asked, so this one is never made.
 */
const stripValidator = {
  name: 'strip-validator',
  setup(steps) {
    const contents = "export class AjvJsonSchemaValidator { constructor() { throw new Error('not in this bundle'); } }";
    steps.onLoad({ filter: /@modelcontextprotocol[\\/]sdk[\\/].*[\\/]ajv-provider\.js$/ }, () => ({ contents }));
  },
};

/** The command line must run without an editor. */
const refuseEditor = {
  name: 'refuse-editor',
  setup(steps) {
    steps.onResolve({ filter: /^vscode$/ }, ({ importer }) => ({
      errors: [{ text: `vscode is imported by ${relative(root, importer)}, which the command line reaches` }],
    }));
  },
};

/** Completions have a file of their own, which loads in less time than the chunks that they would share. */
const completionStaysApart = {
  name: 'completion-stays-apart',
  setup(steps) {
    const filter = /^\.\/completion\/printCompletions\.ts$/;
    steps.onResolve({ filter }, () => ({ path: './completion.mjs', external: true }));
  },
};

/** The command line, and what other programs import. */
const ownEntries = {
  ravel: join(root, 'src/cli/entry.ts'),
  library: join(root, 'src/library.ts'),
  core: join(root, 'src/core.ts'),
};

/** Packages in CommonJS call `require` for Node's own modules. */
const requireInModules = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
].join('\n');

/** @type {import('esbuild').BuildOptions & { write: false }} */
const bundling = {
  absWorkingDir: root,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: 'linked',
  plugins: [stripEngines, stripValidator, refuseEditor, completionStaysApart],
  logLevel: 'silent',
  write: false,
};

/** What is shipped: small, and without the maps. Names stay, since errors and logs show them. */
const forShipping = { minify: true, keepNames: true, sourcemap: false, legalComments: 'none' };

/**
 * Bundles the entries to one file each and lazily loaded chunks that they share. Each file is replaced by rename, so that a
 * program that starts meanwhile never reads half of one.
 *
 * @param {{ entry?: string, directory?: string, clean?: boolean, kept?: string[], production?: boolean, inputs?: Set<string> }} options `entry` takes the place of all our own; `clean` removes what no longer belongs there, besides what is `kept`; `production` is what is shipped, and `inputs` is told what went into it
 * @returns {Promise<string[]>} absolute paths of the files written
 */
export async function buildCommandLine({
  entry,
  directory = join(root, 'dist'),
  clean = false,
  kept = [],
  production = false,
  inputs = new Set(),
} = {}) {
  const { outputFiles, metafile } = await build({
    ...bundling,
    ...(production && forShipping),
    metafile: true,
    entryPoints: entry === undefined ? ownEntries : { ravel: entry },
    outdir: directory,
    chunkNames: 'chunks/[name]-[hash]',
    banner: { js: ['#!/usr/bin/env node', requireInModules].join('\n') },
  });
  addInputs(inputs, metafile);
  if (entry === undefined) {
    outputFiles.push(...(await bundleThread('scan', 'src/vault/scanWorker.ts', directory, production)));
    outputFiles.push(...(await bundleThread('entries', 'src/vault/entryWorker.ts', directory, production)));
    outputFiles.push(...(await bundleThread('search', 'src/knowledge/search/searchWorker.ts', directory, production)));
    outputFiles.push(...(await bundleThread('memory', 'src/knowledge/memory/memoryWorker.ts', directory, production)));
    outputFiles.push(...(await bundleThread('history', 'src/routing/history/historyWorker.ts', directory, production)));
    outputFiles.push(
      ...(await bundleThread('completion', 'src/cli/completion/printCompletions.ts', directory, production)),
    );
    outputFiles.push(await commandsFile(directory));
  }
  // Chunks first: the entry never names one that is not there yet.
  const inOrder = outputFiles.toSorted((a, b) => Number(isEntry(a.path)) - Number(isEntry(b.path)));
  for (const { path, contents } of inOrder) await replaceFile(path, contents);
  const paths = outputFiles.map(({ path }) => path);
  if (clean) await removeLeftovers(directory, new Set([...paths, ...kept]));
  return paths;
}

/** The extension asks for the core at its first vault, from the same files as the command line's. */
const coreStaysApart = {
  name: 'core-stays-apart',
  setup(steps) {
    steps.onResolve({ filter: /^\.\/library\.ts$/ }, () => ({ path: './library.mjs', external: true }));
  },
};

/** The pages get the controls of the archived toolkit instead of its successor's, to compare both. */
const controlsOfToolkit = {
  name: 'controls-of-toolkit',
  setup(steps) {
    steps.onResolve({ filter: /^\.\/elements\.ts$/ }, ({ path }) => ({ path, namespace: 'toolkit' }));
    steps.onLoad({ filter: /.*/, namespace: 'toolkit' }, () => ({
      contents: "export { registerToolkit as registerControls } from './toolkit.ts';",
      resolveDir: join(root, 'webview'),
    }));
  },
};

/** Pages that the editor shows, one for each panel. */
const webviews = {
  phaseRunner: join(root, 'webview/phaseRunner.ts'),
  routing: join(root, 'webview/routing.ts'),
  question: join(root, 'webview/question.ts'),
  start: join(root, 'webview/start.ts'),
  page: join(root, 'webview/page.css'),
};

/**
 * Bundles the extension to one CommonJS file, which every editor can load, and its webviews.
 *
 * @param {{ directory?: string, production?: boolean, inputs?: Set<string>, controls?: string }} options `controls` is `toolkit` for the archived toolkit; the environment variable `RAVEL_CONTROLS` says it to the program
 * @returns {Promise<string[]>} absolute paths of the files written
 */
export async function buildExtension({
  directory = join(root, 'dist'),
  production = false,
  inputs = new Set(),
  controls = 'elements',
} = {}) {
  const common = {
    ...{ absWorkingDir: root, bundle: true, logLevel: 'silent', write: false, metafile: true },
    ...{ sourcemap: 'linked', minify: true, keepNames: true },
    ...(production && forShipping),
  };
  const extension = await build({
    ...common,
    entryPoints: { extension: join(root, 'src/extension.ts') },
    outdir: directory,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['vscode'],
    plugins: [coreStaysApart],
  });
  const pages = await build({
    ...common,
    entryPoints: webviews,
    outdir: join(directory, 'webview'),
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    keepNames: false,
    plugins: controls === 'toolkit' ? [controlsOfToolkit] : [],
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
  });
  for (const { metafile } of [extension, pages]) addInputs(inputs, metafile);
  const files = [...extension.outputFiles, ...pages.outputFiles, ...(await schemaFiles(directory))];
  for (const { path, contents } of files) await replaceFile(path, contents);
  return files.map(({ path }) => path);
}

/** What a source exports, for files that are made from it. */
async function importSource(path) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, path)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    write: false,
    // From the text of a module alone, nothing can be resolved.
    banner: {
      js: `import { createRequire as __createRequire } from 'node:module'; const require = __createRequire('${import.meta.url}');`,
    },
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

/** The table of commands, from which completions are answered without loading the commands. */
async function commandsFile(directory) {
  const { commandTable } = await importSource('src/cli/completion/commandTable.ts');
  return { path: join(directory, 'commands.json'), contents: JSON.stringify(commandTable()) };
}

/** The schemas of the files that people edit, for other extensions: made from our own, so that both say the same. */
async function schemaFiles(directory) {
  const { jsonSchemas } = await importSource('src/model/jsonSchemas.ts');
  return Object.entries(jsonSchemas()).map(([name, schema]) => ({
    path: join(directory, 'schemas', `${name}.json`),
    contents: `${JSON.stringify(schema, undefined, 2)}\n`,
  }));
}

/**
 * A thread of its own, such as the one that scans a large vault, or the program of completions. It has chunks of its own,
 * since it starts again each time: what it does not need would take longer to load than a thousand plans to be looked at.
 */
async function bundleThread(name, program, directory, production) {
  const { outputFiles } = await build({
    ...bundling,
    minifyWhitespace: true,
    ...(production && forShipping),
    entryPoints: { [name]: join(root, program) },
    outdir: directory,
    chunkNames: `chunks/${name}-[name]-[hash]`,
    banner: { js: requireInModules },
  });
  return outputFiles;
}

/** Files of which something is in a bundle. */
function addInputs(inputs, { outputs }) {
  for (const output of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) if (bytesInOutput > 0) inputs.add(path);
  }
}

function isEntry(path) {
  return (
    ['scan.mjs', 'entries.mjs', 'search.mjs', 'memory.mjs', 'history.mjs', 'completion.mjs'].includes(basename(path)) ||
    basename(path, '.mjs') in ownEntries
  );
}

async function replaceFile(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  if (isEntry(path)) await chmod(temporary, 0o755);
  await rename(temporary, path);
}

async function removeLeftovers(directory, kept) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path)) await rm(path, { force: true });
  }
}

/** Builds everything again whenever a source changes, until it is stopped. */
async function watchSources() {
  const { watch } = await import('chokidar');
  let building = Promise.resolve();
  let isWaiting = false;
  watch([join(root, 'src'), join(root, 'webview')], { ignoreInitial: true }).on('all', () => {
    // A save touches several files: one build takes them all.
    if (isWaiting) return;
    isWaiting = true;
    building = building.then(async () => {
      isWaiting = false;
      await buildAndTell();
    });
  });
}

async function buildAll() {
  const kept = await buildExtension({ controls: process.env.RAVEL_CONTROLS });
  await buildCommandLine({ clean: true, kept });
}

/** Says how long a build took, or where it failed. */
async function buildAndTell() {
  const startMs = performance.now();
  try {
    await buildAll();
    console.log(`Built in ${Math.round(performance.now() - startMs)} ms.`);
  } catch (error) {
    printProblems(error);
  }
}

function printProblems(error) {
  for (const { text, location } of error.errors ?? [{ text: String(error) }]) {
    console.error(location ? `${location.file}:${location.line}: ${text}` : text);
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--watch')) {
    await buildAndTell();
    await watchSources();
    console.log('Watching src and webview; Ctrl-C ends it.');
  } else {
    await buildAll().catch((error) => {
      printProblems(error);
      process.exitCode = 1;
    });
  }
}
