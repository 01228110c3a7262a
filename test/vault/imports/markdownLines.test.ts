import { describe, expect, test } from 'vitest';
import { joinLines, markdownLines } from '../../../src/vault/imports/markdownLines.ts';

describe('headings', () => {
  /** The headings of a text, as `level title`. */
  function check(text: string, expected: readonly string[]): void {
    const headings = markdownLines(text).flatMap(({ heading }) => (heading === undefined ? [] : [heading]));
    expect(headings.map(({ level, title }) => `${level} ${title}`)).toEqual(expected);
  }

  test.each<[string, string, string[]]>([
    ['of each level', '# A\n###### B', ['1 A', '6 B']],
    ['with hashes behind', '## A ##\n## C#', ['2 A', '2 C#']],
    ['of hashes alone', '## ##', ['2 ']],
    ['without a space are none', '#A\n#######  B', []],
    ['further in are none', ' # A\n  ## B', []],
    ['after a byte order mark', '\ufeff# A', ['1 A']],
    ['with any line end', '# A\r\n# B\r# C\n', ['1 A', '1 B', '1 C']],
    ['not in a fenced block', '```\n# A\n```\n# B', ['1 B']],
    ['not in a longer fence', '````\n```\n# A\n````\n# B', ['1 B']],
    ['not between tildes', '~~~ text\n# A\n```\n~~~\n# B', ['1 B']],
    ['not in an indented block', '- a\n    ```js\n# A\n    ```\n# B', ['1 B']],
    ['below a fence that nothing closes', '```js\n# A\n```js\n# B', ['1 A', '1 B']],
  ])('%s', (_name, text, expected) => check(text, expected));

  test('of a large text with fences that nothing closes take no time', () => {
    expect(markdownLines('```js\n# A\n'.repeat(200_000)).filter(({ heading }) => heading !== undefined)).toHaveLength(
      200_000,
    );
  });
});

describe('joinLines', () => {
  test.each([
    ['\n\na \n\nb\n\n---\n\n---\n', 'a \n\nb\n'],
    ['---\na\n', '---\na\n'],
    ['a\n```\n---\n```\n---', 'a\n```\n---\n```\n'],
    ['\n---\n\n', ''],
    ['', ''],
  ])('%j is %j', (text, expected) => expect(joinLines(markdownLines(text))).toBe(expected));
});
