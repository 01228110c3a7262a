import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TextEdit } from '../../../src/model/document.ts';
import { editBetween, editsOfYaml } from '../../../src/vault/documents/textEdits.ts';
import { applyTextEdits } from '../../support/textEdits.ts';

describe('the edit between two texts', () => {
  test('is none where they are the same', () => expect(editBetween('a', 'a')).toEqual([]));

  test('touches only what differs', () => {
    const expected: TextEdit = {
      range: { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } },
      text: 'xy',
    };
    expect(editBetween('one\ntwo\n', 'one\ntwxy\n')).toEqual([expected]);
  });

  test.each([
    ['a line end', 'a\r\nb', 'a\n\nb'],
    ['a character', '😀', '😁'],
  ])('never cuts %s in two', (_name, before, after) => {
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

test('edits of frontmatter are told in lines of the whole text', () => {
  const edits = editsOfYaml({ text: 'a: 1\n', lines: 1 }, [{ op: 'set', path: ['a'], value: 2 }], {
    file: 'plan-state.md',
    subject: 'demo/project-root',
  });
  expect(edits).toEqual([{ range: { start: { line: 1, character: 3 }, end: { line: 1, character: 4 } }, text: '2' }]);
});

test('a form that cannot be edited in place has no edits', () => {
  const place = { file: 'backlog.yaml', subject: 'demo/project-root' };
  expect(editsOfYaml({ text: 'a: !x 1\n', lines: 0 }, [{ op: 'set', path: ['a'], value: 2 }], place)).toBeUndefined();
});
