import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type ExpertChanges, ExpertRegistry } from '../../src/experts/expertRegistry.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { declaration } from '../support/expertDeclaration.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const rust = toQualifiedId('expert:rust');

async function openRegistry() {
  const vault = await makeVaultFolder();
  const changes: ExpertChanges[] = [];
  const registry = new ExpertRegistry({ disk: nodeDisk, layout: vault.layout }, (change) => changes.push(change));
  const write = (id: string, text: string) => vault.write(`vault/experts/${id}.md`, text);
  const remove = (id: string) => rmSync(join(vault.layout.experts, `${id}.md`));
  const known = async () => (await registry.current()).experts.map(({ actor }) => actor);
  const codes = async () => (await registry.current()).diagnostics.map(({ code }) => code);
  return { registry, changes, write, remove, known, codes };
}

test('experts come and go with their files', async () => {
  const { known, write, remove, changes } = await openRegistry();
  expect(await known()).toEqual([]);
  write('rust', declaration());
  write('ffi', declaration({ description: 'Knows the border' }, 'ffi'));
  expect(await known()).toEqual(['expert:ffi', 'expert:rust']);
  remove('ffi');
  expect(await known()).toEqual(['expert:rust']);
  expect(changes).toEqual([{ removed: ['expert:ffi'], diagnostics: [] }]);
});

test.each([
  ['an edit that is not valid', declaration({ persona: '' }), 'expert/badDeclaration'],
  ['a file without frontmatter', 'notes', 'frontmatter/badFence'],
  ['a file that is not text', '\u0000'.repeat(300_000), 'disk/tooLarge'],
])('%s leaves the last valid version in force, and says why', async (_name, text, code) => {
  const { registry, known, codes, write, changes } = await openRegistry();
  write('rust', declaration({ persona: 'You are precise.' }));
  await known();
  write('rust', text);
  expect((await registry.find(rust))?.expert.persona).toBe('You are precise.');
  expect(await codes()).toEqual([code, 'expert/earlierVersion']);
  write('rust', declaration({ persona: 'You are brief.' }));
  expect((await registry.find(rust))?.expert.persona).toBe('You are brief.');
  expect([await codes(), changes]).toEqual([[], []]);
});

test('after a start only what the file says counts', async () => {
  const { known, write } = await openRegistry();
  write('rust', 'notes');
  expect(await known()).toEqual([]);
});

test('one that was removed takes no question, and is still known for those that it has', async () => {
  const { registry, known, write, remove } = await openRegistry();
  write('rust', declaration());
  await known();
  remove('rust');
  expect(await registry.find(rust)).toBeUndefined();
  expect((await registry.lastOf(rust))?.expert.description).toBe('Knows Rust');
});

test('a file that got another name is told, since messages name experts by it', async () => {
  const { known, write, remove, changes } = await openRegistry();
  write('rust', declaration());
  await known();
  remove('rust');
  write('oxide', declaration({}, 'oxide'));
  await known();
  expect(changes).toMatchObject([
    { removed: [rust], diagnostics: [{ code: 'expert/renamed', subject: 'expert:oxide' }] },
  ]);
});
