import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { checkScopes, loadExperts, parseExpert } from '../../src/vault/expertStore.ts';
import { makeVaultFolder, type VaultFolder } from '../support/vaultFolder.ts';

let vault: VaultFolder;

beforeEach(async () => {
  vault = await makeVaultFolder();
});

function declaration(id: string, lines: readonly string[] = []): string {
  const usual = [
    'actor-type: expert',
    `expert-id: ${id}`,
    'description: Knows Rust',
    'persona: You are precise.',
    'knowledge-scope: [languages/rust]',
    'tags: [rust]',
  ];
  const keys = new Set(lines.map((line) => line.split(':')[0]));
  return `---\n${[...usual.filter((line) => !keys.has(line.split(':')[0])), ...lines].join('\n')}\n---\nNotes.\n`;
}

describe('loadExperts', () => {
  test('reads the declarations, sorted by id, and nothing else in the folder', async () => {
    vault.write('vault/experts/rust.md', declaration('rust'));
    vault.write('vault/experts/ffi.md', declaration('ffi'));
    vault.write('vault/experts/notes.txt', 'mine');
    mkdirSync(join(vault.layout.experts, 'folder.md'));
    const { experts, diagnostics } = await loadExperts(nodeDisk, vault.layout);
    expect(experts).toMatchObject([
      { actor: 'expert:ffi' },
      { actor: 'expert:rust', expert: { description: 'Knows Rust' }, body: 'Notes.\n' },
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('returns no experts without the folder', async () => {
    const bare = { ...vault.layout, experts: join(vault.folder, 'none') } as typeof vault.layout;
    expect(await loadExperts(nodeDisk, bare)).toEqual({ experts: [], diagnostics: [] });
  });

  test('leaves out an invalid declaration, reports each fault, and still reads the others', async () => {
    vault.write('vault/experts/rust.md', declaration('rust'));
    vault.write('vault/experts/bad.md', declaration('bad', ['persona: ""', 'tags: [A]']));
    vault.write('vault/experts/Upper.md', declaration('Upper'));
    vault.write('vault/experts/other.md', declaration('another'));
    vault.write('vault/experts/torn.md', '---\nactor-type: expert\n');
    writeFileSync(join(vault.layout.experts, 'latin.md'), Buffer.from([0x2d, 0xff, 0xfe]));
    vault.write('vault/experts/huge.md', 'x'.repeat(300_000));
    const { experts, diagnostics } = await loadExperts(nodeDisk, vault.layout);
    expect(experts.map(({ actor }) => actor)).toEqual(['expert:rust']);
    expect(diagnostics.map(({ code, subject }) => [code, subject.replace(vault.layout.experts, '')])).toEqual([
      ['expert/badId', 'expert:Upper'],
      ['expert/badDeclaration', 'expert:bad'],
      ['expert/badDeclaration', 'expert:bad'],
      ['disk/tooLarge', '/huge.md'],
      ['yaml/encoding', '/latin.md'],
      ['expert/badId', 'expert:other'],
      ['frontmatter/unclosed', 'expert:torn'],
    ]);
  });
});

describe('parseExpert', () => {
  test('reports a fault at the line of its key, and a missing key by name', () => {
    const text = declaration('rust', ['persona: ""']).replace('description: Knows Rust\n', '');
    const { expert, diagnostics } = parseExpert('rust', text, 'rust.md');
    expect(expert).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { message: 'The declaration has no "description".', range: { start: { line: 0 } } },
      { message: 'Bad declaration: persona: the persona is empty.', range: { start: { line: 5 } } },
    ]);
  });

  test('refuses frontmatter that is not a declaration', () => {
    const { diagnostics } = parseExpert('rust', '---\n- a\n---\n', 'rust.md');
    expect(diagnostics).toMatchObject([{ code: 'expert/badDeclaration' }]);
  });
});

test('reads a declaration with folders named from the vault on and without tags', async () => {
  mkdirSync(join(vault.layout.knowledge, 'languages/rust'), { recursive: true });
  vault.write(
    'vault/experts/rust-expert.md',
    `---
actor-type: expert
expert-id: rust-expert
description: Lifetimes, async runtimes and FFI.
persona: |
  You know Rust well.
  Say what is idiomatic.
knowledge-scope:
  - knowledge/languages/rust/
retrieval:
  strategy: keyword
  max-entries: 10
---
# Rust Expert
Notes for people.
`,
  );
  const { experts, diagnostics } = await loadExperts(nodeDisk, vault.layout);
  expect(diagnostics).toEqual([]);
  const [declared] = experts;
  if (declared === undefined) throw new Error('it is valid');
  expect(declared.expert).toMatchObject({ 'knowledge-scope': ['languages/rust'], tags: [] });
  expect(await checkScopes(nodeDisk, vault.layout, declared)).toEqual([]);
});

test('checkScopes warns of a scope whose folder does not exist', async () => {
  mkdirSync(join(vault.layout.knowledge, 'languages/rust'));
  const scopes = 'knowledge-scope: [languages/rust, "languages/*/async", tools/cargo/**, "**"]';
  const { expert } = parseExpert('rust', declaration('rust', [scopes]), 'rust.md');
  if (expert === undefined) throw new Error('it is valid');
  expect(await checkScopes(nodeDisk, vault.layout, expert)).toMatchObject([
    {
      code: 'expert/unknownScope',
      severity: 'warning',
      subject: 'expert:rust',
      message: expect.stringContaining('knowledge/tools/cargo,'),
    },
  ]);
});
