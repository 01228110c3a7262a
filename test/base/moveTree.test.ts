import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { abandonMove, moveTree } from '../../src/base/moveTree.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, systemError, traceDisk } from '../support/tracingDisk.ts';

let root: string;
let move: { from: string; to: string; tag: string };

beforeEach(async () => {
  root = await makeTemporaryDirectory();
  move = { from: join(root, 'old'), to: join(root, 'far/away/new'), tag: 'tag' };
  makeOld();
});

function makeOld(): void {
  mkdirSync(join(root, 'old/inner'), { recursive: true });
  writeFileSync(join(root, 'old/a.txt'), 'a');
  writeFileSync(join(root, 'old/run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(root, 'old/inner/b.txt'), 'b');
  symlinkSync('../a.txt', join(root, 'old/inner/link'));
}

/** A disk on which the old and the new place are on different file systems. */
function twoFileSystems(disk: Disk): Disk {
  const isFar = (path: string) => path.includes('/far');
  return {
    ...disk,
    rename: async (from, to) => {
      if (isFar(from) !== isFar(to)) throw systemError('EXDEV');
      return disk.rename(from, to);
    },
  };
}

const disks = {
  'moveTree on one file system': (disk: Disk) => disk,
  'moveTree across two file systems': twoFileSystems,
};

describe.each(Object.entries(disks))('%s', (_name, over) => {
  test('moves a whole folder, and changes nothing if repeated', async () => {
    const tree = listTree(join(root, 'old'));
    await moveTree(over(nodeDisk), move);
    expect(listTree(move.to)).toEqual(tree);
    const all = listTree(root);
    await moveTree(over(nodeDisk), move);
    expect(listTree(root)).toEqual(all);
  });

  test('moves a single file', async () => {
    await moveTree(over(nodeDisk), { ...move, from: join(root, 'old/a.txt') });
    expect(readFileSync(move.to, 'utf8')).toBe('a');
  });

  test('never replaces an existing target', async () => {
    mkdirSync(move.to, { recursive: true });
    const before = listTree(root);
    expect(await failureOf(() => moveTree(over(nodeDisk), move))).toMatchObject({ code: 'disk/failed' });
    expect(listTree(root)).toEqual(before);
  });

  test('keeps a whole copy if stopped before any change, and finishes when repeated', async () => {
    const tree = listTree(join(root, 'old'));
    let stopped = 0;
    for (let at = 1; ; at++) {
      let changes = 0;
      const stopping = traceDisk(nodeDisk, (_n, operation) => {
        if (diskChanges.has(operation) && ++changes >= at) throw systemError('EIO');
      });
      const done = await moveTree(over(stopping), move).then(
        () => true,
        () => false,
      );
      if (done) break;
      stopped++;
      const whole = ['old', '.tag.leaving', 'far/away/.tag.arriving', 'far/away/new'].filter(
        (name) => existsSync(join(root, name)) && listTree(join(root, name)).join('\n') === tree.join('\n'),
      );
      expect(whole).not.toEqual([]);
      await moveTree(over(nodeDisk), move);
      expect(listTree(root).filter((line) => line.includes('.tag.'))).toEqual([]);
      expect(listTree(move.to)).toEqual(tree);
      rmSync(root, { recursive: true });
      mkdirSync(root);
      makeOld();
    }
    expect(stopped).toBeGreaterThan(3);
  });
});

test('abandonMove leaves no trace of a move that failed halfway', async () => {
  const before = listTree(root);
  const full = traceDisk(nodeDisk, (_n, operation, path) => {
    if (operation === 'file.write' && path.includes('run.sh')) throw systemError('ENOSPC');
  });
  expect(await failureOf(() => moveTree(twoFileSystems(full), move))).toMatchObject({ code: 'disk/full' });
  await abandonMove(nodeDisk, move);
  rmSync(join(root, 'far'), { recursive: true });
  expect(listTree(root)).toEqual(before);
});

test('moveTree can change only the case of a name', async () => {
  const tree = listTree(join(root, 'old'));
  await moveTree(nodeDisk, { ...move, to: join(root, 'OLD') });
  expect(listTree(join(root, 'OLD'))).toEqual(tree);
});
