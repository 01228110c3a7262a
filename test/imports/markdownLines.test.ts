import { describe, expect, test } from 'vitest';
import { joinLines, parseMarkdown } from '../../src/imports/markdownLines.ts';

describe('parseMarkdown', () => {
  /** Checks the headings of a text, as `level title`. */
  function check(text: string, expected: readonly string[]): void {
    const headings = parseMarkdown(text).headings;
    expect(headings.map(({ level, title }) => `${level} ${title}`)).toEqual(expected);
  }

  test.each<[string, string, string[]]>([
    ['finds headings of each level', '# A\n###### B', ['1 A', '6 B']],
    ['strips closing hashes', '## A ##\n## C#', ['2 A', '2 C#']],
    ['finds a heading without a title', '## ##', ['2 ']],
    ['needs a space after the hashes', '#A\n#######  B', []],
    ['ignores indented headings', ' # A\n  ## B', []],
    ['finds a heading after a byte order mark', '\ufeff# A', ['1 A']],
    ['splits at any line end', '# A\r\n# B\r# C\n', ['1 A', '1 B', '1 C']],
    ['ignores a heading in a fenced block', '```\n# A\n```\n# B', ['1 B']],
    ['ignores a heading in a longer fence', '````\n```\n# A\n````\n# B', ['1 B']],
    ['ignores a heading between tildes', '~~~ text\n# A\n```\n~~~\n# B', ['1 B']],
    ['ignores a heading in an indented fenced block', '- a\n    ```js\n# A\n    ```\n# B', ['1 B']],
    ['finds headings after a fence that is never closed', '```js\n# A\n```js\n# B', ['1 A', '1 B']],
  ])('%s', (_name, text, expected) => check(text, expected));

  test('handles 200,000 unclosed fences', () => {
    expect(parseMarkdown('```js\n# A\n'.repeat(200_000)).headings).toHaveLength(200_000);
  });
});

describe('joinLines', () => {
  test.each([
    ['\n\na \n\nb\n\n---\n\n---\n', 'a \n\nb\n'],
    ['---\na\n', '---\na\n'],
    ['a\n```\n---\n```\n---', 'a\n```\n---\n```\n'],
    ['\n---\n\n', ''],
    ['', ''],
  ])('turns %j into %j', (given, expected) => {
    const text = parseMarkdown(given);
    expect(joinLines(text, [{ start: 0, end: text.lines.length }])).toBe(expected);
  });
});
