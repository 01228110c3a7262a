import { deepStrictEqual } from 'node:assert';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '../../src/model/json.ts';
import { hasDuplicateIds, parsePlainYaml } from '../../src/yaml/plainYaml.ts';
import { parseSource } from '../../src/yaml/yamlDocument.ts';
import { documents, texts, values } from '../support/yamlDocuments.ts';

const place = { file: 'backlog.yaml', subject: 'Demo/project-root' };

describe('parsePlainYaml reads what state files contain, as the full parser does:', () => {
  function check(text: string, expected: unknown): void {
    expect(parsePlainYaml(text)).toStrictEqual({ value: expected });
    agree(text);
  }

  test.each<[string, unknown]>([
    ['', null],
    ['# nothing\n\n', null],
    ['a: 1', { a: 1 }],
    ['\ufeffa: b\r\nc: |\r\n  d\r\n', { a: 'b', c: 'd\n' }],
    ['tasks: []\nextra: {}\n', { tasks: [], extra: {} }],
    [
      'tasks:\n- id: a\n  dependencies:\n  - b\n  - c\n- id: b\n',
      { tasks: [{ id: 'a', dependencies: ['b', 'c'] }, { id: 'b' }] },
    ],
    ['tasks:\n  -   id: a\n      n: -1.5e3\nz: ~\n', { tasks: [{ id: 'a', n: -1500 }], z: null }],
    ['a: |\n  one\n\n   two\n\n\nb: |-\n  x\nc: |+\n  y\n\n', { a: 'one\n\n two\n', b: 'x', c: 'y\n\n' }],
    ['at: 2026-01-02T03:04:05Z\nday: 2026-01-02\n', { at: '2026-01-02T03:04:05Z', day: '2026-01-02' }],
    ['a: "x\\n\\"y\\"" # why\nb: \'it\'\'s\'\n', { a: 'x\n"y"', b: "it's" }],
    ['a: -0\nb: 010\nc: +.5\nd: 1.\n', { a: -0, b: 10, c: 0.5, d: 1 }],
    ['tags: [a, b-c , 12, true]\n', { tags: ['a', 'b-c', 12, true] }],
    ["related: [\"[[A, b]]\", 'it''s' , c] # why\nnone: [ ]\n", { related: ['[[A, b]]', "it's", 'c'], none: [] }],
    ['a: ["x\\n\\"]", "#"]\n', { a: ['x\n"]', '#'] }],
    ['a: http://x.y/z?q=1#f\nb: x #y\n', { a: 'http://x.y/z?q=1#f', b: 'x' }],
    ['a:\nb:   # why\nconstructor: c\n', { a: null, b: null, constructor: 'c' }],
    ['a: |\n  x\n# said\nb: 1\n', { a: 'x\n', b: 1 }],
  ])('%j', check);
});

describe('parsePlainYaml leaves the unusual to the full parser:', () => {
  test.each([
    'a: &x 1\n',
    'a: *x\n',
    'a: !!str 1\n',
    '? a\n: b\n',
    '%YAML 1.2\n---\na: 1\n',
    '---\na: 1\n',
    'a: 1\n...\n',
    'a: 1\n---\nb: 2\n',
    'a: 1\na: 2\n',
    '__proto__: 1\n',
    'null: 1\n',
    '"a": 1\n',
    'a: .nan\n',
    'a: -.inf\n',
    'a: 0x1f\n',
    'a: 0o17\n',
    'a:\tb\n',
    'a: b\t# c\n',
    '\ta: b\n',
    ' a: b\n',
    'a: b\n  c\n',
    'a: "b\n  c"\n',
    'a: "b" c\n',
    'a: "\\x41"\n',
    "a: 'b'c\n",
    'a: b: c\n',
    'a: b:\n',
    'a: >\n  b\n',
    'a: |2\n  b\n',
    'a: | # c\n  b\n',
    'a: |\n  b\n c\n',
    'a: |\n   \n  b\n',
    'a: |\n  \tb\n',
    'a: |\n\n  \tx\n',
    'a: |\nb: 1\n',
    'a: [b, [c]]\n',
    'a: [b,]\n',
    'a: [b\n',
    'a: ["b": c]\n',
    'a: ["b" #c]\n',
    'a: ["b"\n, c]\n',
    "a: ['b'c]\n",
    'a: ["\\x41"]\n',
    'a: {b: c}\n',
    'a: - b\n',
    'a: @b\n',
    'a: `b`\n',
    'a: ? b\n',
    '- - a\n',
    '-\n  a: 1\n',
    '- a\nb: 1\n',
    'a:\n    b: 1\n  c: 2\n',
    'a: 1\n- b\n',
    'plain\n',
    'a: b\rc: d\n',
    '\ufeff\ufeffa: 1\n',
    `${Array.from({ length: 70 }, (_, n) => `${' '.repeat(n)}a:\n`).join('')}`,
    `${'k'.repeat(2000)}: 1\n`,
    `a: ${'x'.repeat(17 * 1024 * 1024)}\n`,
  ])('%j', (text) => {
    expect(parsePlainYaml(text)).toBeUndefined();
  });
});

/** Checks that whatever the fast parser accepts, the full one reads as the same value without a complaint. */
function agree(text: string): boolean {
  const plain = parsePlainYaml(text);
  if (plain === undefined) return false;
  const full = parseSource(text, place);
  deepStrictEqual(full.diagnostics, []);
  deepStrictEqual(full.document.warnings, []);
  deepStrictEqual(full.hasTags, false);
  // Strict: -0 is not 0, and both are plain objects with own keys alone.
  deepStrictEqual(plain.value, full.value);
  return true;
}

describe('parsePlainYaml agrees with the full parser on random texts', () => {
  /** RAVEL_FUZZ_BYTES sets a larger amount; each failure prints its seed. */
  const bytes = Number(process.env['RAVEL_FUZZ_BYTES'] ?? 3_000_000);

  /** Returns the share of accepted texts. */
  function fuzz(arbitrary: fc.Arbitrary<string>, share: number): number {
    let [seen, accepted, tried] = [0, 0, 0];
    const property: fc.IRawProperty<[string], false> = fc.property(arbitrary, (text) => {
      seen += text.length + 1;
      tried += 1;
      if (agree(text)) accepted += 1;
    });
    while (seen < bytes * share) {
      const run = fc.check(property, { numRuns: 500 });
      if (run.failed) throw new Error(fc.defaultReportMessage(run) ?? 'a property failed');
    }
    return accepted / tried;
  }

  const styles = fc.record({
    lineWidth: fc.constantFrom(0, 0, 20, 80),
    defaultKeyType: fc.constantFrom('PLAIN', 'PLAIN', 'PLAIN', null),
    indent: fc.constantFrom(1, 2, 4),
    indentSeq: fc.boolean(),
    defaultStringType: fc.constantFrom(
      'PLAIN',
      'PLAIN',
      'QUOTE_SINGLE',
      'QUOTE_DOUBLE',
      'BLOCK_LITERAL',
      'BLOCK_FOLDED',
    ),
    collectionStyle: fc.constantFrom('any', 'any', 'any', 'any', 'block', 'flow'),
  } as const);
  const written = fc
    .tuple(fc.oneof(records(), records(), records(), values), styles)
    .map(([value, style]) => stringify(value, style));

  test('written by the library', () => {
    expect(fuzz(written, 0.25)).toBeGreaterThan(0.15);
  });

  test('written by people', () => {
    expect(fuzz(documents, 0.15)).toBeGreaterThan(0.05);
  });

  test('with changed bytes and lines', () => {
    expect(fuzz(mutated(fc.oneof(written, documents)), 0.45)).toBeGreaterThan(0.05);
  });

  test('made of YAML tokens', () => {
    expect(fuzz(soup(), 0.15)).toBeGreaterThan(0.01);
  });
});

const words = fc.oneof(
  texts,
  fc.constantFrom('-0', '.nan', '.inf', '0o7', '0x1F', '1_000', '12e', '1.e5', '+1', '1.', 'nUll', 'Null', 'TRUE'),
  fc.constantFrom(
    '2026-01-02T03:04:05Z',
    '__proto__',
    'a\tb',
    'a\u00a0',
    '\u2028',
    '\u0085',
    '\ufeffx',
    '\0',
    '😀',
    '\ud800',
  ),
  fc.double().map(String),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

const tame = fc.oneof(
  fc.constantFrom(
    'a',
    'some words',
    '2026-01-02T03:04:05Z',
    'x/y.ts',
    '1.5 times',
    "it's",
    'a, b',
    '12',
    'true',
    '~',
    '',
  ),
  fc
    .array(fc.constantFrom('line', '', '  deeper', '# no comment', '- item', 'key: value', '\ttab'), { maxLength: 6 })
    .map((lines) => `first\n${lines.join('\n')}`),
);

/** Records as state files hold them; each document is either tame throughout or wild anywhere. */
function records(): fc.Arbitrary<Json> {
  return fc.boolean().chain((isTame) => {
    const word: fc.Arbitrary<Json> = isTame ? tame : fc.oneof(words, fc.double({ noNaN: true }));
    const field = fc.oneof(word, word, fc.integer(), fc.constant(null), fc.array(word, { maxLength: 3 }));
    const keys = fc.constantFrom('id', 'title', 'body', 'a.b', 'x/y', ...(isTame ? [] : ['__proto__', 'true']));
    const list = fc.array(fc.dictionary(keys, field), { maxLength: 5 });
    return fc.dictionary(fc.constantFrom('tasks', 'entries', 'extra'), fc.oneof(list, list, field));
  });
}

function mutated(source: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const pieces = fc.constantFrom(
    ...[
      ' ',
      '  ',
      '\n',
      '\t',
      '\r\n',
      '\r',
      '#',
      ' #',
      ':',
      ': ',
      '- ',
      '-',
      '|',
      '|-\n',
      '|+\n',
      '>',
      '"',
      "'",
      '[',
      ']',
    ],
    ...[
      '{',
      '}',
      ',',
      '&a ',
      '*a',
      '!t ',
      '?',
      '%',
      '---\n',
      '...\n',
      '\ufeff',
      '\u0085',
      '\u2028',
      '\u00a0',
      '\0',
      '\\',
      '\\n',
    ],
    ...['null', '.5', '0x1', '__proto__: ', 'id: x\n', '    ', '\n\n', '\n \n', '\n   \n', '\n# c\n', '\n    # c\n'],
  );
  const change = fc.record({ at: fc.nat(), cut: fc.nat(3), piece: fc.option(pieces), line: fc.nat(5) });
  return fc.tuple(source, fc.array(change, { minLength: 1, maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((now, { at, cut, piece, line }) => {
      const lines = now.split('\n');
      const n = at % lines.length;
      if (line === 0) return lines.toSpliced(n, 1).join('\n');
      if (line === 1) return lines.toSpliced(n, 0, lines[(n * 7) % lines.length] ?? '').join('\n');
      if (line === 2) return lines.with(n, ` ${lines[n]}`).join('\n');
      if (line === 3) return lines.with(n, (lines[n] ?? '').slice(1)).join('\n');
      const start = at % (now.length + 1);
      return now.slice(0, start) + (piece ?? '') + now.slice(start + cut);
    }, text),
  );
}

function soup(): fc.Arbitrary<string> {
  const tokens = fc.constantFrom(
    ...[
      'a',
      'b',
      'a: ',
      'b:\n',
      'c: x\n',
      '- ',
      '- a: 1\n',
      '\n',
      '\n\n',
      ' ',
      '  ',
      '    ',
      '\n  ',
      '\n    ',
      '# c\n',
      ' # c\n',
    ],
    ...[
      '|\n',
      '|-\n',
      '|+\n',
      '|',
      '"x"',
      "'y'",
      '"',
      "'",
      '[]',
      '[a, 1]',
      '{}',
      '1',
      '-1',
      '~',
      'true',
      'text: ',
      '\t',
      'é',
    ],
  );
  return fc.array(tokens, { maxLength: 24 }).map((parts) => parts.join(''));
}

describe('hasDuplicateIds', () => {
  const lists = new Set(['tasks']);

  test.each<[Json, boolean]>([
    [{ tasks: [{ id: 'a' }, { id: 'b' }] }, false],
    [{ tasks: [{ id: 'a' }, { id: 'a' }] }, true],
    [{ other: [{ id: 'a' }, { id: 'a' }] }, false],
    [[{ deep: { tasks: [{ id: 1 }, { id: 1 }] } }], true],
    [{ tasks: [{ id: null }, {}, { id: null }] }, true],
    [{ tasks: [{}, {}, { id: ['a'] }, { id: ['a'] }] }, false],
    [{ tasks: { tasks: ['a', 'a'] } }, false],
  ])('of %j is %j', (value, expected) => {
    expect(hasDuplicateIds(value, lists)).toBe(expected);
  });
});
