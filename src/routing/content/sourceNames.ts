import { extname, join } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { systemCode } from '../../base/errors.ts';
import { emptyDocument } from '../../knowledge/retrieval/document.ts';
import type { ContentDocument } from './contentSources.ts';

/** Bounds of the look into a project: folders, files by name, files that are read, and their bytes. */
const foldersMax = 200;
const filesMax = 2000;
const readMax = 200;
const bytesMax = 64 * 1024;
/** Names that are made one document. */
const namesEach = 200;

/** Folders that hold the work of others, or what was built. */
const foreignFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'ravel',
  'dist',
  'build',
  'out',
  'target',
  'vendor',
]);
const sourceEndings: ReadonlySet<string> = new Set(
  [
    'c',
    'cc',
    'cpp',
    'cs',
    'ex',
    'exs',
    'go',
    'java',
    'js',
    'kt',
    'mjs',
    'php',
    'py',
    'rb',
    'rs',
    'swift',
    'ts',
    'tsx',
  ].map((ending) => `.${ending}`),
);

/** What languages put before a name, and those that begin the line of a name that others can use. */
const declaring: ReadonlySet<string> = new Set(
  [
    'class',
    'const',
    'def',
    'defmodule',
    'enum',
    'func',
    'function',
    'fn',
    'interface',
    'module',
    'struct',
    'trait',
  ].concat('type'),
);
const publishing: ReadonlySet<string> = new Set([
  'export',
  'pub',
  'public',
  'def',
  'defmodule',
  'func',
  'class',
  'module',
]);
/** Characters of a name; shorter ones are in every project. */
const nameLengthMin = 4;

/**
 * Names of the files of a project and of what they export, within bounds; of what cannot be read there are none. Nothing is
 * run, and links are not followed.
 */
export async function sourceNames(disk: ReadingDisk, directory: string, group: string): Promise<ContentDocument[]> {
  const files = await listFiles(disk, directory);
  const sources = files.filter((file) => sourceEndings.has(extname(file))).slice(0, readMax);
  const contents = await disk.readEach(
    sources.map((file) => join(directory, file)),
    bytesMax,
  );
  const exported = contents.flatMap((bytes) => (bytes === undefined ? [] : exportedNames(bytes.toString('utf8'))));
  const names = [...files, ...new Set(exported)];
  const documents: ContentDocument[] = [];
  for (let at = 0; at < names.length; at += namesEach) {
    const text = names.slice(at, at + namesEach).join('\n');
    documents.push({ ...emptyDocument, id: `${group}\nnames\n${at}`, body: text, name: 'names in the source', text });
  }
  return documents;
}

function exportedNames(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const words = line.slice(0, 400).split(/[^A-Za-z0-9_.]/);
    if (!publishing.has(words[0] ?? '')) return [];
    const name = words[words.findIndex((word) => declaring.has(word)) + 1] ?? '';
    return words.some((word) => declaring.has(word)) && name.length >= nameLengthMin ? [name] : [];
  });
}

async function listFiles(disk: ReadingDisk, directory: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < foldersMax && files.length < filesMax; at += 1) {
    const folder = folders[at] ?? '';
    for (const { name, kind } of await entriesIn(disk, join(directory, folder))) {
      if (name.startsWith('.')) continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory' && !foreignFolders.has(name)) folders.push(path);
      if (kind === 'file') files.push(path);
    }
  }
  return files.sort().slice(0, filesMax);
}

/** A folder that is gone or closed to us has nothing to say. */
async function entriesIn(disk: ReadingDisk, folder: string) {
  try {
    return await disk.readDirectory(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
