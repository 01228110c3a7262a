import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureDirectory } from '../../src/base/files.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { faultOf, notificationOf } from '../../src/model/notification.ts';
import { noticeRequests } from '../../src/model/requests/notices.ts';
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

test.each([
  ['is not UTF-8', (path: string) => writeFile(path, Buffer.from([0xff, 0xfe]))],
  ['is a link', (path: string) => symlink(join(path, '../elsewhere'), path)],
  ['is a folder', (path: string) => mkdir(path)],
])('a file that %s counts as empty', async (what, put) => {
  const layout = await makeLayout();
  await put(layout.notices);
  const claims = claimsOf(layout);
  expect([await claims.claim(['a']), await claims.claim(['a', 'b'])]).toEqual([['a'], ['b']]);
  // What a folder holds is not ours to remove.
  if (what === 'is a folder') await rm(layout.notices, { recursive: true });
  await claims.claim(['c']);
  expect(await claimsOf(layout).claim(['a', 'd'])).toEqual(['d']);
});

test('a question that waits for long is not given out again, however much happens', async () => {
  const layout = await makeLayout();
  await claimsOf(layout).claim(['question:1', 'a']);
  await claimsOf(layout).claim(Array.from({ length: 2000 }, (_, n) => `key ${n}`));
  expect(await claimsOf(layout).claim(['question:1', 'a'])).toEqual(['a']);
});

test('keys are so short that an owner takes them, and still one for each thing', () => {
  const [actor, long] = [toQualifiedId('shop/project-root'), 'x'.repeat(5000)];
  const faulted = (reason: string, of: string = actor) =>
    notificationOf({ at: '', actor: of, type: 'actor.changed', state: 'faulted', reason } as RavelEvent)?.key ?? '';
  const keys = [faulted(long), faulted(`${long}y`), faulted('crashed'), faulted(long, `shop/${long}`)];
  expect(noticeRequests.claim_notices.parse({ keys })).toEqual({ keys: [...new Set(keys)] });
  for (const key of keys) expect(key.length).toBeLessThan(300);
  expect(keys[0]?.startsWith(faultOf(actor))).toBe(true);
  expect(keys[3]?.startsWith(faultOf(`shop/${long}`))).toBe(true);
});
