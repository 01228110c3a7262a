import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { listFiles, PackageManager } from '@vscode/vsce';
import { expect, test } from 'vitest';
import { parts } from '../../packaging/stage.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** The folders and files at the top, of which a package takes everything. */
function topOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.split('/')[0] ?? ''))].sort();
}

const expected = [...parts, 'dist', 'package.json'].sort();

test('.vscodeignore lets through what the extension ships, and nothing else', async () => {
  expect(topOf(await listFiles({ cwd: root, packageManager: PackageManager.None }))).toEqual(expected);
});

test('.npmignore lets through what the extension ships, and nothing else', async () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const { stdout } = await run('npm', args, { cwd: root, shell: process.platform === 'win32' });
  const [packed = { files: [] }]: { readonly files: readonly { readonly path: string }[] }[] = Object.values(
    JSON.parse(stdout),
  );
  expect(topOf(packed.files.map(({ path }) => path))).toEqual(expected);
});

test('the manifest has no list of files beside .vscodeignore: the packager of extensions refuses both', () => {
  expect(JSON.parse(readFileSync(`${root}package.json`, 'utf8'))).not.toHaveProperty('files');
});
