import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { Receipts } from '../../src/experts/receipts.ts';
import { reportStaleAnswers } from '../../src/experts/staleAnswers.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { AnswerReceipt } from '../../src/model/receipt.ts';
import { replyId } from '../../src/model/reply.ts';
import { FakeActors } from '../support/fakeDelivery.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const id = '01M00000000000000000000001' as Ulid;
const path = 'knowledge/rust/pinning.md';
const cited = { entry: 'pin-1', title: 'Pinning', path, hash: sha256('# Pin\n'), passage: 'Pin it.' };
const receipt: AnswerReceipt = {
  ...{ id, at: '2026-01-02T03:04:05Z', expert: toQualifiedId('expert:rust'), session: id, promptBytes: 1 },
  ...{ from: toQualifiedId('Demo/project-root'), question: 'Why?', dialogue: [], entries: [], persona: 'p' },
  ...{ template: 't', model: 'm', key: 'k', state: 'answered', answer: 'So.', citations: [cited], isSupported: true },
};
const never = new AbortController().signal;

async function open(of: Partial<AnswerReceipt> = {}) {
  const vault = await makeVaultFolder();
  vault.write(`vault/${path}`, '# Pin\n');
  const ports = { disk: nodeDisk, layout: vault.layout };
  const receipts = new Receipts(ports);
  await receipts.save({ ...receipt, ...of });
  const actors = new FakeActors();
  const tell = () => reportStaleAnswers({ ports, receipts, actors }, never);
  return { vault, actors, tell, receipts };
}

test('a plan is told once that an entry which its answer cites was edited', async () => {
  const { vault, actors, tell } = await open();
  expect(await tell()).toBe(0);
  vault.write(`vault/${path}`, '# Do not pin\n');
  expect([await tell(), await tell()]).toEqual([1, 0]);
  const about = { id: replyId(id, 'stale'), about: 'stale', to: receipt.from, re: id };
  expect(actors.sent).toMatchObject([{ ...about, text: expect.stringContaining('“Pinning”') }]);
});

test('a plan is told of an entry that was removed', async () => {
  const { vault, actors, tell } = await open();
  rmSync(join(vault.layout.root, path));
  expect([await tell(), actors.sent.length]).toEqual([1, 1]);
});

test('each plan that was given the same answer again is told, also one that got it after the others were told', async () => {
  const other = { id: '01M00000000000000000000002' as Ulid, from: toQualifiedId('Shop/project-root') };
  const { vault, actors, tell, receipts } = await open({ from: 'person', reusedBy: [other] });
  vault.write(`vault/${path}`, '');
  expect([await tell(), await tell()]).toEqual([1, 0]);
  expect(actors.sent).toMatchObject([{ id: replyId(other.id, 'stale'), to: other.from, re: other.id }]);
  const third = { id: '01M00000000000000000000003' as Ulid, from: toQualifiedId('Demo/project-root') };
  await receipts.change(id, (now) => ({ ...now, reusedBy: [other, third], isStaleTold: false }));
  expect(await tell()).toBe(2);
});

test('a person is not told, who reads receipts, and an owner that died after telling tells nothing twice', async () => {
  const asked = await open({ from: 'person' });
  asked.vault.write(`vault/${path}`, '');
  expect([await asked.tell(), asked.actors.sent]).toEqual([0, []]);
  const { vault, actors, tell, receipts } = await open();
  vault.write(`vault/${path}`, '');
  await tell();
  await receipts.save(receipt);
  await tell();
  expect(actors.sent).toHaveLength(1);
});
