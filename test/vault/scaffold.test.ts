import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Expected, findForeign, writeScaffold } from '../../src/vault/scaffold.ts';
import { listTree } from '../support/listTree.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { traceDisk } from '../support/tracingDisk.ts';

const scaffold = new Map([
  ['b/c/one', '1'],
  ['two', '2'],
  ['mark', 'm'],
]);
let root: string;

beforeEach(async () => {
  root = join(await makeTemporaryDirectory(), 'root');
});

test('writeScaffold writes every missing file, the marker last, and keeps existing ones', async () => {
  mkdirSync(root);
  writeFileSync(join(root, 'two'), 'kept');
  const renamed: string[] = [];
  await writeScaffold(
    traceDisk(nodeDisk, (_n, name, path) => void (name === 'rename' && renamed.push(path))),
    root,
    scaffold,
  );
  expect(listTree(root)).toEqual(['b/', 'b/c/', 'b/c/one: 1', 'mark: m', 'two: kept']);
  expect(renamed.at(-1)).toContain('.mark.');
  expect(renamed).toHaveLength(2);
});

test('writeScaffold syncs the folders before the marker, even those left by a crash', async () => {
  mkdirSync(join(root, 'b/c'), { recursive: true });
  const operations: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name, path) => void operations.push(`${name} ${path.replace(root, '')}`));
  await writeScaffold(disk, root, scaffold);
  const mark = operations.findIndex((one) => one.startsWith('rename') && one.includes('.mark.'));
  expect(mark).toBeGreaterThan(0);
  for (const folder of [dirname(root), '', '/b'])
    expect(operations.slice(0, mark)).toContain(`syncDirectory ${folder}`);
});

test('writeScaffold removes its own temporary files left by a crash, and no others', async () => {
  mkdirSync(join(root, 'b/c'), { recursive: true });
  writeFileSync(join(root, 'b/c/.one.0a1b2c.tmp'), 'half');
  writeFileSync(join(root, '.other.0a1b2c.tmp'), 'theirs');
  await writeScaffold(nodeDisk, root, scaffold);
  expect(listTree(root)).toEqual(['.other.0a1b2c.tmp: theirs', 'b/', 'b/c/', 'b/c/one: 1', 'mark: m', 'two: 2']);
});

describe('findForeign finds', () => {
  async function check(files: string[], expected: string | undefined, options?: Expected) {
    for (const file of files) {
      if (file.endsWith('/')) mkdirSync(join(root, file), { recursive: true });
      else writeFileSync(join(root, file), scaffold.get(file) ?? '');
    }
    expect(await findForeign(nodeDisk, root, scaffold, options)).toBe(expected);
  }

  test.each<[string, string[], string | undefined, Expected?]>([
    ['nothing in a missing folder', [], undefined],
    ['nothing in an empty folder', ['./'], undefined],
    ['nothing in what a crash leaves', ['b/c/', 'b/c/one', 'two', '.mark.0a1b2c.tmp'], undefined],
    ['an unknown file', ['./', 'x'], 'x'],
    ['an unknown folder', ['x/'], 'x'],
    ['an unknown file in a subfolder', ['b/c/', 'b/c/x'], 'b/c/x'],
    ['a temporary file of another program', ['./', '.x.0a1b2c.tmp'], '.x.0a1b2c.tmp'],
    ['a temporary file of ours in the wrong folder', ['b/', 'b/.mark.0a1b2c.tmp'], 'b/.mark.0a1b2c.tmp'],
    ['a folder in place of a file', ['two/'], 'two'],
    ['nothing in an ignored folder', ['x/y/'], undefined, { ignored: ['x'] }],
    ['nothing in an allowed empty folder', ['x/'], undefined, { emptyFolders: ['x'] }],
    ['a file in a folder that must be empty', ['x/', 'x/y'], 'x/y', { emptyFolders: ['x'] }],
  ])('%s', (_, files, expected, options) => check(files, expected, options));

  test('a file with other content, and a symlink in place of a file', async () => {
    mkdirSync(root);
    writeFileSync(join(root, 'two'), '3');
    expect(await findForeign(nodeDisk, root, scaffold)).toBe('two');
    symlinkSync('two', join(root, 'mark'));
    writeFileSync(join(root, 'two'), '2');
    expect(await findForeign(nodeDisk, root, scaffold)).toBe('mark');
  });
});
