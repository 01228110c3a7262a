import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildCommandLine, buildExtension } from '../esbuild.mjs';
import { noticesOf } from './notices.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What lies in the package beside its programs. The README names the documents, so its links lead somewhere. `.vscodeignore`
 * and `.npmignore` let through the same.
 */
export const parts = [
  'media',
  'l10n',
  'prompts',
  'demo',
  'shipped',
  'docs',
  ...['package.nls.json', 'package.nls.de.json'],
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'STYLE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'LICENSE',
];

/** What an editor reads of the manifest; the rest is for those who build. */
const manifestKeys = [
  ...['name', 'displayName', 'publisher', 'version', 'description', 'license', 'type', 'categories', 'keywords'],
  ...['icon', 'galleryBanner', 'repository', 'homepage', 'bugs', 'qna', 'pricing', 'preview'],
  ...['main', 'extensionKind', 'engines', 'activationEvents', 'capabilities', 'contributes', 'l10n'],
];

/**
 * Lays out in a folder what an installed extension consists of, without the terminals' native part.
 *
 * @param {string} directory is made; it must not be there yet
 * @param {{ built?: string }} options `built` is a folder of programs to take instead of building them for shipping
 */
export async function stageExtension(directory, { built } = {}) {
  await mkdir(directory, { recursive: true });
  const dist = join(directory, 'dist');
  if (built === undefined) {
    const inputs = new Set();
    await buildExtension({ directory: dist, production: true, inputs });
    await buildCommandLine({ directory: dist, production: true, inputs });
    await writeFile(join(dist, 'licences.txt'), await noticesOf(inputs));
  } else {
    await cp(built, dist, { recursive: true, filter: (path) => basename(path) !== 'types' && !path.endsWith('.map') });
  }
  for (const part of parts) await cp(join(root, part), join(directory, part), { recursive: true });
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const shipped = Object.fromEntries(manifestKeys.filter((key) => key in manifest).map((key) => [key, manifest[key]]));
  await writeFile(join(directory, 'package.json'), `${JSON.stringify(shipped, undefined, 2)}\n`);
}

/**
 * Adds the native part for one platform, beside the programs that load it: the packer of extensions leaves out a
 * `node_modules` at the top.
 *
 * @param {string} directory of the staged extension
 * @param {string} native folder of the platform's package, as `@lydell/node-pty-linux-x64`
 */
export async function stageTerminals(directory, native) {
  const modules = join(directory, 'dist', 'node_modules');
  const isNeeded = (path) => !/\.d\.ts$|\.map$|\.pdb$|README\.md$/.test(path);
  const options = { recursive: true, filter: isNeeded };
  await cp(join(root, 'node_modules', 'node-pty'), join(modules, 'node-pty'), options);
  await cp(native, join(modules, '@lydell', basename(native)), options);
}

/** Paths of all files below a folder, in order. */
export async function listFiles(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => file.slice(directory.length + 1).replaceAll('\\', '/')).sort();
}
