import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCursor, saveCursor } from '../../src/actors/cursor.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';
import { formatCursor } from './mailboxPlace.ts';
import { plan } from './messages.ts';

const cursor = { actor: plan, seq: 5, offset: 123, started: 2, threw: 1, effects: { 0: { said: 'ä' }, 7: null } };

test('a saved cursor is loaded unchanged, and is replaced atomically', async () => {
  const path = join(await makeTemporaryDirectory(), 'x.cursor');
  expect(await loadCursor(nodeDisk, path)).toEqual({ kind: 'missing' });
  const steps: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name) => void steps.push(name));
  await saveCursor(disk, path, cursor);
  expect(steps).toEqual(expect.arrayContaining(['file.write', 'file.sync', 'rename', 'syncDirectory']));
  expect(await loadCursor(nodeDisk, path)).toMatchObject({ kind: 'loaded', cursor });
});

test('a cursor with one changed or missing byte is garbage', async () => {
  const path = join(await makeTemporaryDirectory(), 'x.cursor');
  await saveCursor(nodeDisk, path, cursor);
  const bytes = await readFile(path);
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at] = (bytes[at] ?? 0) ^ 1;
    await writeFile(path, changed);
    expect((await loadCursor(nodeDisk, path)).kind).toBe('garbage');
    await writeFile(path, bytes.subarray(0, at));
    expect((await loadCursor(nodeDisk, path)).kind).toBe('garbage');
  }
});

test('a cursor of another form is garbage', async () => {
  const path = join(await makeTemporaryDirectory(), 'x.cursor');
  await writeFile(path, formatCursor({ seq: 0, offset: 0 }));
  expect(await loadCursor(nodeDisk, path)).toMatchObject({ kind: 'garbage' });
});

test('a cursor that cannot be read is an error', async () => {
  const path = join(await makeTemporaryDirectory(), 'x.cursor');
  const denied = loadCursor(failingDisk(nodeDisk, { code: 'EACCES', at: 1 }), path);
  await expect(denied).rejects.toMatchObject({ code: 'disk/denied' });
});
