import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { assertNoLinks, findLinks } from '../../src/vault/ownPlaces.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** Lays links at these paths of a vault and expects that those in `found` are told. */
async function check(links: readonly string[], found: readonly string[] = links): Promise<void> {
  const folder = await makeTemporaryDirectory();
  const layout = new VaultLayout(join(folder, 'vault'));
  mkdirSync(join(folder, 'outside'));
  mkdirSync(join(layout.root, 'projects'), { recursive: true });
  for (const link of links) {
    mkdirSync(dirname(join(layout.root, link)), { recursive: true });
    symlinkSync(join(folder, 'outside'), join(layout.root, link));
  }
  const told = await findLinks(nodeDisk, layout);
  expect(told.map(({ subject }) => relative(layout.root, subject)).sort()).toEqual([...found].sort());
  expect(told.every(({ code }) => code === 'vault/linkOut')).toBe(true);
  const opening = () => assertNoLinks(nodeDisk, layout);
  if (found.length === 0) await opening();
  else
    expect(await failureOf(opening)).toMatchObject({ code: 'vault/linkOut', help: expect.stringContaining('points') });
}

test('a vault without links in the folders that Ravel writes has no diagnostics', () => check([]));
test.each([
  ['runtime'],
  ['decisions'],
  ['archive'],
  ['runtime/sessions'],
  ['runtime/plans'],
  ['runtime/mailboxes'],
  ['runtime/staging'],
  ['runtime/approvals'],
  ['runtime/tools'],
  ['runtime/daemon.lock.7'],
  ['runtime/ledger.jsonl'],
  ['runtime/sessions/01HZY0000000000000000000S1'],
  ['runtime/staging/Demo/work-01HZY0000000000000000000S1'],
])('a link in the place of %s is found', (link) => check([link]));
test('a link in the place of a file is told, and does not keep the vault from being opened', async () => {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  mkdirSync(layout.runtime);
  symlinkSync('/dev/null', layout.ledger);
  symlinkSync('nowhere', layout.plans);
  symlinkSync('sessions', layout.sessions);
  expect(await findLinks(nodeDisk, layout)).toHaveLength(3);
  await assertNoLinks(nodeDisk, layout);
});
test('many links to files hide none to a folder', async () => {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  mkdirSync(layout.runtime);
  for (let n = 0; n < 50; n++) symlinkSync('nowhere', join(layout.runtime, `a${n}`));
  symlinkSync('/', join(layout.runtime, 'z'));
  expect(await findLinks(nodeDisk, layout)).toHaveLength(20);
  expect(await failureOf(() => assertNoLinks(nodeDisk, layout))).toMatchObject({ subject: join(layout.runtime, 'z') });
});
test('several links are told together', () => check(['decisions', 'runtime/plans', 'runtime/grants']));
test('links to projects, and those in a person’s own notes, belong to a vault', () =>
  check(['projects/Demo', 'knowledge', 'experts', 'notes/x'], []));
