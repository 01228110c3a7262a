import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { AnswerReceipt } from '../../../src/model/receipt.ts';
import { receiptDocument } from '../../../src/ui/knowledge/receiptText.ts';

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

test('the page of an answer has the question, the answer, its sources, and what its session was given', () => {
  const { text } = receiptDocument(receipt, undefined);
  expect(text).toContain('# Answer of expert:rust\n\n> When?\n> # Not a heading\n');
  expect(text).toContain('> Which executor?');
  expect(text).toContain('The answer:\n\n> If it refers to itself.\ufffd\n> ## Sources\n');
  expect(text).toContain('- Pinning: “A future that refers to itself”');
  expect(text).toContain('- Its session was given 2.0 kB with 2 entries\n- Given 1 more time without a session');
});

test('each entry of the page leads to its file', () => {
  const { text, links } = receiptDocument(receipt, undefined);
  const lines = text.split('\n');
  expect(links.map(({ line, start, end, path: to }) => [lines[line]?.slice(start, end), to])).toEqual([
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
  const { text } = receiptDocument(receipt, { isSame: false, changed: ['persona'], entries });
  expect(text).toContain(`- Pinning (${path}): edited since\n`);
  expect(text).toContain(
    'Changed since: the persona, 1 entry that it was given. The same question is answered by a new session',
  );
  const same = receiptDocument(receipt, { isSame: true, changed: [], entries: [] });
  expect(same.text).toContain('the same question gets this answer again, without a session');
});

test('an answer whose sources could not be checked says so, and one that is not known as well', () => {
  expect(receiptDocument({ ...receipt, isSupported: false }, undefined).text).toContain(
    'None of its sources could be checked.',
  );
  expect(receiptDocument({ ...receipt, state: 'unknown' }, undefined).text).toMatch(/^# expert:rust does not know/);
});
