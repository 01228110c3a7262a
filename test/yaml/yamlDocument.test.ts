import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../src/yaml/yaml.ts';

const place = { file: 'memory.yaml', subject: 'Demo/project-root' };

describe('parseYaml', () => {
  function check(text: string, expected: unknown): void {
    expect(parseYaml(text, place)).toEqual({ value: expected, diagnostics: [] });
  }

  test.each<[string, unknown]>([
    ['', null],
    ['# only a comment\n', null],
    ['\ufeffa: 1\r\nb: |\r\n  x\r\n', { a: 1, b: 'x\n' }],
    [
      'a: no\nb: 010\nc: 1:30\nd: 2026-01-02\ne: 1_000\nf: 0o10\n',
      { a: 'no', b: 10, c: '1:30', d: '2026-01-02', e: '1_000', f: 8 },
    ],
    ['a: ~\nb:\n', { a: null, b: null }],
    ['<<: {a: 1}\nb: 2\n', { '<<': { a: 1 }, b: 2 }],
    ['--- {a: 1}\n...\n', { a: 1 }],
  ])('reads %j', check);

  test('treats __proto__ like any other key', () => {
    const { value } = parseYaml('__proto__: {polluted: 1}\n', place);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
  });
});

describe('parseYaml reports a problem', () => {
  function check(text: string, expected: readonly [code: string, line: number, message: RegExp]): void {
    const { value, diagnostics } = parseYaml(text, place);
    const [code, line, message] = expected;
    expect(value).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ code, severity: 'error', file: place.file, subject: place.subject });
    expect(diagnostics[0]?.message).toMatch(message);
    expect(diagnostics[0]?.range?.start.line).toBe(line);
  }

  test.each(['[', '{', '{a: ', '- ', '? ', '[{'])('in a megabyte of %j', (open) =>
    check(open.repeat(1_000_000 / open.length), ['yaml/bomb', 0, /nested too deeply/]),
  );

  test('in lines that are set in below each other a thousand times', () => {
    const text = Array.from({ length: 1000 }, (_, n) => `${' '.repeat(n)}a:\n`).join('');
    check(text, ['yaml/bomb', 0, /nested too deeply/]);
  });

  test('in 20,000 open brackets', () => check('['.repeat(20_000), ['yaml/bomb', 0, /nested too deeply/]));

  test.each<[string, [string, number, RegExp]]>([
    ['a:\n\tb: 1\n', ['yaml/syntax', 1, /^Line 2: Tabs/]],
    ['a: 1\nb: [x}\n', ['yaml/syntax', 1, /^Line 2: /]],
    ['a: 1\n---\nb: 2\n', ['yaml/syntax', 1, /more than one document/]],
    ['# c\n%YAML 1.1\n---\na: no\n', ['yaml/syntax', 1, /directive/]],
    ['%TAG ! tag:x,2000:\n---\na: 1\n', ['yaml/syntax', 0, /directive/]],
    ['a: 1\nb: 2\na: 3\n', ['yaml/syntax', 2, /"a" is there already, on line 1/]],
    ['1: a\n"1": b\n', ['yaml/syntax', 1, /"1" is there already/]],
    ['? [a, b]\n: 1\n', ['yaml/syntax', 0, /key must be plain text/]],
    [`${'# c\r\n'.repeat(100_000)}\r\n%YAML 1.1\r\n---\r\n`, ['yaml/syntax', 100_001, /directive/]],
    ['a: &x 1\n', ['yaml/bomb', 0, /anchor &x/]],
    ['&k a: 1\n', ['yaml/bomb', 0, /anchor &k/]],
    ['a: 1\nb: *a\n', ['yaml/bomb', 1, /alias \*a/]],
    ['a: &a [1]\nb: [*a, *a]\n', ['yaml/bomb', 0, /anchor/]],
    [`${'['.repeat(70)}${']'.repeat(70)}`, ['yaml/bomb', 0, /nested deeper than 64/]],
  ])('in %j', check);

  test('in no text for its many lines of comments, blank or not, with the line ends of any system', () => {
    const comments = ['# c\r\n', '# c\n', '\n', '  # c # d\r\n'].map((line) => line.repeat(100_000));
    for (const lines of [...comments, ' \t\r\n'.repeat(8000)])
      expect(parseYaml(`${lines}a: 1\r\n`, place).value).toEqual({ a: 1 });
  });

  test('in no text that only speaks of many brackets and dashes', () => {
    const body = `${'[ { '.repeat(1000)}\n  ${'-'.repeat(1000)}\n`;
    expect(parseYaml(`body: |\n  ${body}`, place).value).toEqual({ body: body.replace('\n  ', '\n') });
  });

  test('but ignores a tag and keeps the plain value', () => {
    expect(parseYaml('a: !!js/function "x"\n', place).value).toEqual({ a: 'x' });
  });

  test('with a range that counts characters from 0', () => {
    const { diagnostics } = parseYaml('\ufeffa: 1\nb: &name 1\n', place);
    expect(diagnostics[0]?.range?.start).toEqual({ line: 1, character: 9 });
  });

  test('if the text is larger than 16 MiB', () => {
    const { value, diagnostics } = parseYaml(`a: ${'x'.repeat(16 * 1024 * 1024)}`, place);
    expect(value).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual(['disk/tooLarge']);
  });

  test('at most twenty times', () => {
    const text = Array.from({ length: 100 }, (_, n) => `k${n}: &a${n} 1\n`).join('');
    expect(parseYaml(text, place).diagnostics).toHaveLength(20);
  });
});
