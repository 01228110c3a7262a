import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { knowledgeFolders } from '../../src/vault/entryFiles.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { StampedCache } from '../../src/vault/stampedCache.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { verifyKnowledge } from '../../src/vault/verifyKnowledge.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

test('ravel verify names notes of the knowledge whose frontmatter cannot be read', async () => {
  const vault = await makeVaultFolder();
  vault.write('vault/knowledge/languages/good.md', '---\ntags: [a]\n---\nText.\n');
  vault.write('vault/knowledge/plain.md', 'No frontmatter.\n');
  vault.write('vault/knowledge/languages/torn.md', '---\ntags: [a]\n');
  vault.write('vault/knowledge/bad.md', '---\ntags: [a\n---\n');
  const found = await verifyKnowledge(nodeDisk, knowledgeFolders(vault.layout, []));
  expect(found.map(({ file, severity }) => [file, severity])).toEqual([
    [join(vault.layout.knowledge, 'bad.md'), 'error'],
    [join(vault.layout.knowledge, 'languages/torn.md'), 'error'],
  ]);
  const { diagnostics } = await verifyVault(nodeDisk, vault.layout);
  expect(diagnostics).toEqual(expect.arrayContaining(found));
  expect(await verifyKnowledge(nodeDisk, knowledgeFolders(new VaultLayout(join(vault.folder, 'none')), []))).toEqual(
    [],
  );
});

test('ravel verify names what is wrong between entries, and leaves out what it cannot read', async () => {
  const vault = await makeVaultFolder();
  vault.write('vault/knowledge/a.md', '---\ntitle: A\nsupersedes: ["[[B]]"]\n---\n');
  vault.write('vault/knowledge/b.md', '---\ntitle: B\nsupersedes: ["[[A]]"]\nrelated: ["[[None]]"]\n---\n');
  vault.write('vault/knowledge/c.md', '---\ntitle: b\n---\n');
  vault.write('vault/knowledge/d.md', '\0');
  const { diagnostics } = await verifyVault(nodeDisk, vault.layout);
  expect(diagnostics.map(({ code, file = '' }) => `${code} ${basename(file)}`)).toEqual([
    'entry/oneSidedLink a.md',
    'entry/supersessionCycle a.md',
    'entry/brokenLink b.md',
    'entry/oneSidedLink b.md',
    'entry/duplicateTitle c.md',
    'entry/binary d.md',
  ]);
});

test('a note that is as it was is not read again at the next start', async () => {
  const vault = await makeVaultFolder();
  vault.write('vault/knowledge/good.md', '---\ntags: [a]\n---\nText.\n');
  vault.write('vault/knowledge/languages/bad.md', '---\ntags: [a\n---\n');
  let kept = '';
  /** A day after the files were written. */
  const verify = async () => {
    const cache = StampedCache.parse(kept, '1');
    const read: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name === 'readFile' && path.startsWith(vault.layout.knowledge)) read.push(basename(path));
    });
    const found = await verifyVault(disk, vault.layout, { cache, wallMs: () => Date.now() + 86_400_000 });
    kept = cache.format('1');
    return { read: read.sort(), bad: found.diagnostics.map(({ file = '' }) => basename(file)) };
  };
  expect(await verify()).toEqual({ read: ['bad.md', 'good.md'], bad: ['bad.md'] });
  expect(await verify()).toEqual({ read: [], bad: ['bad.md'] });
  vault.write('vault/knowledge/languages/bad.md', '---\ntags: [a]\n---\n');
  expect(await verify()).toEqual({ read: ['bad.md'], bad: [] });
});
