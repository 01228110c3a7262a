import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { AnswerReceipt } from '../../../src/model/receipt.ts';
import type { EntryDifference } from '../../../src/model/requests/receipts.ts';
import { freshnessWords, receiptDocument } from '../../../src/ui/knowledge/receiptText.ts';

const id = '01JD0000000000000000000001' as Ulid;
const path = 'knowledge/languages/rust/pinning.md';
const receipt: AnswerReceipt = {
  ...{
    id,
    at: '2026-01-02T03:04:05Z',
    expert: toQualifiedId('expert:rust'),
    from: 'person',
    question: 'When?\n# Not a heading',
  },
  ...{ dialogue: [{ asked: 'Which executor?', reply: 'Ours.' }], key: 'k', persona: 'p', template: 't', model: 'opus' },
  ...{
    session: id,
    promptBytes: 2048,
    usd: 0.5,
    state: 'answered',
    answer: 'If it refers to itself.\u0007\n## Sources',
    isSupported: true,
  },
  entries: [
    { id: 'x', title: 'Pinning', path, hash: 'h' },
    { id: 'y', title: 'Moves', path: 'knowledge/languages/rust/moves.md', hash: 'h' },
  ],
  citations: [{ entry: 'x', title: 'Pinning', path, hash: 'h', passage: 'A future that refers to itself' }],
  reusedBy: [{ id, from: 'person' }],
};

const unchanged = { places: [] };

test('the page of an answer has the question, the answer, its sources, and what its session was given', () => {
  const { text } = receiptDocument(receipt, unchanged);
  expect(text).toContain('# Answer of expert:rust\n\n> When?\n> # Not a heading\n');
  expect(text).toContain('> Which executor?');
  expect(text).toContain('The answer:\n\n> If it refers to itself.\ufffd\n> ## Sources\n');
  expect(text).toContain('- Pinning: “A future that refers to itself”');
  expect(text).toContain('- Its session was given 2.0 kB with 2 entries\n- Given 1 more time without a session');
});

test('each entry of the page leads to its file', () => {
  const { text, links } = receiptDocument(receipt, unchanged);
  const lines = text.split('\n');
  expect(
    links.map(({ line, start, end, to }) => [lines[line]?.slice(start, end), 'file' in to ? to.file : '']),
  ).toEqual([
    ['Pinning', path],
    ['Pinning', path],
    ['Moves', 'knowledge/languages/rust/moves.md'],
  ]);
});

test('what changed since stands at its entry and in a sentence', () => {
  const entries = [
    { id: 'x', title: 'Pinning', path, change: 'edited' },
    { id: 'y', title: 'Moves', path: 'knowledge/languages/rust/moves.md', change: 'same' },
  ] as const;
  const { text } = receiptDocument(receipt, { places: [], change: { isSame: false, changed: ['persona'], entries } });
  expect(text).toContain(`- Pinning (${path}): edited since\n`);
  expect(text).toContain(
    'Changed since: the persona, 1 entry that it was given. The same question is answered by a new session',
  );
  const same = receiptDocument(receipt, { places: [], change: { isSame: true, changed: [], entries: [] } });
  expect(same.text).toContain('the same question gets this answer again, without a session');
});

test('an answer whose sources could not be checked says so, and one that is not known as well', () => {
  expect(receiptDocument({ ...receipt, isSupported: false }, unchanged).text).toContain(
    'None of its sources could be checked.',
  );
  expect(receiptDocument({ ...receipt, state: 'unknown' }, unchanged).text).toMatch(/^# expert:rust does not know/);
});

test('an entry that is in the archive is opened there, one that moved where it is, and one that is gone says so', () => {
  const moves = 'knowledge/languages/rust/moves.md';
  const check = (...places: Parameters<typeof receiptDocument>[1]['places']) => {
    const { text, links } = receiptDocument(receipt, { places });
    const lines = text.split('\n').filter((line) => line.startsWith('- Pinning') || line.startsWith('- Moves'));
    return [lines, links.map(({ to }) => ('file' in to ? to.file : ''))];
  };
  expect(check({ path, state: 'gone' }, { path: moves, state: 'moved', now: 'knowledge/new/moves.md' })).toEqual([
    [
      '- Pinning (deleted since, so nothing can be opened): “A future that refers to itself”',
      `- Pinning (${path}): deleted since, so nothing can be opened`,
      `- Moves (${moves})`,
    ],
    ['knowledge/new/moves.md'],
  ]);
  expect(check({ path, state: 'archived', now: `archive/${path}` })).toEqual([
    [
      '- Pinning (in the archive since): “A future that refers to itself”',
      `- Pinning (${path}): in the archive since`,
      `- Moves (${moves})`,
    ],
    [`archive/${path}`, `archive/${path}`, moves],
  ]);
});

test.each([
  ['up to date', [], [], true],
  ['out of date because the persona changed', ['persona'], [], false],
  ['out of date because “A” was edited, “B” is gone or fits no more', [], ['edited', 'removed', 'reordered'], false],
  ['out of date because its entries rank in another order', [], ['reordered', 'same'], false],
  [
    'out of date because the model changed, “A” was edited, “B” was moved, and 1 more',
    ['model'],
    ['edited', 'moved', 'added'],
    false,
  ],
] as const)('an answer is %s', (words, changed, changes, isSame) => {
  const entries = changes.map((change, at): EntryDifference => ({ id: `${at}`, title: 'ABC'[at] ?? '', path, change }));
  expect(freshnessWords({ isSame, changed, entries })).toBe(words);
});
