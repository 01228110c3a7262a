import { symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureDirectory } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { entryBytesMax } from '../../src/model/entry.ts';
import { EntryCatalog } from '../../src/vault/entryCatalog.ts';
import { EntryIndex } from '../../src/vault/entryIndex.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { entryHead } from '../support/entries.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

/** A day after all files of a test were written. */
const clock = { wallMs: () => Date.now() + 86_400_000 };

async function makeCatalog() {
  const vault = await makeVaultFolder(['Shop']);
  const read: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name, path) => {
    if (name === 'readFile') read.push(basename(path));
  });
  const catalog = new EntryCatalog({ disk, layout: vault.layout, clock });
  const plans = [{ project: 'Shop', ravelDirectory: join(vault.folder, 'Shop', 'ravel') }];
  const survey = async () => {
    const found = await catalog.survey(plans);
    return {
      titles: found.heads.map(({ fields }) => fields.title),
      others: found.others.map(({ note, kind }) => `${kind} ${note.path}`),
      problems: found.diagnostics.map(({ code, subject }) => `${code} ${subject}`),
      read: read.splice(0).sort(),
      heads: found.heads,
    };
  };
  return { vault, catalog, survey };
}

test('the entries of both tiers are found, and what is wrong with one file does not touch the others', async () => {
  const { vault, survey } = await makeCatalog();
  vault.write('vault/knowledge/languages/a.md', '---\ntitle: A\n---\n');
  vault.write('vault/knowledge/b.md', '---\ntitle: B\n---\n');
  vault.write('vault/knowledge/plain.md', 'Text.\n');
  vault.write('vault/knowledge/torn.md', '---\ntitle: [\n---\n');
  vault.write('vault/knowledge/latin.md', Buffer.from([0x2d, 0xe9, 0xff]));
  vault.write('vault/knowledge/large.md', `---\ntitle: L\n---\n${'x'.repeat(entryBytesMax)}`);
  vault.write('vault/knowledge/picture.png', 'none');
  vault.write('vault/knowledge/.hidden.md', '---\ntitle: H\n---\n');
  vault.write('vault/archive/knowledge/old.md', '---\ntitle: Old\n---\n');
  vault.write('Shop/ravel/knowledge/s.md', '---\ntitle: S\n---\n');
  const secret = vault.write('secret.md', '---\ntitle: Secret\n---\n');
  symlinkSync(secret, join(vault.layout.knowledge, 'way-out.md'));
  symlinkSync(vault.folder, join(vault.layout.knowledge, 'way-out'));
  const { titles, others, problems } = await survey();
  expect(titles).toEqual(['B', 'A', 'Old', 'S']);
  expect(others).toEqual(['broken large.md', 'broken latin.md', 'note plain.md', 'broken torn.md']);
  expect(problems).toEqual([
    'vault/linkOut knowledge/way-out',
    'vault/linkOut knowledge/way-out.md',
    'disk/tooLarge knowledge/large.md',
    'yaml/encoding knowledge/latin.md',
    'yaml/syntax knowledge/torn.md',
  ]);
});

test('a file is read again only if it changed', async () => {
  const { vault, survey } = await makeCatalog();
  vault.write('vault/knowledge/a.md', '---\ntitle: A\n---\n');
  vault.write('vault/knowledge/b.md', '---\ntitle: B\n---\n');
  expect(await survey()).toMatchObject({ titles: ['A', 'B'], read: ['a.md', 'b.md'] });
  expect(await survey()).toMatchObject({ titles: ['A', 'B'], read: [] });
  vault.write('vault/knowledge/b.md', '---\ntitle: B2\n---\n');
  expect(await survey()).toMatchObject({ titles: ['A', 'B2'], read: ['b.md'] });
});

test('ten thousand entries are listed, and only the one that changed is read again', async () => {
  const disk = new MemoryDisk();
  const layout = new VaultLayout('/vault');
  const textOf = (n: number) => `---\ntitle: Entry ${n}\nrelated:\n- "[[Entry ${n + 1}]]"\n---\nText ${n}.\n`;
  await ensureDirectory(disk, join(layout.knowledge, 'tools'));
  const put = async (n: number, text: string) => {
    const file = await disk.open(join(layout.knowledge, 'tools', `${n}.md`), 'exclusive');
    await file.write(Buffer.from(text));
    await file.close();
  };
  for (let n = 0; n < 10_000; n++) await put(n, textOf(n));
  let reads = 0;
  const traced = traceDisk(disk, (_n, name) => {
    if (name === 'readFile') reads += 1;
  });
  const catalog = new EntryCatalog({ disk: traced, layout, clock: { wallMs: () => Number.MAX_SAFE_INTEGER } });
  const first = await catalog.survey([]);
  expect([first.heads.length, reads]).toEqual([10_000, 10_000]);
  const index = new EntryIndex(first.heads);
  expect(index.backlinks(index.find('entry 5000')[0] ?? entryHead('x.md', { title: 'X' }))).toMatchObject([
    { from: { fields: { title: 'Entry 4999' } }, key: 'related' },
  ]);
  await disk.unlink(join(layout.knowledge, 'tools', '7.md'));
  await put(7, `${textOf(7)}More.\n`);
  const second = await catalog.survey([]);
  expect([second.heads.length, reads]).toEqual([10_000, 10_001]);
});

test('an entry is loaded as it is now, and one that is gone is not there', async () => {
  const { vault, catalog, survey } = await makeCatalog();
  const file = vault.write('Shop/ravel/knowledge/s.md', '---\ntitle: S\n---\nOld.\n');
  const [head] = (await survey()).heads;
  vault.write('Shop/ravel/knowledge/s.md', '---\ntitle: S\n---\nNew.\n');
  expect(head && (await catalog.load(head))).toMatchObject({ body: 'New.\n', project: 'Shop' });
  await nodeDisk.unlink(file);
  expect(head && (await catalog.load(head))).toBeUndefined();
});
