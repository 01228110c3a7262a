import { expect, test } from 'vitest';
import type { DocumentRecord } from '../../../src/model/document.ts';
import { outlineRows, type RecordOutlineRow } from '../../../src/ui/editors/outline.ts';

const record = (list: string, line: number, more: Partial<DocumentRecord>): DocumentRecord => {
  const range = { start: { line, character: 0 }, end: { line: line + 1, character: 5 } };
  return { kind: 'task', list, title: '', range, idRange: range, ...more };
};

function shown(rows: readonly RecordOutlineRow[], indent = ''): string[] {
  return rows.flatMap(({ name, detail, children }) => [
    `${indent}${name} – ${detail}`,
    ...shown(children, `${indent}  `),
  ]);
}

test('a document with one list is outlined by its records', () => {
  const records = [record('entries', 0, { id: 'a', title: 'About a' }), record('entries', 2, { title: 'Nameless' })];
  expect(shown(outlineRows(records))).toEqual(['a – About a', 'Nameless – ']);
});

test('a document with several lists is outlined by list, with the records below', () => {
  const records = [
    record('tasks', 0, { id: 'a', title: 'Do it', state: 'done' }),
    record('tasks', 2, { id: 'b' }),
    record('received', 4, { id: 'm', title: 'Please' }),
  ];
  const rows = outlineRows(records);
  expect(shown(rows)).toEqual(['tasks – 2', '  a – done · Do it', '  b – ', 'received – 1', '  m – Please']);
  expect(rows[0]?.record.range).toEqual({ start: { line: 0, character: 0 }, end: { line: 3, character: 5 } });
});

test('control characters are removed from names, and an empty name gets a placeholder', () => {
  const [first, second] = outlineRows([record('x', 0, { id: 'a\u202eb' }), record('x', 2, { id: '\u0007' })]);
  expect(first?.name).not.toContain('\u202e');
  expect(second?.name).toBe('(no name)');
});
