import { expect, test } from 'vitest';
import * as z from 'zod';
import { backlogSchema } from '../../src/model/backlog.ts';
import { editYaml, formatYaml, parseYaml, readYaml } from '../../src/yaml/yaml.ts';
import { parseSource } from '../../src/yaml/yamlDocument.ts';

const place = { file: 'backlog.yaml', subject: 'Demo/project-root' };
const sources = (text: string) => parseYaml(text, place);

test.each<[string, string, number]>([
  ['brackets that close nothing', ']'.repeat(200_000), 0],
  ['keys by a line that is folded', `${'a0: b\n'.repeat(9)}x: >\n  y\n${lines(60_000)}`, 1],
  ['keys by a tab', `${lines(60_000)}x:\ty\n`, 60_000],
  ['keys by a tag', `${lines(30_000)}x: !a y\n${lines(30_000)}`, 30_000],
  ['lines of one text', `a: >\n${' \t\n'.repeat(60_000)}`, 0],
  ['quotes without an end', `a: b\nc:\n${'  "\n'.repeat(60_000)}`, 2],
])('many parts with %s are refused at the line that is not plain', (_what, text, line) => {
  const { value, diagnostics } = sources(text);
  expect(value).toBeUndefined();
  expect(diagnostics).toMatchObject([{ code: 'disk/tooLarge', severity: 'error', range: { start: { line } } }]);
  expect(diagnostics[0]?.message).toContain(`line ${line + 1} is not`);
});

test('a long text that is not plain is read if it has few parts', () => {
  const body = 'A sentence that a session wrote about the work of a day, and of the day before.\n  '.repeat(9000);
  expect(body.length).toBeGreaterThan(500_000);
  expect(sources(`a: >\n  ${body}\nb: 1\n`)).toMatchObject({ value: { b: 1 }, diagnostics: [] });
});

test('a plain file of any number of parts is read and edited', () => {
  const tasks = Array.from({ length: 3000 }, (_, n) => ({ id: `t${n}`, title: 'T', category: 'c', status: 'done' }));
  const text = formatYaml({ tasks });
  expect(readYaml(backlogSchema, text, place)).toMatchObject({ diagnostics: [], value: { tasks } });
  const edited = editYaml(text, [{ op: 'set', path: ['tasks', 2999, 'title'], value: 'New' }], place);
  expect(readYaml(backlogSchema, edited, place).value?.tasks?.[2999]?.title).toBe('New');
});

test.each<[string, string, string, RegExp]>([
  ['a wrong value', 'status: odd', 'yaml/schema', /^tasks\[0\]\.status: /],
  ['two equal ids', 'id: same', 'yaml/duplicateId', /same id/],
])('a plain file of many parts is told %s by its path alone', (_what, line, code, message) => {
  const task = (n: number) => `- id: t${n}\n  title: T\n  category: c\n  status: done\n`.replace(wordOf(line), line);
  const text = `tasks:\n${Array.from({ length: 3000 }, (_, n) => task(n)).join('')}`;
  const { value, diagnostics } = readYaml(backlogSchema, text, place);
  expect(value).toBeUndefined();
  expect(diagnostics.length).toBeLessThanOrEqual(20);
  expect(diagnostics[0]).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(diagnostics[0]).not.toHaveProperty('range');
});

test('the first records of a plain file that are wrong are told, and those behind them are not looked at', () => {
  let seen = 0;
  const isSmall = (n: unknown) => ++seen > 0 && Number(n) < 1500;
  const schema = z.object({ tasks: z.array(z.unknown().refine(isSmall, 'too large')) });
  const text = `tasks:\n${Array.from({ length: 40_000 }, (_, n) => `- ${n}\n`).join('')}`;
  const { value, diagnostics } = readYaml(schema, text, place);
  expect(value).toBeUndefined();
  expect(diagnostics).toHaveLength(20);
  expect(diagnostics[0]).toMatchObject({ code: 'yaml/schema', message: 'tasks[1500]: too large.' });
  expect(seen).toBe(2000);
});

test('no stack is taken for a mistake, which takes ten times the time', () => {
  const before = Error.stackTraceLimit;
  const { errors } = parseSource(']'.repeat(100), place).document;
  expect(errors.length).toBeGreaterThan(90);
  for (const { stack } of errors) expect(stack).not.toContain('    at ');
  expect(Error.stackTraceLimit).toBe(before);
});

function lines(count: number): string {
  return Array.from({ length: count }, (_, n) => `k${n}-${count}: v\n`).join('');
}

function wordOf(line: string): RegExp {
  return new RegExp(`${line.split(':')[0]}: \\w+`);
}
