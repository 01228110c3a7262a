import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic, failure } from '../../../src/model/codes.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { AnswerReceipt } from '../../../src/model/receipt.ts';
import type { ReceiptComparison, ReceiptRow } from '../../../src/model/requests/receipts.ts';
import { createFakePorts } from '../fakePorts.ts';

const id = '01M0A9XQYJ6N8K3T5V7W9Y1Z2A' as Ulid;
const expert = toQualifiedId('expert:rust');
const row: ReceiptRow = {
  ...{ id, at: '2026-01-02T03:04:05Z', expert, from: 'person', question: 'When to pin?' },
  ...{ state: 'answered', isSupported: true, cites: ['pin-1'] },
};
const entry = { id: 'pin-1', title: 'Pinning', path: 'knowledge/pin.md' };
const receipt: AnswerReceipt = {
  ...{ id, at: row.at, expert, from: 'person', question: 'When to pin?', session: id, promptBytes: 2048, usd: 0.25 },
  ...{ dialogue: [{ asked: 'Which?', reply: 'This.' }], entries: [{ ...entry, hash: 'a'.repeat(64) }], key: 'k' },
  ...{ persona: 'p'.repeat(64), template: 't'.repeat(64), model: 'claude-code', reported: 'large' },
  ...{ state: 'answered', answer: 'At the first poll.', isSupported: true, confidence: 'high' },
  citations: [{ entry: 'pin-1', title: 'Pinning', path: entry.path, hash: 'a', passage: 'Pin it then.' }],
};

async function run(args: readonly string[], comparison?: Partial<ReceiptComparison>, receipts: ReceiptRow[] = [row]) {
  const asked: object[] = [];
  const ports = await createFakePorts({
    receipts: (params) => {
      asked.push(params);
      return { receipts, total: receipts.length, diagnostics: [] };
    },
    experts: () => ({
      experts: [],
      diagnostics: [diagnostic('expert/badDeclaration', expert, 'Bad declaration: tags.')],
    }),
    entry: ({ entry: name }) => {
      throw failure('entry/unknown', name, `No entry is called "${name}".`);
    },
    receipt: () => ({ receipt, places: [] }),
    compare_receipt: (params) => {
      asked.push(params);
      return { isSame: true, changed: [], entries: [], ...comparison };
    },
  });
  return { code: await runCommandLine(['receipts', ...args], ports), asked, ...ports.written };
}

test('ravel receipts lists answers with how much each cites', async () => {
  const { code, stdout, asked } = await run(['list', '--expert', 'rust', '--entry', 'Pinning']);
  expect([code, asked]).toEqual([0, [{ expert: 'rust', entry: 'Pinning' }]]);
  expect(stdout).toMatch(/^01M0A9XQYJ6N8K3T5V7W9Y1Z2A +expert:rust +answered +1 +When to pin\?$/m);
  expect((await run([], {}, [{ ...row, isSupported: false }])).stdout).toContain('unsupported');
});

test('ravel receipts tells an empty list from an unknown expert or entry', async () => {
  expect(await run([], {}, [])).toMatchObject({ code: 0, stdout: 'No expert has answered yet.\n' });
  const known = await run(['list', '--expert', 'rust'], {}, []);
  expect(known).toMatchObject({ code: 0, stdout: 'No answer of an expert fits.\n' });
  expect(await run(['list', '--expert', 'nope'], {}, [])).toMatchObject({
    ...{ code: 3, stderr: expect.stringContaining('There is no expert "expert:nope" in this vault.') },
  });
  expect(await run(['list', '--entry', 'nope'], {}, [])).toMatchObject({
    ...{ code: 3, stderr: expect.stringContaining('No entry is called "nope".') },
  });
});

test('ravel receipts takes the beginning or the end of an id, and refuses one that several have', async () => {
  for (const part of ['01M0A9XQ', 'y1z2a']) expect((await run(['show', part])).code, part).toBe(0);
  expect((await run(['compare', '1Z2A'])).asked.at(-1)).toEqual({ id });
  const other = { ...row, id: '01M0A9XQYJ6N8K3T5V7W9Y1Z2B' as Ulid };
  const { code, stderr } = await run(['show', '01M0A9XQ'], {}, [row, other]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('2 receipts have an id like "01M0A9XQ"')]);
});

test('ravel receipts show has the question, what was given, and the answer with its quotations', async () => {
  const { code, stdout } = await run(['show', id]);
  expect(code).toBe(0);
  const about = ['Pinning (knowledge/pin.md)', 'claude-code (large), $0.25', 'answer, confidence high\n'];
  for (const text of ['When to pin?', 'Which?', 'This.', ...about]) expect(stdout).toContain(text);
  expect(stdout).toContain('“Pin it then.”');
});

test('ravel receipts compare says what has changed, and exits with 5 for a difference', async () => {
  const same = await run(['compare', id]);
  expect([same.code, same.asked]).toEqual([0, [{ id }]]);
  expect(same.stdout).toContain('Nothing has changed');
  const difference: Partial<ReceiptComparison> = {
    ...{ isSame: false, changed: ['persona'], entries: [{ ...entry, change: 'edited' }] },
  };
  const now = await run(['compare', id], difference);
  expect(now.stdout).toContain('≠ Something has changed: the next such question runs a session.\n');
  const other = await run(['compare', id, 'X'], difference);
  expect([other.code, other.asked]).toEqual([5, [{ id, other: 'X' }]]);
  expect(other.stdout).toContain('≠ The two answers were made of different things.\n');
  expect(other.stdout).toContain('changed    the persona');
  expect(other.stdout).toContain('edited     Pinning (knowledge/pin.md)');
});
