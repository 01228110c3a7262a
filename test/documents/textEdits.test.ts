import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editBetween, editsOfYaml } from '../../src/documents/textEdits.ts';
import type { TextEdit } from '../../src/model/document.ts';
import { applyTextEdits } from '../support/textEdits.ts';

describe('editBetween', () => {
  test('returns no edit for equal texts', () => expect(editBetween('a', 'a')).toEqual([]));

  test('replaces only what differs', () => {
    const expected: TextEdit = {
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } },
      text: 'xy',
    };
    expect(editBetween('one\ntwo\n', 'one\ntwxy\n')).toEqual([expected]);
  });

  test.each([
    ['a line end', 'a\r\nb', 'a\n\nb'],
    ['a character', '😀', '😁'],
  ])('never splits %s', (_name, before, after) => {
    const [edit] = editBetween(before, after);
    expect(edit?.range.start).toEqual({ line: 0, character: before.startsWith('a') ? 1 : 0 });
    expect(applyTextEdits(before, edit === undefined ? [] : [edit])).toBe(after);
  });

  test('leads from any text to any other', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', '😀', ' ') });
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyTextEdits(before, editBetween(before, after))).toBe(after);
      }),
    );
  });
});

test('editsOfYaml gives positions in the whole text, after the frontmatter offset', () => {
  const edits = editsOfYaml({ text: 'a: 1\n', lines: 1 }, [{ op: 'set', path: ['a'], value: 2 }], {
    file: 'plan-state.md',
    subject: 'demo/project-root',
  });
  expect(edits).toEqual([{ range: { start: { line: 1, character: 3 }, end: { line: 1, character: 4 } }, text: '2' }]);
});

test('editsOfYaml returns nothing for YAML that cannot be edited in place', () => {
  const place = { file: 'backlog.yaml', subject: 'demo/project-root' };
  expect(editsOfYaml({ text: 'a: !x 1\n', lines: 0 }, [{ op: 'set', path: ['a'], value: 2 }], place)).toBeUndefined();
});
