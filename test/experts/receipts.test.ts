import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { Receipts } from '../../src/experts/receipts.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { AnswerReceipt } from '../../src/model/receipt.ts';
import { recordRename } from '../../src/vault/planRenames.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const plan = toQualifiedId('Demo/project-root');
const gone = toQualifiedId('Demo/project-root/gone');

function receiptOf(n: number, of: Partial<AnswerReceipt>): AnswerReceipt {
  const id = idOf(n);
  return {
    ...{ id, at: '2026-01-02T03:04:05Z', expert: toQualifiedId('expert:rust'), session: id, promptBytes: 1 },
    ...{ from: 'person', question: 'Why?', dialogue: [], entries: [], persona: 'p', template: 't', model: 'm' },
    ...{ key: `k${n}`, state: 'answered', answer: 'So.', citations: [], isSupported: true },
    ...of,
  };
}

function idOf(n: number): Ulid {
  return `01M0000000000000000000000${n}` as Ulid;
}

test('the oldest receipts go, but none of an answer that a plan of the vault was given', async () => {
  const { layout, write } = await makeVaultFolder();
  const receipts = new Receipts({ disk: nodeDisk, layout }, 2);
  const again = { id: idOf(9), from: plan };
  const given: Partial<AnswerReceipt>[] = [
    {},
    { from: plan },
    { from: gone },
    { reusedBy: [again] },
    {},
    { from: gone },
  ];
  for (const [n, of] of given.entries()) await receipts.save(receiptOf(n, of));
  write(`vault/runtime/receipts/${idOf(0)}.json`, '{');
  expect(await receipts.removeOldest(new Set([plan]))).toBe(2);
  const kept = (await receipts.all()).records.map(({ id }) => id);
  expect(kept).toEqual([1, 3, 4, 5].map(idOf));
  expect(await receipts.removeOldest(new Set())).toBe(2);
  expect((await receipts.all()).records.map(({ id }) => id)).toEqual([4, 5].map(idOf));
});

test('receipts follow the renames of plans and projects', async () => {
  const { layout } = await makeVaultFolder();
  const ports = { disk: nodeDisk, layout };
  const receipts = new Receipts(ports, 0);
  const again = { id: idOf(9), from: plan };
  const given: Partial<AnswerReceipt>[] = [{ from: gone }, { reusedBy: [again] }, {}, { from: plan }];
  for (const [n, of] of given.entries()) await receipts.save(receiptOf(n, of));
  const moved = toQualifiedId('Demo/project-root/moved');
  await recordRename(ports, { from: gone, to: moved });
  await recordRename(ports, { from: 'Demo', to: 'New' });
  const givenTo = async (name: string) => (await receipts.givenTo(toQualifiedId(name))).map(({ id }) => id);
  expect(await givenTo('New/project-root')).toEqual([1, 3].map(idOf));
  expect(await givenTo('New/project-root/moved')).toEqual([idOf(0)]);
  expect(await givenTo('New/project-root/gone')).toEqual([idOf(0)]);
  expect(await givenTo('Newer/project-root')).toEqual([]);
  expect(await receipts.removeOldest(new Set(['New/project-root', 'New/project-root/moved']))).toBe(1);
  expect((await receipts.all()).records.map(({ id }) => id)).toEqual([0, 1, 3].map(idOf));
});
