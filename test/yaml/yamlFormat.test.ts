import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/model/json.ts';
import { formatYaml, parseYaml } from '../../src/yaml/yaml.ts';
import { texts, values } from '../support/yamlDocuments.ts';

function read(text: string): unknown {
  const { value, diagnostics } = parseYaml(text, { file: 'new.yaml', subject: 'new.yaml' });
  expect(diagnostics).toEqual([]);
  return value;
}

describe('formatYaml', () => {
  function check(value: Json, expected: string): void {
    expect(formatYaml(value)).toBe(expected);
  }

  test.each<[Json, string]>([
    [{ tasks: [] }, 'tasks: []\n'],
    [{ tasks: [{ id: 'a', dependencies: ['b'] }] }, 'tasks:\n- id: a\n  dependencies:\n  - b\n'],
    [{ body: 'one\ntwo\n' }, 'body: |\n  one\n  two\n'],
    [{ body: 'one\n\ntwo' }, 'body: |-\n  one\n\n  two\n'],
    [{ body: '  code\n' }, 'body: |2\n    code\n'],
    [{ list: [['a', { b: 1 }]] }, 'list:\n- - a\n  - b: 1\n'],
    [{ blocked_reason: null, count: 1, yes: true }, "blocked_reason: null\ncount: 1\n'yes': true\n"],
    [{ a: `long ${'word '.repeat(60)}end` }, `a: long ${'word '.repeat(60)}end\n`],
    ['', "''\n"],
    [null, 'null\n'],
  ])('writes %j', check);

  test.each([
    'no',
    'Yes',
    'on',
    'y',
    '010',
    '1:30',
    '0x1f',
    '1_000',
    '12',
    '1e3',
    '.5',
    '.inf',
    '~',
    'null',
    'true',
    '<<',
    '=',
  ])('quotes %s, which some YAML parser reads as another type', (text) => check([text], `- '${text}'\n`));

  test.each(['2026-04-28T10:24:10Z', '2026-01-02', 'v1.2.3', 'C++', 'a:b', 'x#y'])('leaves %s plain', (text) => {
    check([text], `- ${text}\n`);
  });

  test.each([
    ['a: b', "'a: b'"],
    ["it's", "it's"],
    ["- it's", "'- it''s'"],
    ['bell\u0007', '"bell\\u0007"'],
    ['a\r\nb', '"a\\r\\nb"'],
    ['nel\u0085', '"nel\\u0085"'],
    ['two ends\n\n', '"two ends\\n\\n"'],
    ['{{TOKEN}}', "'{{TOKEN}}'"],
  ])('writes %j as %s', (text, expected) => check({ a: text }, `a: ${expected}\n`));

  test('writes any value so that it is read back equal', () =>
    fc.assert(
      fc.property(values, (value) => {
        expect(read(formatYaml(value))).toEqual(value);
      }),
      { numRuns: 500 },
    ));

  test('writes any text so that it is read back unchanged', () =>
    fc.assert(
      fc.property(texts, texts, (key, text) => {
        const value = { list: [text, { [key]: text }] };
        expect(read(formatYaml(value))).toEqual(value);
      }),
      { numRuns: 500 },
    ));
});
