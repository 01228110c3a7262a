import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { readSourceFolder } from '../../src/imports/sourceFolder.ts';
import { failureOf } from '../support/failureOf.ts';
import { writeUnreadableName } from '../support/gitProject.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

let base: string;
let root: string;

beforeEach(async () => {
  base = await makeTemporaryDirectory();
  root = join(base, 'plan');
  write('backlog.yaml');
});

function write(path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), path);
}

test('readSourceFolder lists every file at any depth, sorted', async () => {
  for (const path of ['b/c/d.txt', 'a.md', 'Z', '.hidden']) write(path);
  const { files, leftOut } = await readSourceFolder(nodeDisk, root);
  expect(files).toEqual(['.hidden', 'Z', 'a.md', 'b/c/d.txt', 'backlog.yaml']);
  expect(leftOut).toEqual([]);
});

test('readSourceFolder lists a symlink to a file inside the folder as a file', async () => {
  symlinkSync('backlog.yaml', join(root, 'link.yaml'));
  expect((await readSourceFolder(nodeDisk, root)).files).toEqual(['backlog.yaml', 'link.yaml']);
});

describe('readSourceFolder leaves out', () => {
  test.each<[string, string, string]>([
    ['.git/HEAD', '.git', 'git'],
    ['.git', '.git', 'git'],
    ['project-root/a', 'project-root/', 'reserved'],
    ['child/plan-state.md', 'child/', 'plan of its own'],
    ['.backlog.yaml.tmp', '.backlog.yaml.tmp', 'cut short'],
    ['.backlog.yaml.0a1b.tmp', '.backlog.yaml.0a1b.tmp', 'cut short'],
  ])('%s', async (path, expected, reason) => {
    write(path);
    expect(await readSourceFolder(nodeDisk, root)).toEqual({
      files: ['backlog.yaml'],
      leftOut: [{ path: expected, reason: expect.stringContaining(reason) }],
    });
  });

  test('an older plan inside the folder, in YAML or Markdown', async () => {
    for (const path of ['a/phase.md', 'a/backlog.md', 'b/phase.md', 'b/backlog.yaml', 'c/phase.md']) write(path);
    const { files, leftOut } = await readSourceFolder(nodeDisk, root);
    expect(leftOut.map(({ path }) => path)).toEqual(['a/', 'b/']);
    expect(files).toContain('c/phase.md');
  });

  test('an empty folder', async () => {
    mkdirSync(join(root, 'empty'));
    expect((await readSourceFolder(nodeDisk, root)).leftOut).toEqual([{ path: 'empty/', reason: 'it is empty' }]);
  });

  test('a file whose name is not UTF-8', async () => {
    const names = await writeUnreadableName(root);
    const { leftOut } = await readSourceFolder(nodeDisk, root);
    expect(leftOut.map(({ path, reason }) => `${Buffer.from(path).toString()}: ${reason}`)).toEqual(
      names.map((name) => `${name}: its name is not UTF-8`),
    );
  });
});

describe('readSourceFolder refuses', () => {
  test.each<[string, (link: string) => void, string]>([
    ['a symlink that leads out', (link) => symlinkSync('../other', link), 'leads out of the folder'],
    ['an absolute symlink', (link) => symlinkSync('/etc/hostname', link), 'leads out of the folder'],
    ['a symlink to a folder whose name only begins alike', (link) => symlinkSync('../plan-2/a', link), 'leads out'],
    ['a symlink that leads nowhere', (link) => symlinkSync('nothing', link), 'leads nowhere'],
    ['a symlink that leads to itself', (link) => symlinkSync('link', link), 'leads nowhere'],
    ['a symlink to a folder', (link) => symlinkSync('sub', link), 'not a file'],
  ])('%s', async (_name, make, message) => {
    writeFileSync(join(base, 'other'), '');
    mkdirSync(join(base, 'plan-2'));
    writeFileSync(join(base, 'plan-2/a'), '');
    write('sub/a');
    make(join(root, 'link'));
    const problem = await failureOf(() => readSourceFolder(nodeDisk, root));
    expect(problem).toMatchObject({ code: 'import/badSource', file: join(root, 'link') });
    expect(problem.message).toContain(message);
  });

  test('a file of more than 64 MiB', async () => {
    truncateSync(join(root, 'backlog.yaml'), 64 * 1024 * 1024);
    await readSourceFolder(nodeDisk, root);
    truncateSync(join(root, 'backlog.yaml'), 64 * 1024 * 1024 + 1);
    expect(await failureOf(() => readSourceFolder(nodeDisk, root))).toMatchObject({ code: 'disk/tooLarge' });
  });

  test('more than ten thousand files', async () => {
    const names = Array.from({ length: 10_000 }, (_, n) => ({ name: `f${n}`, kind: 'file' as const }));
    const disk: Disk = {
      ...nodeDisk,
      readDirectory: async () => names,
      stat: async () => ({ kind: 'file', owner: 0, inode: 1, size: 1, mtimeMs: 0, mode: 0o644 }),
    };
    expect(await failureOf(() => readSourceFolder(disk, root))).toMatchObject({ code: 'import/badSource' });
  });
});
