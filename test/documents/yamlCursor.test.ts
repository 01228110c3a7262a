import { describe, expect, test } from 'vitest';
import { yamlCursorAt } from '../../src/documents/yamlCursor.ts';

/** Describes the cursor at `¦`. */
function cursorIn(marked: string) {
  const lines = marked.split('\n');
  const line = lines.findIndex((one) => one.includes('¦'));
  const character = (lines[line] ?? '').indexOf('¦');
  const text = lines.map((one) => one.replace('¦', ''));
  const cursor = yamlCursorAt(text, line, character);
  if (cursor === undefined) return undefined;
  const { path, slot, start, end } = cursor;
  const word = (text[line] ?? '').slice(start, end);
  const where = slot.kind === 'key' ? `key, beside ${[...slot.present].join(' ')}` : `${slot.kind} of ${slot.key}`;
  return `${path.join('.')}: ${where}; ${word === '' ? 'no word' : word}`;
}

describe('yamlCursorAt', () => {
  test.each([
    ['finds a key at the root', 'tasks: []\nrec¦', ': key, beside tasks; rec'],
    ['finds a key at the root, above others', '¦\ntasks: []', ': key, beside tasks; no word'],
    ['finds a key in a record', 'tasks:\n- id: a\n  ti¦\n  status: done', 'tasks.*: key, beside id status; ti'],
    ['finds a key in an indented record', 'tasks:\n  - id: a\n    ¦', 'tasks.*: key, beside id; no word'],
    ['finds the first key of a record', 'tasks:\n- ¦\n  title: A', ': item of tasks; no word'],
    ['finds a value', 'tasks:\n- id: a\n  status: in¦', 'tasks.*: value of status; in'],
    ['finds a value right after its space', 'tasks:\n- status: ¦', 'tasks.*: value of status; no word'],
    ['finds a value in a flow list', 'tasks:\n- dependencies: [one, tw¦]', 'tasks.*: value of dependencies; tw'],
    ['finds an item in a block list', 'tasks:\n- id: a\n  dependencies:\n  - o¦', 'tasks.*: item of dependencies; o'],
    [
      'finds an item in an indented block list',
      'tasks:\n- id: a\n  dependencies:\n    - one\n    - t¦',
      'tasks.*: item of dependencies; t',
    ],
    ['finds a value in quotes', 'rules:\n- target: "shop/¦"', 'rules.*: value of target; shop/'],
    [
      'finds a key in the second record',
      'tasks:\n- id: a\n  title: A\n- id: b\n  ¦',
      'tasks.*: key, beside id; no word',
    ],
    ['finds a key below a nested mapping', 'a:\n  b: 1\nc: 2\n¦', ': key, beside c a; no word'],
    ['finds a key in a nested mapping', 'budget:\n  ses¦', 'budget: key, beside ; ses'],
  ])('%s', (_name, marked, expected) => {
    expect(cursorIn(marked)).toBe(expected);
  });

  test.each([
    ['in a comment', 'tasks: # no¦'],
    ['in a literal text', 'tasks:\n- body: |\n    sta¦'],
    ['in a literal text after an empty line', 'tasks:\n- body: |\n    one\n\n    sta¦'],
    ['in a folded text', 'body: >-\n  sta¦'],
    ['right after a colon', 'status:¦'],
    ['in a sentence', 'tasks:\n- id: a\n  some words¦'],
  ])('finds nothing %s', (_name, marked) => expect(cursorIn(marked)).toBeUndefined());
});
