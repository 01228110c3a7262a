import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createExclusive } from '../../src/base/exclusiveFile.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, failingDisk, traceDisk } from '../support/tracingDisk.ts';

describe('createExclusive', () => {
  test('lets exactly one of 20 writers create the file, with their own content', async () => {
    const folder = await makeTemporaryDirectory();
    const path = join(folder, 'one.yaml');
    const texts = Array.from({ length: 20 }, (_, at) => `by ${at}\n`);
    const made = await Promise.all(texts.map((text) => createExclusive(nodeDisk, path, text)));
    expect(made.filter((won) => won)).toHaveLength(1);
    expect(await readFile(path, 'utf8')).toBe(texts[made.indexOf(true)]);
    expect(await readdir(folder)).toEqual(['one.yaml']);
  });

  test('leaves the file whole or absent if the power is cut at any operation', async () => {
    for (let [cut, ended] = [1, false]; !ended; cut++) {
      const path = join(await makeTemporaryDirectory(), 'one.yaml');
      let count = 0;
      const disk = traceDisk(nodeDisk, (_n, name) => {
        if (count >= cut || (diskChanges.has(name) && ++count === cut)) throw new Error('the power is cut');
      });
      ended = await createExclusive(disk, path, 'whole\n').catch(() => false);
      const text = await readFile(path, 'utf8').catch(() => undefined);
      expect([undefined, 'whole\n'], `cut ${cut}`).toContain(text);
      expect(await createExclusive(nodeDisk, path, 'again\n')).toBe(text === undefined);
    }
  });

  test('syncs the content before the name exists, and the name before it says that it made the file', async () => {
    const folder = await makeTemporaryDirectory();
    const steps: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (diskChanges.has(name)) steps.push(name);
    });
    expect(await createExclusive(disk, join(folder, 'one.yaml'), 'whole\n')).toBe(true);
    expect(steps).toEqual(['file.write', 'file.sync', 'link', 'syncDirectory', 'unlink']);
  });

  test.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])(
    'says so if the system has no hard links (%s)',
    async (code) => {
      const folder = await makeTemporaryDirectory();
      const disk = failingDisk(nodeDisk, { code, at: 1, matches: (name) => name === 'link' });
      const path = join(folder, 'one.yaml');
      expect(await failureOf(() => createExclusive(disk, path, 'x'))).toMatchObject({
        code: 'disk/noLinks',
        subject: path,
      });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  test('fails on a full disk and leaves nothing behind', async () => {
    const folder = await makeTemporaryDirectory();
    const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches: (name) => name === 'file.write' });
    const problem = await failureOf(() => createExclusive(disk, join(folder, 'one.yaml'), 'x'));
    expect(problem).toMatchObject({ code: 'disk/full' });
    expect(await readdir(folder)).toEqual([]);
  });
});
