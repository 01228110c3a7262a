import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What the licences of bundled packages ask for: their texts, in the order of their names.
 *
 * @param {Iterable<string>} inputs paths of all files that went into the bundles, from the root of the sources
 * @returns {Promise<string>}
 */
export async function noticesOf(inputs) {
  const folders = new Set([...inputs, ...alwaysShipped].flatMap((path) => packageFolder(path) ?? []));
  const notices = await Promise.all([...folders].sort().map(noticeOf));
  return ['Ravel is made with the packages below; their licences follow.', ...notices, ''].join('\n\n');
}

/** Lies beside the bundles instead of in them. */
const alwaysShipped = ['node_modules/node-pty/index.js'];

function packageFolder(path) {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll('\\', '/'))?.[0];
}

async function noticeOf(folder) {
  const directory = join(root, folder);
  if (!existsSync(directory)) throw new Error(`${folder} was bundled and is not there.`);
  const { name, version, license } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  const files = (await readdir(directory)).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')));
  if (texts.length === 0 && license === undefined) throw new Error(`${name} has no licence.`);
  const heading = `${name} ${version} (${license ?? 'see below'})`;
  return [heading, '-'.repeat(heading.length), ...texts.map((text) => text.trim())].join('\n');
}
