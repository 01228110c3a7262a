import { dirname } from 'node:path';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../../src/base/files.ts';
import type { EntryChange } from '../../src/knowledge/entries/entryChange.ts';
import { EntryWriter } from '../../src/knowledge/entries/entryWriter.ts';
import { failure } from '../../src/model/codes.ts';
import { placeInFolder } from '../../src/vault/entryFiles.ts';
import { entriesLayout as layout } from './entries.ts';
import { MemoryDisk } from './memoryDisk.ts';
import { traceDisk } from './tracingDisk.ts';

/** Of an entry that is not archived. */
export const entryPlaceAt = (path: string, project = '') => placeInFolder(layout, { project, isArchived: false }, path);

/** A writer over files of a vault in memory, with a hook before each change of its disk. */
export async function makeWriter(files: Readonly<Record<string, string>>, failsToCommit = false) {
  const disk = new MemoryDisk();
  const commits: string[] = [];
  const write = async (path: string, text: string) => {
    await ensureDirectory(disk, dirname(entryPlaceAt(path).file));
    await writeAtomic(disk, entryPlaceAt(path).file, text);
  };
  for (const [path, text] of Object.entries(files)) await write(path, text);
  /** What a person does right before this change of the disk. */
  let beforeChange: (name: string, path: string) => Promise<void> = () => Promise.resolve();
  const traced = traceDisk(disk, (_n, name, path) => beforeChange(name, path));
  const writer = new EntryWriter({
    ...{ disk: traced, layout },
    async commit(project, paths, message) {
      if (failsToCommit) throw failure('git/operationInProgress', project, 'A rebase is in progress.');
      commits.push(`${project}: ${paths.join(' ')}: ${message}`);
    },
  });
  const textOf = (path: string) => readTextIfExists(disk, entryPlaceAt(path).file);
  return { disk, writer, commits, write, textOf, onChange: (hook: typeof beforeChange) => (beforeChange = hook) };
}

/** A change of two files. */
export const both: EntryChange = {
  title: 'Link A and B',
  reason: 'Why',
  files: [
    { place: entryPlaceAt('a.md'), before: 'a', after: 'A' },
    { place: entryPlaceAt('b.md'), before: 'b', after: 'B' },
  ],
};
