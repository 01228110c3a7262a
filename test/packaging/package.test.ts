import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateNative } from '../../packaging/natives.mjs';
import { listFiles, stageExtension, stageTerminals } from '../../packaging/stage.mjs';
import { makeVault } from '../../src/library.ts';
import { expectGolden } from '../support/golden.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const here = `${process.platform}-${process.arch}`;
const kibibyte = 1024;

/** The extension staged for this platform, as it is packed. Tests only read it, so it is built once. */
let directory = '';

beforeAll(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'ravel-stage-')), 'extension');
  await stageExtension(directory);
  await stageTerminals(directory, await locateNative(here));
});

afterAll(() => rm(join(directory, '..'), { recursive: true }));

async function sizeOf(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

describe('the staged extension', () => {
  test('has the recorded list of files', async () => {
    const files = await listFiles(directory);
    // A chunk is named by what is in it, so that its name changes with every change of the sources.
    const named = files
      .filter((file) => !file.startsWith('dist/chunks/'))
      .map((file) => file.replace(here, 'PLATFORM'));
    await expectGolden([...named, 'dist/chunks/*', ''].join('\n'), 'packedFiles.txt');
    expect(files.filter((file) => file.startsWith('dist/chunks/') && !file.endsWith('.mjs'))).toEqual([]);
  });

  test('names neither the folder that it was built in nor a source map', async () => {
    const texts = (await listFiles(directory)).filter((file) => /\.(mjs|cjs|js|json|md|css)$/.test(file));
    const told: string[] = [];
    for (const file of texts) {
      const text = await readFile(join(directory, file), 'utf8');
      if (text.includes(root) || text.includes('sourceMappingURL=')) told.push(file);
    }
    expect(told).toEqual([]);
  });

  test('has a manifest without the entries that only builders need', async () => {
    const manifest: Record<string, unknown> = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
    const forBuilders = ['scripts', 'devDependencies', 'dependencies', 'optionalDependencies', 'private', 'knip'];
    expect(forBuilders.filter((key) => key in manifest)).toEqual([]);
    expect(manifest).toMatchObject({ main: './dist/extension.cjs', publisher: 'ravel' });
  });

  test('has the licence of each bundled package', async () => {
    const notices = await readFile(join(directory, 'dist/licences.txt'), 'utf8');
    const headings = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \(.+\)\n-+\n/gm)].map(([, name]) => name);
    expect(headings).toEqual(expect.arrayContaining(['zod', 'yaml', 'lit-html', 'dompurify', '@lydell/node-pty']));
    expect(notices).toContain('Permission is hereby granted');
  });

  test('has every file that its manifest names', async () => {
    const files = new Set(await listFiles(directory));
    const manifest = await readFile(join(directory, 'package.json'), 'utf8');
    const named = [...manifest.matchAll(/"(?:\.\/)?((?:media|dist)\/[^"]+\.\w+)"/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !files.has(path))).toEqual([]);
  });
});

describe('the size of', () => {
  test('the files that opening a vault loads is at most 2220 KiB', async () => {
    const vault = join(await makeTemporaryDirectory(), 'vault');
    await makeVault({ root: vault, name: 'vault' });
    const loaded = [join(directory, 'dist/extension.cjs'), ...(await loadedByOpening(directory, vault))];
    expect(loaded).toContain(join(directory, 'dist/core.mjs'));
    expect((await sizeOf(loaded)) / kibibyte).toBeLessThanOrEqual(2220);
  });

  test('each webview is at most 600 KiB', async () => {
    const pages = (await listFiles(directory)).filter((file) => /^dist\/webview\/.*\.js$/.test(file));
    expect(pages.length).toBeGreaterThan(0);
    for (const page of pages) expect((await sizeOf([join(directory, page)])) / kibibyte).toBeLessThanOrEqual(600);
  });
});

describe('a package', () => {
  test('is the same byte for byte when it is built again, and opens a terminal on its platform', async () => {
    const [first, second] = [await makePackages(['universal', here]), await makePackages(['universal'])];
    expect(first.digests.get('universal')).toBe(second.digests.get('universal'));
    expect(first.output).toMatch(/^universal +\S+ravel-\S+-universal\.vsix +\d+ kB +ravel \S+ starts, no terminals$/m);
    expect(first.output).toMatch(/a terminal opens$/m);
    expect(first.output).not.toMatch(/warning/i);
  });

  test('is refused for an unknown platform', async () => {
    const failed = run(process.execPath, [join(root, 'packaging/package.mjs'), '--target', 'amiga-m68k']);
    await expect(failed).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('There are linux-x64,') });
  });
});

describe('the native module', () => {
  const elsewhere = here === 'linux-arm64' ? 'linux-x64' : 'linux-arm64';

  /** An npm that answers with this archive, or fails without one. */
  async function client(archive?: string): Promise<{ npm: string; cache: string }> {
    const cache = await makeTemporaryDirectory();
    const npm = join(cache, 'npm.mjs');
    const answer = `
      import { writeFileSync } from 'node:fs';
      const folder = process.argv[process.argv.indexOf('--pack-destination') + 1];
      writeFileSync(folder + '/native.tgz', ${JSON.stringify(archive)});
      console.log(JSON.stringify([{ filename: 'native.tgz' }]));`;
    await writeFile(npm, `#!${process.execPath}\n${archive === undefined ? 'process.exitCode = 1;' : answer}\n`, {
      mode: 0o755,
    });
    return { npm, cache: join(cache, 'cache') };
  }

  test('is refused if its checksum differs from the lock file', async () => {
    await expect(locateNative(elsewhere, await client('something else'))).rejects.toThrow(/its checksum differs/);
  });

  test('the native module that cannot be fetched is an error', async () => {
    await expect(locateNative(elsewhere, await client())).rejects.toThrow(/could not be fetched from the registry/);
  });

  test('for a platform that the lock file does not name is an error', async () => {
    await expect(locateNative('amiga-m68k', await client())).rejects.toThrow(/is not in package-lock.json/);
  });
});

async function makePackages(targets: readonly string[]) {
  const out = await makeTemporaryDirectory();
  const options = ['--target', targets.join(','), '--out', out];
  const { stdout, stderr } = await run(process.execPath, [join(root, 'packaging/package.mjs'), ...options]);
  const output = stdout + stderr;
  const digests = new Map<string, string>();
  const files = await listFiles(out);
  for (const target of targets) {
    const file = files.find((name) => name.endsWith(`-${target}.vsix`)) ?? '';
    const bytes = await readFile(join(out, file));
    digests.set(target, createHash('sha256').update(bytes).digest('hex'));
  }
  return { output, digests };
}

/** The files of the package that a program reads when it opens a vault and takes its first snapshot. */
async function loadedByOpening(directory: string, vault: string): Promise<string[]> {
  const folder = await makeTemporaryDirectory();
  const hooks = join(folder, 'hooks.mjs');
  const log = join(folder, 'loaded');
  const library = pathToFileURL(join(directory, 'dist/library.mjs')).href;
  await writeFile(
    hooks,
    `import { appendFileSync } from 'node:fs';
    export function load(url, context, next) {
      if (url.startsWith('file:')) appendFileSync(${JSON.stringify(log)}, new URL(url).pathname + '\\n');
      return next(url, context);
    }`,
  );
  const program = `
    import { register } from 'node:module';
    register(${JSON.stringify(pathToFileURL(hooks).href)});
    const { openVault } = await import(${JSON.stringify(library)});
    const { api, stop } = await openVault({ vault: ${JSON.stringify(vault)}, environment: {} });
    await api.request('outline', {});
    await stop();`;
  await run(process.execPath, ['--input-type=module', '-e', program]);
  return (await readFile(log, 'utf8')).split('\n').filter((file) => file.startsWith(directory));
}
