import { expect, test } from 'vitest';
import type { Repair } from '../../../src/model/document.ts';
import { editsOfAll } from '../../../src/ui/editors/repairs.ts';

const repair = (line: number, isPreferred = true): Repair => {
  const range = { start: { line, character: 0 }, end: { line, character: 4 } };
  return { title: 'Mend', isPreferred, code: 'yaml/schema', range, edits: [{ range, text: `line ${line}` }] };
};

test('editsOfAll applies each preferred repair once', () => {
  expect(editsOfAll([repair(1), repair(2, false), repair(1), repair(3)]).map(({ text }) => text)).toEqual([
    'line 1',
    'line 3',
  ]);
});
