import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeAtomic } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { OwnWrites } from '../../src/base/ownWrites.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

let folder: string;
let own: OwnWrites;

beforeEach(async () => {
  folder = await makeTemporaryDirectory();
  own = new OwnWrites(nodeDisk);
});

const at = (name: string) => join(folder, name);
const wrote = async (name: string) => own.wrote(await nodeDisk.stampEach([at(name)]));

describe('OwnWrites recognises', () => {
  test('a file it replaced, also under another name', async () => {
    await writeAtomic(own.disk, at('a'), 'text');
    expect(await wrote('a')).toBe(true);
    await nodeDisk.rename(at('a'), at('b'));
    await nodeDisk.changeMode(at('b'), 0o600);
    expect(await wrote('b')).toBe(true);
  });

  test('no file that another program wrote or wrote into', async () => {
    writeFileSync(at('a'), 'text');
    expect(await wrote('a')).toBe(false);
    await writeAtomic(own.disk, at('b'), 'text');
    appendFileSync(at('b'), '!');
    expect(await wrote('b')).toBe(false);
    expect(await wrote('nothing')).toBe(false);
  });
});

describe('OwnWrites remembers', () => {
  test('a path it moved, with everything below, until told to forget it', async () => {
    mkdirSync(at('a'));
    await own.disk.rename(at('a'), at('b'));
    expect([own.took(at('a/deep')), own.put(at('b/deep')), own.put(at('a')), own.took(at('b'))]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    own.forget(own.mark, at('b'));
    expect([own.took(at('a')), own.put(at('b'))]).toEqual([true, false]);
    own.forget(own.mark);
    expect(own.took(at('a'))).toBe(false);
  });

  test('only the last change of a path', async () => {
    await own.disk.symlink('nowhere', at('link'));
    expect(own.put(at('link'))).toBe(true);
    await own.disk.unlink(at('link'));
    expect([own.put(at('link')), own.took(at('link'))]).toEqual([false, true]);
  });

  test('a change made after the mark that is forgotten', async () => {
    const seen: boolean[] = [];
    const slow = new OwnWrites({
      ...nodeDisk,
      unlink: async (path) => {
        seen.push(slow.took(path));
        slow.forget(slow.mark);
        await nodeDisk.unlink(path);
      },
    });
    writeFileSync(at('a'), 'text');
    await slow.disk.unlink(at('a'));
    expect([...seen, slow.took(at('a'))]).toEqual([true, true]);
  });
});

test('OwnWrites remembers at most 20,000 changes', async () => {
  const many = new OwnWrites({ ...nodeDisk, unlink: () => Promise.resolve() });
  for (let n = 0; n <= 20_000; n++) await many.disk.unlink(at(String(n)));
  expect([many.took(at('0')), many.took(at('1')), many.took(at('20000'))]).toEqual([false, true, true]);
});
