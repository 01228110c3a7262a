import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { addShippedExperts, readShippedExperts } from '../../src/experts/shippedExperts.ts';
import { EntryCatalog } from '../../src/vault/entryCatalog.ts';
import { entryFaults } from '../../src/vault/entryFaults.ts';
import { knowledgeFolders } from '../../src/vault/entryFiles.ts';
import { EntryIndex } from '../../src/vault/entryIndex.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { verifyKnowledge } from '../../src/vault/verifyKnowledge.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const id = '01JD0000000000000000000000';

const declaration = (name: string, scope: string) =>
  `---\nactor-type: expert\nexpert-id: ${name}\ndescription: Knows ${name}\npersona: You are precise.\nknowledge-scope: [${scope}]\n---\n`;

async function makeShipped() {
  const vault = await makeVaultFolder();
  vault.write('shipped/experts/rust.md', declaration('rust', 'languages/rust'));
  vault.write('shipped/experts/ffi.md', declaration('ffi', '"languages/rust/*.md", techniques/ffi'));
  vault.write('shipped/knowledge/languages/rust/a.md', `---\ntitle: A\nid: ${id}\n---\nText.\n`);
  vault.write('shipped/knowledge/techniques/ffi/b.md', '---\ntitle: B\n---\n');
  vault.write('shipped/knowledge/tools/c.md', '---\ntitle: C\n---\n');
  const catalog = new EntryCatalog({ disk: nodeDisk, layout: vault.layout, clock: { wallMs: () => 0 } });
  const shipped = await readShippedExperts(nodeDisk, join(vault.folder, 'shipped'));
  const add = async (wanted?: readonly string[]) => {
    const index = new EntryIndex((await catalog.survey([])).heads);
    return addShippedExperts({ disk: nodeDisk, layout: vault.layout, shipped, wanted, index });
  };
  return { vault, shipped, add };
}

test('an expert that comes with Ravel brings the entries that it knows, and no others', async () => {
  const { vault, shipped, add } = await makeShipped();
  expect(shipped.map((one) => [one.id, one.notes.length])).toEqual([
    ['ffi', 2],
    ['rust', 1],
  ]);
  expect(await add(['expert:rust'])).toEqual({
    ...{ experts: ['rust'], files: ['knowledge/languages/rust/a.md', 'experts/rust.md'], kept: [] },
  });
  expect(vault.read('vault/knowledge/languages/rust/a.md')).toBe(`---\ntitle: A\nid: ${id}\n---\nText.\n`);
  expect(await add()).toEqual({
    experts: ['ffi'],
    files: ['knowledge/techniques/ffi/b.md', 'experts/ffi.md'],
    kept: ['knowledge/languages/rust/a.md', 'experts/rust.md'],
  });
});

test('a file of a person is never replaced, and an entry that was moved or archived does not come back', async () => {
  const { vault, add } = await makeShipped();
  vault.write('vault/experts/rust.md', 'mine');
  vault.write('vault/archive/knowledge/old.md', `---\ntitle: Mine\nid: ${id}\n---\n`);
  expect(await add(['rust'])).toEqual({
    experts: [],
    files: [],
    kept: ['knowledge/languages/rust/a.md', 'experts/rust.md'],
  });
  expect(vault.read('vault/experts/rust.md')).toBe('mine');
});

test('an unknown expert is refused, and nothing is added', async () => {
  const { vault, add } = await makeShipped();
  expect((await failureOf(() => add(['rust', 'none']))).code).toBe('expert/unknown');
  expect(() => vault.read('vault/experts/rust.md')).toThrow('ENOENT');
});

test('nothing is written through a symlink in knowledge/', async () => {
  const { vault, add } = await makeShipped();
  mkdirSync(join(vault.folder, 'out'));
  rmSync(join(vault.layout.knowledge, 'languages'), { recursive: true });
  symlinkSync(join(vault.folder, 'out'), join(vault.layout.knowledge, 'languages'));
  expect((await failureOf(() => add())).code).toBe('vault/linkOut');
  expect(() => readFileSync(join(vault.folder, 'out/rust/a.md'))).toThrow('ENOENT');
});

test('a copy of Ravel without experts has none', async () => {
  const { vault } = await makeShipped();
  expect(await readShippedExperts(nodeDisk, join(vault.folder, 'none'))).toEqual([]);
});

test('nothing is wrong with the experts and entries that come with Ravel, alone and between them', async () => {
  const folder = fileURLToPath(new URL('../../shipped', import.meta.url));
  const layout = new VaultLayout(folder);
  const found = await verifyKnowledge(nodeDisk, knowledgeFolders(layout, []));
  expect(found.map(({ code, subject, message }) => `${code} ${subject}: ${message}`)).toEqual([]);
  const { heads } = await new EntryCatalog({ disk: nodeDisk, layout, clock: { wallMs: () => 0 } }).survey([]);
  const shipped = await readShippedExperts(nodeDisk, folder);
  const known = new Set(shipped.flatMap(({ notes }) => notes.map(({ path }) => path)));
  expect(heads.map(({ path }) => path).filter((path) => !known.has(path))).toEqual([]);
  expect(shipped.filter(({ notes }) => notes.length === 0)).toEqual([]);
});

test('no entry that an expert brings into a vault of its own names one that it does not bring', async () => {
  const folder = fileURLToPath(new URL('../../shipped', import.meta.url));
  const layout = new VaultLayout(folder);
  const { heads } = await new EntryCatalog({ disk: nodeDisk, layout, clock: { wallMs: () => 0 } }).survey([]);
  for (const { id, notes } of await readShippedExperts(nodeDisk, folder)) {
    const own = heads.filter(({ path }) => notes.some((note) => note.path === path));
    const faults = entryFaults(new EntryIndex(own));
    expect([id, ...faults.map(({ diagnostic }) => diagnostic.message)]).toEqual([id]);
  }
});
