import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { type TreeListeners, watchTree } from '../../src/vault/watcher.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** A watched folder; `until` resolves with everything reported so far once `line` was reported. */
async function start(accepts: (folder: string) => boolean = () => true) {
  const root = join(await makeTemporaryDirectory(), 'watched');
  mkdirSync(join(root, 'a/b'), { recursive: true });
  writeFileSync(join(root, 'a/file'), 'old');
  mkdirSync(join(root, '../outside'));
  symlinkSync('../../outside', join(root, 'a/out'));
  symlinkSync('..', join(root, 'a/loop'));
  const told: string[] = [];
  let check = (): void => undefined;
  const tell = (line: string) => {
    told.push(line);
    check();
  };
  const nameOf = (path: string) => path.slice(root.length + 1);
  const listeners: TreeListeners = {
    onTouched: (path) => tell(`touched ${nameOf(path)}`),
    onFolder: (path) => tell(`folder ${nameOf(path)}`),
    onLost: (path) => tell(`lost ${nameOf(path)}`),
    onFailed: (error) => tell(`failed ${String(error)}`),
  };
  const tree = watchTree(root, accepts, listeners);
  onTestFinished(() => tree.stop());
  await tree.ready;
  expect(told).toEqual([]);
  return {
    ...{ root, told, tree },
    at: (path: string) => join(root, path),
    async until(line: string): Promise<string[]> {
      const found = createDeferred<void>();
      check = () => {
        if (told.includes(line)) found.resolve();
      };
      check();
      await found.promise;
      return told.splice(0);
    },
  };
}

describe('watchTree', () => {
  test('reports files that are written, replaced and removed', async () => {
    const { at, until } = await start();
    writeFileSync(at('a/file'), 'new');
    await until('touched a/file');
    writeFileSync(at('a/other'), 'newer');
    renameSync(at('a/other'), at('a/file'));
    await until('touched a/file');
    rmSync(at('a/file'));
    await until('touched a/file');
  });

  test('reports folders that appear and disappear, and files in a new one', async () => {
    const { at, until } = await start();
    mkdirSync(at('a/new/deep'), { recursive: true });
    writeFileSync(at('a/new/deep/early'), 'x');
    await until('folder a/new/deep');
    // A new watch reports nothing when it becomes ready, so this writes until a write is noticed.
    const told = until('touched a/new/deep/late');
    let isTold = false;
    void told.then(() => {
      isTold = true;
    });
    for (let n = 0; !isTold; n++) {
      writeFileSync(at('a/new/deep/late'), String(n));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    rmSync(at('a/new'), { recursive: true });
    await until('folder a/new');
  });

  test('reports a folder that was replaced as lost', async () => {
    const { at, until } = await start();
    rmSync(at('a/b'), { recursive: true });
    mkdirSync(at('a/b'));
    await until('lost a/b');
  });

  test('watches neither refused folders nor links', async () => {
    const { at, until } = await start((folder) => !folder.endsWith('/b'));
    writeFileSync(at('a/b/hidden'), 'x');
    writeFileSync(at('a/out/hidden'), 'x');
    writeFileSync(at('a/last'), 'x');
    const told = await until('touched a/last');
    expect(told.filter((line) => line.includes('hidden'))).toEqual([]);
  });

  test('handles odd names', async () => {
    const { at, until } = await start();
    for (const name of ['with space', 'ümläut', '[x]{y}*?', 'line\nend', "it's"]) {
      writeFileSync(at(`a/${name}`), 'x');
      await until(`touched a/${name}`);
    }
  });

  test('of a missing folder becomes ready and reports nothing', async () => {
    const told: string[] = [];
    const listeners = {
      onTouched: (path: string) => void told.push(path),
      onFolder: (path: string) => void told.push(path),
      onLost: (path: string) => void told.push(path),
      onFailed: (error: unknown) => void told.push(String(error)),
    };
    const tree = watchTree(join(await makeTemporaryDirectory(), 'nowhere'), () => true, listeners);
    await tree.ready;
    await tree.stop();
    expect(told).toEqual([]);
  });
});
