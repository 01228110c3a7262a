import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, makeExpertWorld, pinning, quoting } from '../support/expertWorld.ts';
import { startCore } from '../support/world.ts';

const question = 'When does a future need to be pinned?';

test('receipts are listed, shown, and compared with what would be asked now', async () => {
  const world = await makeExpertWorld({ answers: [{ steps: quoting() }] });
  const { core } = await startCore(world);
  const { query } = await ask(core, question);
  await ask(core, `Say it again: ${question}`);
  const all = await core.api.request('receipts', {});
  expect(all).toMatchObject({
    total: 2,
    receipts: [{ question: `Say it again: ${question}` }, { id: query, question }],
  });
  const count = async (filter: object) => (await core.api.request('receipts', filter)).total;
  for (const entry of ['pin-1', 'Pinning', pinning.path]) expect(await count({ entry }), entry).toBe(2);
  expect([await count({ entry: 'cooking' }), await count({ expert: 'ffi' }), await count({ expert: 'rust' })]).toEqual([
    ...[0, 0, 2],
  ]);
  const { receipt } = await core.api.request('receipt', { id: query.toLowerCase() });
  expect(receipt).toMatchObject({ id: query, question, answer: pinning.answer });

  const compare = (other?: string) =>
    core.api.request('compare_receipt', { id: query, ...(other !== undefined && { other }) });
  expect(await compare()).toMatchObject({ isSame: true, changed: [], entries: [{ id: 'pin-1', change: 'same' }] });
  writeFileSync(join(world.vault, pinning.path), `${pinning.text}More.\n`);
  expect(await compare()).toMatchObject({ isSame: false, entries: [{ id: 'pin-1', change: 'edited' }] });
  expect(await compare(all.receipts[0]?.id)).toMatchObject({ isSame: false, changed: ['question'] });
  await expect(core.api.request('receipt', { id: 'none' })).rejects.toMatchObject({ code: 'receipt/unknown' });
  rmSync(join(world.vault, 'experts/rust.md'));
  expect(await compare()).toMatchObject({ isSame: false });
});

test('the answers that rest on an entry are found by its id, its path and a new title, also after it was given the id or was archived', async () => {
  const plain = pinning.text.replace('id: pin-1\n', '');
  const citations = [{ entry: pinning.path, passage: pinning.passage }];
  const given = { answer: pinning.answer, citations, confidence: 'high' };
  const world = await makeExpertWorld({ answers: [{ steps: [{ call: 'answer', with: given }] }] });
  writeFileSync(join(world.vault, pinning.path), plain);
  const { core } = await startCore(world);
  const { query } = await ask(core, question);
  await core.api.request('record_use', { entry: pinning.path });
  const found = async (entry: string) =>
    (await core.api.request('receipts', { entry })).receipts.map((receipt) => receipt.id);
  expect(await found(pinning.path)).toEqual([query]);

  await core.api.request('rename_entry', { entry: 'Pinning', title: 'When to pin' });
  const { row, uses } = await core.api.request('entry', { entry: 'When to pin' });
  const id = row.id ?? '';
  for (const name of [id, row.entry, 'When to pin', 'Pinning']) expect(await found(name), name).toEqual([query]);
  expect(uses).toMatchObject({ cited: 1, opened: 1, weight: 2 });
  await core.api.request('record_use', { entry: id });
  expect((await core.api.request('entry', { entry: id })).uses).toMatchObject({ cited: 1, opened: 2, weight: 3 });

  const places = async () => (await core.api.request('receipt', { id: query })).places;
  expect(await places()).toEqual([{ path: pinning.path, state: 'same', now: pinning.path }]);
  await core.api.request('archive_entry', { entry: id, reason: 'It is in the manual' });
  for (const name of [id, 'When to pin']) expect(await found(name), name).toEqual([query]);
  const archived = `archive/${pinning.path}`;
  expect(await places()).toEqual([{ path: pinning.path, state: 'archived', now: archived }]);
  rmSync(join(world.vault, archived));
  expect(await places()).toEqual([{ path: pinning.path, state: 'gone' }]);
});

test('a question without a receiver reaches the expert that a rule names', async () => {
  const world = await makeExpertWorld({ answers: [{ steps: quoting() }] });
  const rule = 'rules:\n  - id: futures\n    on: query\n    all: [pinned]\n    target: expert:rust\n';
  writeFileSync(join(world.vault, 'routing.yaml'), rule);
  const { core } = await startCore(world);
  const { answer, query } = await core.api.request('ask', { target: 'auto', question, 'wait-seconds': 60 });
  expect(answer).toMatchObject({ by: 'expert:rust', state: 'answered', isSupported: true });
  const { routes } = await core.api.request('routes', { message: query });
  expect(routes).toMatchObject([{ step: 'rules', rules: ['futures'], outcome: { kind: 'routed', to: 'expert:rust' } }]);
});
