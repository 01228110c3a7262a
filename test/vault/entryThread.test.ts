import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { exists } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { EntryCatalog } from '../../src/vault/entryCatalog.ts';
import { EntryThread } from '../../src/vault/entryThread.ts';
import { ManualClock } from '../support/manualClock.ts';
import { bundleProgram } from '../support/program.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(fileURLToPath(new URL('../../src/vault/entryWorker.ts', import.meta.url)));
});

async function makeCatalog(count: number, options: { readonly program?: string; readonly notesMax?: number } = {}) {
  const { layout, ...vault } = await makeVaultFolder();
  for (let n = 0; n < count; n += 1) vault.write(`vault/knowledge/tools/${n}.md`, `---\ntitle: Entry ${n}\n---\n`);
  const warnings: string[] = [];
  const clock = new ManualClock();
  const log = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (text: string) => void warnings.push(text),
  };
  const thread = new EntryThread({ disk: nodeDisk, layout, clock, log, version: '1', program, ...options });
  onTestFinished(() => thread.stop());
  const catalog = new EntryCatalog({ disk: nodeDisk, layout, clock: { wallMs: () => Date.now() }, thread });
  const page = () => catalog.page([], { from: 0, limit: 3 });
  return { layout, vault, thread, catalog, page, warnings };
}

const firstThree = { heads: [{ path: 'tools/0.md' }, { path: 'tools/1.md' }, { path: 'tools/10.md' }] };

test('a small vault is read here, and a large one in a thread that keeps what it found', async () => {
  const small = await makeCatalog(20, { notesMax: 40 });
  expect(await small.page()).toMatchObject({ ...firstThree, total: 20, more: 17, isAtMost: false });
  const large = await makeCatalog(3000, { notesMax: 40 });
  expect(await large.page()).toMatchObject({ ...firstThree, total: 3000, more: 2997, isAtMost: true });
  expect((await large.catalog.namesakes([], { name: 'entry 7', file: '' })).heads).toMatchObject([
    { path: 'tools/7.md' },
  ]);
  await large.thread.stop();
  expect(await exists(nodeDisk, large.layout.entries)).toBe(true);
  expect([small.warnings, large.warnings]).toEqual([[], []]);
});

test('a thread that cannot start leaves the work to its owner, which is told', async () => {
  const { layout } = await makeVaultFolder();
  const broken = `${layout.root}/broken.mjs`;
  await writeFile(broken, "throw new Error('no memory');\n");
  const { page, warnings } = await makeCatalog(50, { notesMax: 10, program: broken });
  expect(await page()).toMatchObject({ ...firstThree, total: 50, isAtMost: false });
  expect(warnings).toEqual(['no thread could look at the entries, so they are read here']);
});

test('a request that is aborted does not wait for the thread', async () => {
  const { catalog } = await makeCatalog(50, { notesMax: 10 });
  const stopping = new AbortController();
  const page = catalog.page([], { from: 0, limit: 3 }, stopping.signal);
  stopping.abort(new Error('gone'));
  await expect(page).rejects.toThrow('gone');
});
