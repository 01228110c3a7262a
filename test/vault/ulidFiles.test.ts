import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failure } from '../../src/model/codes.ts';
import type { Ulid } from '../../src/model/id.ts';
import { findUnreadable, listUlidFiles } from '../../src/vault/ulidFiles.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const first = '01M00000000000000000000001' as Ulid;
const second = '01M00000000000000000000002' as Ulid;

test('listUlidFiles lists the ids of a folder, oldest first, and ignores other files', async () => {
  const folder = join(await makeTemporaryDirectory(), 'kept');
  expect(await listUlidFiles(nodeDisk, folder)).toEqual([]);
  await mkdir(folder);
  for (const name of [`${second}.json`, `${first}.json`, 'note.json', `.${first}.json.0a1b.tmp`, `${first}.yaml`]) {
    await writeFile(join(folder, name), '{}');
  }
  expect(await listUlidFiles(nodeDisk, folder)).toEqual([first, second]);
});

test('findUnreadable returns the diagnostics of unreadable files and rethrows any other failure', async () => {
  const damaged = failure('message/unreadable', second, 'It is damaged.');
  const load = async (id: Ulid) => {
    if (id === second) throw damaged;
  };
  expect(await findUnreadable([first, second], load)).toEqual([damaged.diagnostic]);
  await expect(findUnreadable([first], () => Promise.reject(new TypeError('no')))).rejects.toThrow('no');
});
