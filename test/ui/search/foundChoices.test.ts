import { expect, test } from 'vitest';
import { toQualifiedId } from '../../../src/model/id.ts';
import type { SearchHit } from '../../../src/model/requests/search.ts';
import { explanationText, foundChoice, foundMessage } from '../../../src/ui/search/foundChoices.ts';

const hit: SearchHit = {
  ...{ in: 'memory', plan: toQualifiedId('shop/project-root'), id: 'slots', title: 'Refunds wait' },
  ...{ line: 'A refund waits for a slot.', score: 3.25, file: '/vault/memory.yaml', kind: 'observation', tags: [] },
  bytes: 40,
  parts: [
    { kind: 'word', name: 'refund', score: 3 },
    { kind: 'neighbour', name: 'memory shop/project-root tills', score: 0.25 },
  ],
};
const found = { hits: [hit], skipped: 0, entries: 12, isUpdating: false, diagnostics: [] };

test('a row says what was found, where, and which line fits', () => {
  expect(foundChoice(hit)).toEqual({
    label: '$(lightbulb) Refunds wait',
    description: 'shop/project-root, observation',
    detail: 'A refund waits for a slot.',
    value: hit,
  });
  expect(foundChoice({ ...hit, title: '', line: '' })).toMatchObject({ label: '$(lightbulb) slots', detail: '' });
});

test('texts of others neither turn a row around, nor draw pictures, nor begin new lines', () => {
  const hostile = 'a\u202eb\u0000\u001b[2J\n$(trash) c';
  const { label, detail } = foundChoice({ ...hit, title: hostile, line: `${hostile} ` });
  for (const text of [label.slice('$(lightbulb) '.length), detail]) expect(text).toBe('a b [2J \\$(trash) c');
  const page = explanationText(hostile, { ...hit, parts: [{ kind: 'word', name: hostile, score: 1 }] });
  expect(page).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
  expect(page.split('\n')).toHaveLength(7);
});

test('the parts of a score stand below each other, with their sum and without those that would read 0.00', () => {
  const parts = [...hit.parts, { kind: 'expansion', name: 'money', score: 0.004 } as const];
  expect(
    explanationText('refund', { ...hit, parts })
      .split('\n')
      .slice(3),
  ).toEqual(['', '    3.00 word refund', '    0.25 similar to memory shop/project-root tills', '    3.25 in all', '']);
});

test('a list says that nothing matches, or that files are being read', () => {
  expect(foundMessage(found)).toBe('');
  expect(foundMessage({ ...found, isUpdating: true })).toBe('Files that changed are being read…');
  expect(foundMessage({ ...found, hits: [] })).toBe('No match among 12 entries.');
  expect(foundMessage({ ...found, entries: 0, hits: [] })).toBe('There is nothing to search yet.');
});
