import { expect, test } from 'vitest';
import { compareSituations } from '../../src/experts/compareReceipts.ts';
import { type ReceiptSituation, receiptKey } from '../../src/experts/receiptKey.ts';
import { toQualifiedId } from '../../src/model/id.ts';

const entry = (id: string, hash = id) => ({ id, title: id.toUpperCase(), path: `knowledge/${id}.md`, hash });
const base: ReceiptSituation = {
  ...{ expert: toQualifiedId('expert:rust'), question: 'Why?', dialogue: [{ asked: 'Which?', reply: 'This.' }] },
  ...{ entries: [entry('a'), entry('b')], persona: 'p', template: 't', model: 'm' },
};

const others: readonly (readonly [string, Partial<ReceiptSituation>, object])[] = [
  ['another question', { question: 'How?' }, { changed: ['question'] }],
  ['another reply', { dialogue: [{ asked: 'Which?', reply: 'That.' }] }, { changed: ['dialogue'] }],
  ['another persona', { persona: 'q' }, { changed: ['persona'] }],
  ['another template', { template: 'u' }, { changed: ['template'] }],
  ['another model', { model: 'n' }, { changed: ['model'] }],
  ['another expert', { expert: toQualifiedId('expert:ffi') }, { changed: ['expert'] }],
  [
    'an edited entry',
    { entries: [entry('a'), entry('b', 'c')] },
    { entries: [{ change: 'same' }, { change: 'edited' }] },
  ],
  ['a new entry', { entries: [...base.entries, entry('c')] }, { entries: [{}, {}, { id: 'c', change: 'added' }] }],
  ['one entry less', { entries: [entry('a')] }, { entries: [{ change: 'same' }, { id: 'b', change: 'removed' }] }],
  [
    'another order',
    { entries: [entry('b'), entry('a')] },
    { entries: [{ id: 'a', change: 'reordered' }, { change: 'reordered' }] },
  ],
  [
    'an entry that moved',
    { entries: [entry('a'), { ...entry('b'), path: 'knowledge/x/b.md' }] },
    { entries: [{}, { change: 'moved' }] },
  ],
];

test.each(others)('%s is another situation, and the comparison says so', (_name, change, expected) => {
  const other = { ...base, ...change };
  expect(receiptKey(other)).not.toBe(receiptKey(base));
  expect(compareSituations(base, other)).toMatchObject({ isSame: false, ...expected });
});

test('the same situation has the same key, whatever stands around its question', () => {
  expect(receiptKey({ ...base, question: ' Why?\n' })).toBe(receiptKey(base));
  expect(compareSituations(base, { ...base })).toMatchObject({ isSame: true, changed: [] });
});

test('no parts of a situation run into each other', () => {
  const one = { ...base, persona: 'pt', template: '' };
  expect(receiptKey(one)).not.toBe(receiptKey({ ...base, persona: 'p', template: 't' }));
});
