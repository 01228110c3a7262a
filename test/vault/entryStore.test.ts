import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { entryBytesMax } from '../../src/model/entry.ts';
import { EntryCatalog } from '../../src/vault/entryCatalog.ts';
import { entrySubject } from '../../src/vault/entryFile.ts';
import { knowledgeFolders } from '../../src/vault/entryFiles.ts';
import { EntryIndex } from '../../src/vault/entryIndex.ts';
import type { EntryListOrder } from '../../src/vault/entryList.ts';
import { EntryStore } from '../../src/vault/entryStore.ts';
import { createRandom } from '../support/seededRandom.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

/** A day after all files of a test were written. */
const clock = { wallMs: () => Date.now() + 86_400_000 };

async function makeStores(projects: readonly string[] = []) {
  const vault = await makeVaultFolder(projects);
  const { layout } = vault;
  const read: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name, path) => {
    if (name === 'readFile' && path.endsWith('.md')) read.push(basename(path));
  });
  const plans = projects.map((project) => ({ project, ravelDirectory: join(vault.folder, project, 'ravel') }));
  const folders = knowledgeFolders(layout, plans);
  const open = (version = '1') => {
    const store = new EntryStore({ disk, saving: nodeDisk, layout, version, wallMs: clock.wallMs });
    const page = async (order: Partial<EntryListOrder> = {}) => {
      const { heads, diagnostics, ...counts } = await store.page({ folders, order: { from: 0, limit: 200, ...order } });
      const problems = diagnostics.map(({ code, subject }) => `${code} ${subject}`);
      return { ...counts, entries: heads.map(entrySubject), problems, read: read.splice(0).sort() };
    };
    const namesakes = async (name: string, file = '') => {
      const { heads, files } = await store.namesakes({ folders, name, file });
      return { heads, files: files.map((path) => basename(path)).sort(), read: read.splice(0).sort() };
    };
    return { store, page, namesakes };
  };
  return { vault, layout, plans, open };
}

function entry(title: string, more = ''): string {
  return `---\ntitle: ${title}\n${more}---\nText.\n`;
}

describe('a page of a large vault', () => {
  test('reads its own files alone, and counts those behind it', async () => {
    const { vault, open } = await makeStores();
    for (let n = 100; n < 400; n += 1) vault.write(`vault/knowledge/tools/${n}.md`, entry(`E ${n}`));
    const { page } = open();
    const first = await page({ limit: 2 });
    expect(first).toMatchObject({
      ...{ entries: ['knowledge/tools/100.md', 'knowledge/tools/101.md'], total: 300, more: 298, isAtMost: true },
    });
    // Those that were read together with them.
    expect(first.read.length).toBeLessThanOrEqual(64);
    const last = await page({ after: 'knowledge/tools/397.md', limit: 5 });
    expect(last).toMatchObject({
      ...{ entries: ['knowledge/tools/398.md', 'knowledge/tools/399.md'], more: 0, read: ['398.md', '399.md'] },
    });
    expect(await page({ limit: 1000 })).toMatchObject({ total: 300, more: 0, isAtMost: false });
  });

  test('goes on behind an entry that is gone, in the order of a list', async () => {
    const { vault, open } = await makeStores(['Shop']);
    const paths = ['b.md', 'd.md', 'a/z.md', 'a/b/c.md', 'c/a.md'];
    for (const path of paths) vault.write(`vault/knowledge/${path}`, entry(path));
    vault.write('Shop/ravel/knowledge/s.md', entry('S'));
    const { page } = open();
    const { entries } = await page();
    expect(entries).toEqual([...paths.map((path) => `knowledge/${path}`), 'Shop/knowledge/s.md']);
    for (const [at, gone] of [...entries.entries()].reverse()) {
      expect((await page({ after: gone })).entries, gone).toEqual(entries.slice(at + 1));
    }
    const between = [
      ...[
        ['a.md', 0],
        ['c.md', 1],
        ['e.md', 2],
        ['a/zz.md', 3],
        ['a/b/d.md', 4],
        ['z/a.md', 5],
      ],
    ] as const;
    for (const [gone, at] of between)
      expect((await page({ after: `knowledge/${gone}` })).entries, gone).toEqual(entries.slice(at));
  });

  test('a filter reads each file once, and a second store reads none', async () => {
    const { vault, open } = await makeStores();
    for (let n = 0; n < 600; n += 1) {
      vault.write(`vault/knowledge/tools/${n}.md`, entry(`E ${n}`, n % 300 === 7 ? 'tags: [rare]\n' : ''));
    }
    vault.write('vault/archive/knowledge/old.md', entry('Old'));
    const one = open();
    const rare = { entries: ['knowledge/tools/307.md', 'knowledge/tools/7.md'], isAtMost: false, total: 2 };
    const first = await one.page({ tags: ['rare'] });
    expect([first, first.read.length]).toMatchObject([rare, 600]);
    expect(await one.page({ tags: ['rare'] })).toMatchObject({ ...rare, read: [] });
    expect(await one.page({ tags: ['rare'], from: 1 })).toMatchObject({ entries: rare.entries.slice(1), read: [] });
    expect((await one.page({ statuses: ['archived'] })).entries).toEqual(['archive/knowledge/old.md']);
    await one.store.stop();
    expect(await open().page({ tags: ['rare'] })).toMatchObject({ ...rare, read: [] });
    vault.write('vault/knowledge/tools/8.md', entry('E 8', 'tags: [rare]\nkind: bug\n'));
    const changed = await open().page({ tags: ['rare'] });
    expect(changed).toMatchObject({ entries: [...rare.entries, 'knowledge/tools/8.md'], read: ['8.md'] });
    expect((await open().page({ kinds: ['bug'] })).entries).toEqual(['knowledge/tools/8.md']);
  });

  test.each([
    ['of another version', (file: string) => void file, '2'],
    ['that is damaged', (file: string) => writeFileSync(file, 'none'), '1'],
    ['that is gone', (file: string) => rmSync(file), '1'],
  ])('a cache %s counts as none', async (_, spoil, version) => {
    const { vault, layout, open } = await makeStores();
    for (let n = 0; n < 501; n += 1) vault.write(`vault/knowledge/${n}.md`, entry(`E ${n}`));
    const first = open();
    await first.namesakes('E 7');
    await first.store.stop();
    spoil(layout.entries);
    const { heads, read } = await open(version).namesakes('E 7');
    // The one that has the name is read whole, too.
    expect([heads.map(({ path }) => path), read.length]).toEqual([['7.md'], 502]);
  });

  test('a cache that has the names alone gives an addition its answer, and a filter all that entries say', async () => {
    const { vault, open } = await makeStores();
    for (let n = 0; n < 501; n += 1) {
      vault.write(`vault/knowledge/${n}.md`, entry(`E ${n}`, n === 7 ? 'tags: [rare]\n' : ''));
    }
    const first = open();
    expect((await first.namesakes('E 7')).heads).toMatchObject([{ path: '7.md', fields: { tags: ['rare'] } }]);
    await first.store.stop();
    const next = open();
    expect(await next.namesakes('e 7')).toMatchObject({ heads: [{ path: '7.md' }], read: ['7.md'] });
    expect(await next.page({ tags: ['rare'] })).toMatchObject({ entries: ['knowledge/7.md'], total: 1 });
    expect((await next.page({ tags: ['rare'] })).read).toEqual([]);
    expect((await next.namesakes('E 7')).read).toEqual([]);
  });

  test('a plain note, a large, binary, marked or linked file keeps no other entry from its page', async () => {
    const { vault, layout, open } = await makeStores();
    vault.write('vault/knowledge/a.md', `\ufeff${entry('Marked').replaceAll('\n', '\r\n')}`);
    vault.write(
      'vault/knowledge/b.md',
      `${entry('Five megabytes')}${'word '.repeat(1024 * 1024)}`.slice(0, entryBytesMax),
    );
    vault.write('vault/knowledge/c.md', Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0, 0xff]));
    vault.write('vault/knowledge/d.md', `${entry('Larger')}${'x'.repeat(entryBytesMax)}`);
    vault.write('vault/knowledge/e.md', 'A plain note.\n');
    symlinkSync(vault.write('secret.md', entry('Secret')), join(layout.knowledge, 'f.md'));
    vault.write('vault/knowledge/g.md', entry('Last'));
    const expected = {
      entries: ['knowledge/a.md', 'knowledge/b.md', 'knowledge/g.md'],
      total: 3,
      problems: [
        'vault/linkOut knowledge/f.md',
        'entry/byteOrderMark knowledge/a.md',
        'yaml/encoding knowledge/c.md',
        'disk/tooLarge knowledge/d.md',
      ],
    };
    const { page } = open();
    expect(await page()).toMatchObject(expected);
    expect(await page({ kinds: ['reference'] })).toMatchObject(expected);
    expect(await page({ kinds: ['reference'] })).toMatchObject(expected);
  });
});

test('namesakes are what an index of all entries finds, for random names', async () => {
  const { vault, layout, plans, open } = await makeStores(['Shop']);
  const seed = Number(process.env['RAVEL_SEED'] ?? Date.now() % 100_000);
  const random = createRandom(seed);
  const names = ['Alpha', 'beta', 'Été', 'a "quoted" one', 'tools/alpha', 'x.md', 'knowledge/beta', '7', 'alpha beta'];
  const oneOf = () => names[random(names.length)] ?? '';
  for (let n = 0; n < 60; n += 1) {
    const place = ['vault/knowledge', 'vault/archive/knowledge', 'Shop/ravel/knowledge'][random(3)];
    const stem = ['alpha', 'Beta', 'tools/alpha', 'x', `e${n}`][random(5)];
    const aliases = random(2) === 0 ? '' : `aliases:\n- ${JSON.stringify(oneOf())}\n`;
    vault.write(`${place}/${stem}.md`, `---\ntitle: ${JSON.stringify(oneOf())}\n${aliases}---\n`);
  }
  const { heads } = await new EntryCatalog({ disk: nodeDisk, layout, clock }).survey(plans);
  const all = new EntryIndex(heads);
  const { namesakes } = open();
  for (const name of [...names, 'ALPHA', 'été', 'none', 'alpha.md', '"', 'projects/Shop/knowledge/x']) {
    const some = new EntryIndex((await namesakes(name)).heads);
    const paths = (index: EntryIndex) => index.find(name, { project: 'Shop' }).map(entrySubject);
    expect(paths(some), `seed ${seed}: ${name}`).toEqual(paths(all));
  }
});

test('namesakes name every file in the place of a new one', async () => {
  const { vault, layout, open } = await makeStores();
  vault.write('vault/knowledge/tools/retries.md', 'A note.\n');
  vault.write('vault/knowledge/tools/Retries-2.md', entry('Other'));
  vault.write('vault/knowledge/tools/timeouts.md', entry('Timeouts'));
  const { files, heads } = await open().namesakes('Retries', join(layout.knowledge, 'tools', 'retries'));
  expect([files, heads]).toEqual([['Retries-2.md', 'retries.md'], []]);
});
