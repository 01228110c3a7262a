import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { checkExpertScopes } from '../../src/experts/expertScope.ts';
import { loadExperts } from '../../src/vault/expertStore.ts';
import { declaration } from '../support/expertDeclaration.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

async function check(scopes: Readonly<Record<string, object>>, notes: readonly string[]): Promise<string[]> {
  const vault = await makeVaultFolder();
  for (const [id, fields] of Object.entries(scopes)) vault.write(`vault/experts/${id}.md`, declaration(fields, id));
  for (const note of notes) vault.write(`vault/knowledge/${note}`, '# A note\n');
  const ports = { disk: nodeDisk, layout: vault.layout };
  const { experts } = await loadExperts(nodeDisk, vault.layout);
  return (await checkExpertScopes(ports, experts)).map(({ code, subject }) => `${code} ${subject}`);
}

test('a scope without an entry is told', async () => {
  const scopes = {
    deep: { 'knowledge-scope': ['tools/cargo/**'] },
    empty: { 'knowledge-scope': ['domains/law'] },
    none: { 'knowledge-scope': ['domains/none'] },
    projects: { 'knowledge-scope': ['domains/law'], 'project-knowledge': ['*/law'] },
  };
  const found = await check(scopes, ['tools/cargo/a/b/c.md', 'domains/law/notes.txt']);
  expect(found.filter((line) => !line.startsWith('expert/overlapping'))).toEqual([
    'expert/emptyScope expert:empty',
    'expert/unknownScope expert:none',
    'expert/emptyScope expert:none',
  ]);
});

test('a scope within another is told, and of two that are the same the second', async () => {
  const scopes = {
    a: { 'knowledge-scope': ['languages/rust'] },
    b: { 'knowledge-scope': ['languages/rust/**'] },
    c: { 'knowledge-scope': ['languages/rust/async', 'languages/rust/macros'] },
    d: { 'knowledge-scope': ['languages/rust/async', 'tools/cargo'] },
    e: { 'knowledge-scope': ['languages/rustic'] },
  };
  const notes = [
    'languages/rust/async/a.md',
    'tools/cargo/a.md',
    'languages/rustic/a.md',
    'languages/rust/macros/a.md',
  ];
  expect(await check(scopes, notes)).toEqual(['expert/overlappingScope expert:b', 'expert/overlappingScope expert:c']);
});
