import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { formatCatalog, saveCatalog } from '../../src/vault/catalog.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const content = {
  plans: [
    { plan: toQualifiedId('Zoo/project-root'), description: 'Feeds the animals' },
    { plan: toQualifiedId('Demo/project-root/child'), description: 'One\n part' },
    { plan: toQualifiedId('Demo/project-root') },
  ],
  experts: [
    { actor: toQualifiedId('expert:rust'), description: 'Knows Rust' },
    { actor: toQualifiedId('expert:ffi'), description: 'Knows FFI' },
  ],
};

test('the catalog spells out what would act on a terminal or hide', async () => {
  const plans = [{ plan: toQualifiedId('Demo/project-root'), description: 'One \u001b[2J\u202ednah' }];
  expect(await formatCatalog({ plans, experts: [] })).toContain('One \\u{1b}[2J\\u{202e}dnah\n');
});

const nothing = { plans: [], experts: [] };

test('the catalog lists plans by project and id, with links, then the experts', async () => {
  expect(await formatCatalog(content)).toBe(`# Plans and experts

Ravel writes this file and overwrites changes that are made by hand.

## Demo

- [[projects/Demo/project-root/plan-state|Demo/project-root]]: no description
- [[projects/Demo/project-root/child/plan-state|Demo/project-root/child]]: One part

## Zoo

- [[projects/Zoo/project-root/plan-state|Zoo/project-root]]: Feeds the animals

## Experts

- expert:ffi: Knows FFI
- expert:rust: Knows Rust
`);
});

test('the catalog does not depend on the order of its input', async () => {
  const turned = { plans: content.plans.toReversed(), experts: content.experts.toReversed() };
  expect(await formatCatalog(turned)).toBe(await formatCatalog(content));
});

test('the catalog of an empty vault is the header', async () => {
  expect(await formatCatalog(nothing)).toBe(
    '# Plans and experts\n\nRavel writes this file and overwrites changes that are made by hand.\n',
  );
});

test('saveCatalog writes only a changed catalog, and overwrites edits by hand', async () => {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  expect(await saveCatalog(nodeDisk, layout, content)).toBe(true);
  expect(await saveCatalog(nodeDisk, layout, content)).toBe(false);
  writeFileSync(layout.catalog, 'mine');
  expect(await saveCatalog(nodeDisk, layout, content)).toBe(true);
  expect(readFileSync(layout.catalog, 'utf8')).toBe(await formatCatalog(content));
});
