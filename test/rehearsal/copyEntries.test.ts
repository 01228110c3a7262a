import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { CopiedEntry } from '../../src/git/repositoryContents.ts';
import { copyEntries } from '../../src/rehearsal/copyEntries.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { systemError } from '../support/tracingDisk.ts';

async function makeEntries() {
  const from = await makeTemporaryDirectory();
  await writeFile(join(from, 'a'), 'A\n');
  await symlink('a', join(from, 'link'));
  const entry = (name: string, more: Partial<CopiedEntry> = {}): CopiedEntry => ({
    ...{ from: join(from, name), to: `deep/er/${name}`, kind: 'file', bytes: 2, isNeeded: false },
    ...more,
  });
  return { to: await makeTemporaryDirectory(), entry };
}

const { signal } = new AbortController();

test('files and links are copied to folders that are made for them, and what is gone by then is left out', async () => {
  const { to, entry } = await makeEntries();
  const copied: string[] = [];
  const entries = [entry('a'), entry('link', { kind: 'symlink' }), entry('gone')];
  await copyEntries(nodeDisk, to, entries, { signal, onCopied: (one) => copied.push(one.to) });
  expect(copied.sort()).toEqual(['deep/er/a', 'deep/er/link']);
  expect(await readFile(join(to, 'deep/er/link'), 'utf8')).toBe('A\n');
});

test('of what git needs nothing can be left out: the repository was changed meanwhile', async () => {
  const { to, entry } = await makeEntries();
  const copying = () => copyEntries(nodeDisk, to, [entry('gone', { isNeeded: true })], { signal });
  expect(await failureOf(copying)).toMatchObject({ code: 'rehearsal/changed' });
});

test.each([
  ['ENOSPC', 'disk/full'],
  ['EIO', 'disk/failed'],
])('a disk that says %s ends the copying with %s', async (code, expected) => {
  const { to, entry } = await makeEntries();
  const disk = { ...nodeDisk, cloneFile: async () => Promise.reject(systemError(code)) };
  expect(await failureOf(() => copyEntries(disk, to, [entry('a')], { signal }))).toMatchObject({ code: expected });
});
