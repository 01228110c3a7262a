import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ensureDirectory } from '../../src/base/files.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { NoticeClaims } from '../../src/notifications/noticeClaims.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

async function makeLayout(): Promise<VaultLayout> {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  await ensureDirectory(nodeDisk, layout.runtime);
  return layout;
}

const claimsOf = (layout: VaultLayout) => new NoticeClaims({ disk: nodeDisk, layout, log: silentLogger });

test('a notification is given out once, to the first that asks, and not by the next owner either', async () => {
  const layout = await makeLayout();
  const claims = claimsOf(layout);
  const [first, second] = await Promise.all([claims.claim(['a', 'b', 'a']), claims.claim(['b', 'c'])]);
  expect([first, second]).toEqual([['a', 'b'], ['c']]);
  expect(await claimsOf(layout).claim(['a', 'b', 'c', 'd'])).toEqual(['d']);
});

test('the fault of an actor can be given out again once it takes in messages again', async () => {
  const layout = await makeLayout();
  const actor = toQualifiedId('shop/project-root');
  const fault = `plan-faulted:${actor}:crashed`;
  const other = 'plan-faulted:shop/project-root/search:crashed';
  expect(await claimsOf(layout).claim([fault, other])).toEqual([fault, other]);
  const next = claimsOf(layout);
  next.take({ at: '', actor, type: 'actor.changed', state: 'queued' });
  expect(await next.claim([fault])).toEqual([]);
  next.take({ at: '', actor, type: 'actor.changed', state: 'active' });
  expect(await next.claim([fault, other])).toEqual([fault]);
});

test('a damaged file counts as empty, and the file forgets the oldest of many', async () => {
  const layout = await makeLayout();
  await writeFile(layout.notices, '{"claimed": 3');
  const many = Array.from({ length: 2001 }, (_, n) => `key ${n}`);
  expect(await claimsOf(layout).claim(many)).toHaveLength(2001);
  const { claimed } = JSON.parse(await readFile(layout.notices, 'utf8'));
  expect([claimed.length, claimed[0]]).toEqual([2000, 'key 1']);
});
