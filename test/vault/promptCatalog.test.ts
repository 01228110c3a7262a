import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReadingDisk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import {
  formatRecipients,
  formatTargets,
  loadPromptCatalog,
  type PromptCatalog,
} from '../../src/vault/promptCatalog.ts';

const format = (catalog: PromptCatalog) => `${formatRecipients(catalog)}\n${formatTargets(catalog)}`;

import { type PlanLocation, walkVault } from '../../src/vault/walk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const rust = `---
actor-type: expert
expert-id: rust
description: Knows the Rust language
persona: You know Rust.
knowledge-scope: [rust]
tags: [rust]
---
`;

test('the prompt catalog lists its own project first with the plan marked, then others, experts and possible targets', async () => {
  const { layout, write } = await makeVaultFolder(['Bank', 'Shop'], ['Shop/project-root/till']);
  write('vault/experts/rust.md', rust);
  write('Bank/ravel/project-root/plan-state.md', 'no frontmatter');
  const { plans } = await walkVault(nodeDisk, layout);
  const catalog = await loadPromptCatalog({ disk: nodeDisk, layout }, plans, toQualifiedId('Shop/project-root'));
  expect(format(catalog)).toBe(`## Shop

- Shop/project-root (this plan): What Shop is for
- Shop/project-root/till: What Shop/project-root/till is for

## Bank

- Bank/project-root: no description

## Experts

- expert:rust: Knows the Rust language

## Whom a message names

Exactly one target:

- \`target-plan\`: another plan of Shop, by its id. It gets the message at once.
- \`target-project\`: another project, by its name. Ravel finds the receiver there; if one of its plans is likely to take the message, name that as \`suggested-target-plan\` beside it. A plan of another project is never a \`target-plan\`.
- \`target\`: \`auto\`, if you cannot tell whose it is. Ravel finds the receiver among all plans, including those that are not listed here.
- \`target-expert\`: an expert, by its id. It answers questions from its part of the vault’s knowledge and says where each answer stands; it takes no tasks.
`);
});

describe('the prompt catalog offers as targets only what exists:', () => {
  const current = toQualifiedId('Shop/project-root');
  const catalog = (more: Partial<PromptCatalog>): PromptCatalog => ({
    ...{ current, plans: [{ plan: current }], sizes: new Map([['Shop', 1]]), experts: [] },
    ...more,
  });
  const targetsIn = (text: string) => [...text.matchAll(/^- `([a-z-]+)`:/gm)].map(([, target]) => target);

  test.each<[string, Partial<PromptCatalog>, string[]]>([
    ['a single plan', {}, ['target']],
    ['a sibling plan', { sizes: new Map([['Shop', 2]]) }, ['target-plan', 'target']],
    [
      'another project',
      {
        sizes: new Map([
          ['Shop', 1],
          ['Bank', 1],
        ]),
      },
      ['target-project', 'target'],
    ],
    [
      'an expert',
      { experts: [{ actor: toQualifiedId('expert:ffi'), description: 'Knows FFI' }] },
      ['target', 'target-expert'],
    ],
  ])('%s', (_name, more, expected) => expect(targetsIn(format(catalog(more)))).toEqual(expected));

  test('a person, if this is the only plan', () => {
    expect(format(catalog({}))).toContain('which a person then decides about, since there is no other plan.');
  });
});

describe('the prompt catalog of a large vault', () => {
  const plan = (id: string): PlanLocation => ({
    ...{ id: toQualifiedId(id), directory: `/vault/${id}`, project: id.split('/')[0] ?? '' },
    ...{ projectDirectory: '/p', ravelDirectory: '/p/ravel' },
  });
  const ids = Array.from({ length: 500 }, (_, project) =>
    Array.from({ length: 20 }, (_, n) => {
      const below = n === 0 ? '' : n < 10 ? `/a${n}` : `/a${n - 9}/b`;
      return `P${String(project).padStart(3, '0')}/project-root${below}`;
    }),
  ).flat();
  const current = toQualifiedId('P250/project-root/a3');

  /** Loads the catalog and records which files are read; each has a description of 120 characters. */
  async function load(all: readonly string[]) {
    const read: string[] = [];
    const disk: ReadingDisk = {
      ...nodeDisk,
      async readEach(paths) {
        read.push(...paths);
        return paths.map((path) =>
          Buffer.from(`---\ndescription: ${'x'.repeat(120)}\nschema-version: 1\n---\n${path}`),
        );
      },
    };
    const { layout } = await makeVaultFolder();
    const catalog = await loadPromptCatalog({ disk, layout }, all.map(plan), current);
    return { text: format(catalog), read };
  }

  test('reads and shows a hundred plans and says so', async () => {
    const { text, read } = await load(ids);
    expect(read).toHaveLength(100);
    expect(read.every((path) => path.endsWith('/plan-state.md'))).toBe(true);
    expect(text).toContain('100 of 10000 plans are listed here');
    expect(Buffer.byteLength(text)).toBeLessThan(24_000);
  });

  test('shows all plans of its own project, the root plans of others, and the names of further projects', async () => {
    const { text } = await load(ids);
    const shown = [...text.matchAll(/^- (P\d+\/[^ :]+)/gm)].map(([, id = '']) => id);
    expect(shown.slice(0, 20).every((id) => id.startsWith('P250/'))).toBe(true);
    expect(shown.slice(20)).toEqual(
      Array.from({ length: 80 }, (_, n) => `P${String(n).padStart(3, '0')}/project-root`),
    );
    expect(text).toContain('- P000/project-root: ');
    expect(text).toContain('- and 19 more\n');
    expect(text).toMatch(/^## Further projects\n\nP080, P081, .*, P179 and 319 more$/m);
  });

  test('shows the nearest plans of a large project', async () => {
    const many = Array.from({ length: 200 }, (_, n) => `P250/project-root/z${String(n).padStart(3, '0')}/deep/down`);
    const { text } = await load([...many, 'P250/project-root', 'P250/project-root/a3', 'P250/project-root/a3/below']);
    const shown = [...text.matchAll(/^- (P250\/[^ :]+)/gm)].map(([, id = '']) => id);
    expect(shown).toHaveLength(50);
    expect(shown.slice(0, 3)).toEqual(['P250/project-root', 'P250/project-root/a3', 'P250/project-root/a3/below']);
    expect(text).toContain('- P250/project-root/a3 (this plan): ');
    expect(text).toContain('- and 153 more');
    expect(text).toContain('50 of 203 plans are listed here');
  });
});

test('the prompt catalog leaves out a plan that was removed after the vault was walked', async () => {
  const { layout, folder } = await makeVaultFolder(['Shop'], ['Shop/project-root/till']);
  const { plans } = await walkVault(nodeDisk, layout);
  rmSync(join(folder, 'Shop/ravel/project-root/till'), { recursive: true });
  const catalog = await loadPromptCatalog({ disk: nodeDisk, layout }, plans, toQualifiedId('Shop/project-root'));
  expect(format(catalog)).not.toContain('till');
});
