import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { formatCatalog, saveCatalog } from '../../src/vault/catalog.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const rows = [
  { plan: toQualifiedId('Zoo/project-root'), description: 'Feeds the animals' },
  { plan: toQualifiedId('Demo/project-root/child'), description: 'One\n part' },
  { plan: toQualifiedId('Demo/project-root') },
];

describe('formatCatalog', () => {
  test('for people: by project and id, with links', () => {
    expect(formatCatalog(rows)).toBe(`# Plans

Ravel writes this file; what is changed here by hand is overwritten.

## Demo

- [[projects/Demo/project-root/plan-state|Demo/project-root]]: no description
- [[projects/Demo/project-root/child/plan-state|Demo/project-root/child]]: One part

## Zoo

- [[projects/Zoo/project-root/plan-state|Zoo/project-root]]: Feeds the animals
`);
  });

  test('for a prompt: its own project first, the plan marked', () => {
    expect(formatCatalog(rows, { current: toQualifiedId('Zoo/project-root') })).toBe(`## Zoo

- Zoo/project-root (this plan): Feeds the animals

## Demo

- Demo/project-root: no description
- Demo/project-root/child: One part
`);
  });

  test('does not depend on the order of the rows', () => {
    expect(formatCatalog([...rows].reverse())).toBe(formatCatalog(rows));
  });

  test('of nothing is the header alone', () => {
    expect(formatCatalog([])).toContain('# Plans');
    expect(formatCatalog([], { current: toQualifiedId('Zoo/project-root') })).toBe('');
  });
});

test('saveCatalog writes when there is something new, over edits by hand as well', async () => {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  expect(await saveCatalog(nodeDisk, layout, rows)).toBe(true);
  expect(await saveCatalog(nodeDisk, layout, rows)).toBe(false);
  writeFileSync(layout.catalog, 'mine');
  expect(await saveCatalog(nodeDisk, layout, rows)).toBe(true);
  expect(readFileSync(layout.catalog, 'utf8')).toBe(formatCatalog(rows));
});
