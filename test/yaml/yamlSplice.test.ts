import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import { applyEdits, type Edit, type JsonPath } from '../../src/model/edit.ts';
import { isJsonArray, isJsonObject, type Json } from '../../src/model/json.ts';
import { editYaml, parseYaml, type YamlEdit } from '../../src/yaml/yaml.ts';
import { choices, chooseEdit, documents } from '../support/yamlDocuments.ts';

const place = { file: 'backlog.yaml', subject: 'Demo/project-root' };

function read(text: string): Json {
  const { value, diagnostics } = parseYaml(text, place);
  expect(diagnostics).toEqual([]);
  return value as Json;
}

const tokens = [
  'a',
  ':',
  ' ',
  '\n',
  '- ',
  '|',
  '>',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  '#',
  '&a',
  '*a',
  '!',
  '%',
  '\t',
  '\r',
];
const tokenSoup = fc.array(fc.constantFrom(...tokens, '---', '...', '?', ',')).map((parts) => parts.join(''));

test('parseYaml never throws, and returns a value exactly if it reports no error', () =>
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), tokenSoup), (text) => {
      const { value, diagnostics } = parseYaml(text, place);
      expect(value === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
    }),
    { numRuns: 1000 },
  ));

describe('editYaml', () => {
  function check(text: string, edit: YamlEdit, expected: string): void {
    expect(editYaml(text, [edit], place)).toBe(expected);
  }
  const set = (path: (string | number)[], value: Json): YamlEdit => ({ op: 'set', path, value });
  const insert = (path: (string | number)[], index: number, value: Json): YamlEdit => ({
    op: 'insert',
    path,
    index,
    value,
  });
  const remove = (...path: (string | number)[]): YamlEdit => ({ op: 'delete', path });
  const move = (path: (string | number)[], from: number, to: number): YamlEdit => ({ op: 'move', path, from, to });

  test.each<[string, string, YamlEdit, string]>([
    ['keeps a plain text plain', 'a:   x  # c\n', set(['a'], 'w'), 'a:   w  # c\n'],
    ['keeps single quotes', "a: 'x'\n", set(['a'], "it's"), "a: 'it''s'\n"],
    ['keeps double quotes', 'a: "x"\n', set(['a'], 'w'), 'a: "w"\n'],
    ['quotes what would be a number', 'a: x\n', set(['a'], '010'), "a: '010'\n"],
    ['keeps a literal block and its column', 'a: | # c\n    x\nb: 1\n', set(['a'], 'w\n'), 'a: | # c\n    w\nb: 1\n'],
    ['chomps a literal block', 'a: |\n  x\n', set(['a'], 'w\nz'), 'a: |-\n  w\n  z\n'],
    ['keeps a folded block of one line', 'a: >\n  x\n  z\n', set(['a'], 'w\n'), 'a: >\n  w\n'],
    ['turns a folded block of more lines literal', 'a: >\n  x\n', set(['a'], 'w\nz\n'), 'a: |\n  w\n  z\n'],
    ['makes a literal block, comment kept', "a: 'x' # c\nb: 1\n", set(['a'], 'w\nz\n'), 'a: | # c\n  w\n  z\nb: 1\n'],
    ['turns a block into a number', 'a: |\n  x\nb: 1\n', set(['a'], 3), 'a: 3\nb: 1\n'],
    ['fills an empty value', 'a: # c\nb:\n', set(['b'], 'x'), 'a: # c\nb: x\n'],
    ['replaces a mapping', 'a:\n  b: 1\n  c: 2\nd: 3\n', set(['a'], 'x'), 'a: x\nd: 3\n'],
    [
      'changes a mapping key by key',
      'a:\n  b: 1 # c\n  d: 2\n',
      set(['a'], { b: 1, d: 3, e: 4 }),
      'a:\n  b: 1 # c\n  d: 3\n  e: 4\n',
    ],
    [
      'changes a list item by item',
      'a:\n# one\n- x\n# two\n- w\n- z\n',
      set(['a'], ['x', 'z']),
      'a:\n# one\n- x\n- z\n',
    ],
    ['appends to a list', 'a:\n- x # c\n', set(['a'], ['x', 'w']), 'a:\n- x # c\n- w\n'],
    [
      'adds a key after the last one and its comments',
      'a: 1\n# of a\n\n# of the file\n',
      set(['b'], 2),
      'a: 1\n# of a\nb: 2\n\n# of the file\n',
    ],
    [
      'adds a key to a record',
      'a:\n- x: 1\n# next\n- x: 2\n',
      set(['a', 0, 'w'], 2),
      'a:\n- x: 1\n  w: 2\n# next\n- x: 2\n',
    ],
    ['creates missing parents', '# c\n', set(['a', 'b', 'c'], 1), '# c\na:\n  b:\n    c: 1\n'],
    ['turns an empty mapping into a block', 'a: {} # c\n', set(['a', 'b'], 1), 'a: # c\n  b: 1\n'],
    ['adds a key in brackets', 'a: {b: 1} # c\n', set(['a', 'c'], 'x'), 'a: {b: 1, c: x} # c\n'],
    ['replaces inside brackets', 'a: [ "x",  w ]\n', set(['a', 1], 'p, q\n'), 'a: [ "x",  "p, q\\n" ]\n'],
    ['starts a list from []', 'tasks: []\n', insert(['tasks'], 0, { id: 'a', m: 1 }), 'tasks:\n- id: a\n  m: 1\n'],
    ['starts a list from nothing', 'a: 1\n', insert(['tasks'], 0, 'x'), 'a: 1\ntasks:\n- x\n'],
    ['starts a list from ~', 'tasks: ~\n', insert(['tasks'], 0, 'x'), 'tasks:\n- x\n'],
    ['indents a new list like the others', 'a:\n  - 1\nb: []\n', insert(['b'], 0, 'x'), 'a:\n  - 1\nb:\n  - x\n'],
    [
      'inserts first, above the comments of the next item',
      'a:\n  # x\n  - x\n',
      insert(['a'], 0, 'm'),
      'a:\n  - m\n  # x\n  - x\n',
    ],
    [
      'inserts between items, after the comments of the previous one',
      'a:\n- x\n  # of x\n\n# of w\n- w\n',
      insert(['a'], 1, 'm'),
      'a:\n- x\n  # of x\n- m\n\n# of w\n- w\n',
    ],
    ['inserts last', 'a:\n- x\nb: 1\n', insert(['a'], 1, 'm'), 'a:\n- x\n- m\nb: 1\n'],
    ['inserts into a nested list', '- - x\n  - w\n', insert([0], 0, 'm'), '- - m\n  - x\n  - w\n'],
    ['inserts in brackets', 'a: [x, w]\n', insert(['a'], 1, 'm'), 'a: [x, m, w]\n'],
    [
      'deletes an item with its comments',
      'a:\n# of x\n- x\n# of w\n- w # c\n  # more\n# of z\n- z\n',
      remove('a', 1),
      'a:\n# of x\n- x\n# of z\n- z\n',
    ],
    ['deletes the last item', 'a: # c\n- x: 1\n  w: 2\n# foot\n', remove('a', 0), 'a: [] # c\n# foot\n'],
    ['deletes the first key of a record', 'a:\n- x: 1\n  w: 2\n', remove('a', 0, 'x'), 'a:\n- w: 2\n'],
    ['deletes the only key of a record', 'a:\n- x: 1\n- z\n', remove('a', 0, 'x'), 'a:\n- {}\n- z\n'],
    ['keeps the comment of the file', '# the file\na: 1\nb: 2\n', remove('a'), '# the file\nb: 2\n'],
    ['deletes the only key of a file', '# the file\na: 1\n', remove('a'), '# the file\n{}\n'],
    ['ignores the deletion of a missing key', 'a: 1\n', remove('b', 'c'), 'a: 1\n'],
    ['deletes in brackets', 'a: [x, w]\n', remove('a', 0), 'a: [w]\n'],
    ['moves down with its comments', 'a:\n# of x\n- x\n- w\n- z\n', move(['a'], 0, 1), 'a:\n- w\n# of x\n- x\n- z\n'],
    ['moves up', 'a:\n- x\n- w\n# of z\n- z\n', move(['a'], 2, 0), 'a:\n# of z\n- z\n- x\n- w\n'],
    ['moves an item of a nested list', '- - x\n  - w\n', move([0], 1, 0), '- - w\n  - x\n'],
    ['keeps CRLF', 'a:\r\n- x\r\n', insert(['a'], 1, 'p\nq\n'), 'a:\r\n- x\r\n- |\r\n  p\r\n  q\r\n'],
    ['keeps the byte order mark', '\ufeffa: 1\n', set(['a'], 2), '\ufeffa: 2\n'],
    ['keeps a missing final line end', 'a:\n- x', insert(['a'], 1, 'w'), 'a:\n- x\n- w'],
    ['ends a block at the end of the file with a line end', 'a: x', set(['a'], 'w\nz\n'), 'a: |\n  w\n  z\n'],
    ['leaves a final block without line end as it was', 'a: 1\nb: |\n  x', set(['a'], 2), 'a: 2\nb: |\n  x'],
    [
      'uses quotes if an indented comment follows',
      'a: x\n    # c\nb: 1\n',
      set(['a'], 'w\nz\n'),
      'a: "w\\nz\\n"\n    # c\nb: 1\n',
    ],
    ['keeps document marks', '---\na: 1\n...\n', set(['a'], 2), '---\na: 2\n...\n'],
    ['writes an empty file', '', set(['a'], 1), 'a: 1\n'],
    ['replaces an empty list as a whole', '[]\n', insert([], 0, 'x'), '- x\n'],
  ])('%s', (_, text, edit, expected) => check(text, edit, expected));
});

describe('editing random documents', () => {
  test('yields the intended value and keeps every line outside the edit', () =>
    fc.assert(
      fc.property(documents, fc.array(choices, { minLength: 1, maxLength: 3 }), (text, chosen) => {
        let value = read(text);
        let current = text;
        for (const choice of chosen) {
          const edit = chooseEdit(value, choice);
          const next = editOrSkip(current, [edit]);
          const expected = applyEdits(value, [edit]);
          expect(read(next)).toEqual(expected);
          expectKept(current, next, untouchedMarks(value, edit));
          value = expected;
          current = next;
        }
      }),
      { numRuns: 400 },
    ));

  test('can apply several edits together', () =>
    fc.assert(
      fc.property(documents, fc.array(choices, { minLength: 2, maxLength: 4 }), (text, chosen) => {
        let value = read(text);
        const list = chosen.map((choice) => {
          const edit = chooseEdit(value, choice);
          value = applyEdits(value, [edit]);
          return edit;
        });
        expect(read(editOrSkip(text, list))).toEqual(value);
      }),
      { numRuns: 200 },
    ));

  test('without a change keeps every byte', () =>
    fc.assert(
      fc.property(documents, (text) => {
        expect(editYaml(text, [{ op: 'set', path: [], value: read(text) }], place)).toBe(text);
      }),
    ));
});

/** Skips the one form that is refused on purpose: an item with comments above it cannot come right after a dash. */
function editOrSkip(text: string, list: readonly YamlEdit[]): string {
  try {
    return editYaml(text, list, place);
  } catch (error) {
    fc.pre(
      !(isRavelError(error, 'yaml/editRefused') && error.message.endsWith('An item with a comment cannot come first.')),
    );
    throw error;
  }
}

/** Checks that the byte order mark, the line ends and each line with one of `marks` are kept. */
function expectKept(before: string, after: string, marks: ReadonlySet<string>): void {
  expect(after.startsWith('\ufeff')).toBe(before.startsWith('\ufeff'));
  if (before.includes('\r\n')) expect(after).not.toMatch(/(?<!\r)\n/);
  else if (before.includes('\n')) expect(after).not.toContain('\r\n');
  const lines = after.split(/\r?\n/).map((line) => line.trim());
  for (const line of before.split(/\r?\n/)) {
    const mark = /mark-\d+/.exec(line)?.[0];
    if (mark === undefined || !marks.has(mark)) continue;
    // A collection in brackets is rewritten as a whole; a first key or item can move up to the dash of its parent.
    if (/[[{]/.test(line)) expect(after).toContain(mark);
    else expect(lines.some((other) => other.endsWith(line.trim().replace(/^(?:- +)+/, '')))).toBe(true);
  }
}

/** The marks in texts that the edit does not reach. */
function untouchedMarks(value: Json, edit: Edit): Set<string> {
  const found = new Set<string>();
  const reached = new Set<string>();
  visit(value, []);
  return new Set([...found].filter((mark) => !reached.has(mark)));

  function visit(at: Json, path: JsonPath): void {
    const isReached = edit.op !== 'insert' && edit.op !== 'move' && isWithin(path, edit.path);
    if (isJsonArray(at))
      at.forEach((item, index) => {
        visit(item, [...path, index]);
      });
    else if (isJsonObject(at)) for (const [key, item] of Object.entries(at)) visit(item, [...path, key]);
    else if (typeof at === 'string')
      for (const [mark] of at.matchAll(/mark-\d+/g)) (isReached ? reached : found).add(mark);
  }
}

function isWithin(path: JsonPath, outer: JsonPath): boolean {
  return outer.every((step, index) => path[index] === step);
}
