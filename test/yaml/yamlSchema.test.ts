import { describe, expect, test } from 'vitest';
import { backlogSchema } from '../../src/model/backlog.ts';
import { sessionRecordSchema } from '../../src/model/session.ts';
import { readYaml } from '../../src/yaml/yaml.ts';

const place = { file: 'backlog.yaml', subject: 'Demo/project-root' };
const task = (id: string, status = 'done') => `- id: ${id}\n  title: T\n  category: c\n  status: ${status}\n`;

describe('reading a backlog', () => {
  function check(text: string, expected: readonly [code: string, line: number, message: RegExp][]): void {
    const { value, diagnostics } = readYaml(backlogSchema, text, place);
    expect(value === undefined).toBe(expected.length > 0);
    expect(diagnostics.map(({ code, range }) => [code, range?.start.line])).toEqual(
      expected.map(([code, line]) => [code, line]),
    );
    for (const [index, [, , message]] of expected.entries()) expect(diagnostics[index]?.message).toMatch(message);
    for (const { message } of diagnostics) expect(message).toMatch(/[^.]\.$/);
  }

  test.each<[string, string, [string, number, RegExp][]]>([
    ['accepts a valid one with unknown keys', `tasks:\n${task('a')}${task('b')}extra: 1\n`, []],
    ['reports a wrong value', `tasks:\n${task('a', 'doing')}`, [['yaml/schema', 4, /^tasks\[0\]\.status: /]]],
    [
      'reports a missing field',
      'tasks:\n- id: a\n  title: T\n  category: c\n',
      [['yaml/schema', 1, /^tasks\[0\]\.status: /]],
    ],
    ['reports a root that is not a map', 'a text\n', [['yaml/schema', 0, /^The document: /]]],
    [
      'reports a duplicate id',
      `tasks:\n${task('a')}${task('a')}`,
      [['yaml/duplicateId', 5, /^tasks: the id "a" is on line 2 and on line 6/]],
    ],
    ['ignores a duplicate id in an unknown list', `tasks:\n${task('a')}received: []\nother:\n- id: a\n- id: a\n`, []],
    ['reports only a syntax error', 'tasks: [\n', [['yaml/syntax', 1, /./]]],
  ])('%s', (_, text, expected) => check(text, expected));
});

test('a duplicate claim id in a session record is reported', () => {
  const text = 'id: s\ntimestamp: t\nphase: work\nbody: b\nclaims:\n- id: c1\n  text: x\n- id: c1\n  text: y\n';
  expect(readYaml(sessionRecordSchema, text, place).diagnostics.map(({ code }) => code)).toEqual(['yaml/duplicateId']);
});

test('the range of a problem covers the value', () => {
  const { diagnostics } = readYaml(backlogSchema, `tasks:\n${task('a', '"doing"')}`, place);
  expect(diagnostics[0]?.range).toEqual({ start: { line: 4, character: 10 }, end: { line: 4, character: 17 } });
});
