import fc from 'fast-check';
import { Marked, type Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { tamed } from '../../src/vault/tamedMarkdown.ts';

const longAddress = `https://${'a'.repeat(600)}`;

describe('tamed', () => {
  test.each([
    ['**Bold**, `code` and a list:\n\n- one\n- two', '**Bold**, `code` and a list:\n\n- one\n- two'],
    ['A [link](https://a.test/b) and https://a.test', 'A [link](https://a.test/b) and https://a.test'],
    ['`std::io` but std::io', '`std::io` but std&colon;:io'],
    ['a <b>c</b> [[d]] %%e%% ![f](g)', 'a &lt;b>c&lt;/b> \\[\\[d]] \\%\\%e\\%\\% \\!\\[f](g)'],
    ['`= this.file` and `$= dv`', '\\`\\= this.file\\` and \\`\\$\\= dv\\`'],
    ['costs $5 or $$x$$', 'costs \\$5 or \\$\\$x\\$\\$'],
    ['\\<b> \\![a](b) \\[[c]] \\%%d\\%% e\\::f', '&lt;b> \\!\\[a](b) \\[\\[c]] \\%\\%d\\%\\% e&colon;:f'],
    ['a name ^01AB, 2^3', 'a name \\^01AB, 2^3'],
    ['Title\n===', 'Title\n==='],
    ['```dataviewjs\napp.vault\n```', '```text\napp.vault\n```'],
    ['```unknown-plugin\nx\n```', '```text\nx\n```'],
    ['```ts\nlet a: Map<b>;\n```', '```ts\nlet a: Map<b>;\n```'],
    ['~~~ rust\nstd::io', '~~~rust\nstd::io\n~~~'],
    ['`open [[a]]', '\\`open \\[\\[a]]'],
    ['See [a](b.md#c), [d][e] and `Map<f>`', 'See [a](b.md#c), [d][e] and `Map<f>`'],
    ['[a](b "c")\n\n`Map<d>`', '[a](b "c")\n\n`Map<d>`'],
    ['`a](` and `Map<b>`', '`a](` and `Map<b>`'],
    ['`a | b` in no table', '`a | b` in no table'],
  ])('makes %j %j', (markdown, expected) => expect(tamed(markdown)).toBe(expected));

  test('a fence of one text cannot swallow what follows', () =>
    expect(tamed('````\n```\nx')).toBe('````\n```\nx\n````'));

  test.each([
    ['a fence in a list', '- a\n  ```ts\n  let a: Map<b>;\n  ```\n- c', '- a\n  ```ts\n  let a: Map<b>;\n  ```\n- c'],
    ['a line that would end the list', '- a\n  ```ts\n<b>\n  ```', '- a\n  ```ts\n  <b>\n  ```'],
    ['an end that stands deeper in the list', '- a\n  ```ts\n  x\n     ```\n<b>', '- a\n  ```ts\n  x\n  ```\n&lt;b>'],
    ['a quoted fence in a fence', '```md\n> ```\n<b>\n```', '```md\n> ```\n<b>\n```'],
    [
      'a fence behind the mark of a list',
      '- ```dataviewjs\n  <b>\n  ```',
      '- \\`\\`\\`dataviewjs\n  &lt;b>\n  \\`\\`\\`',
    ],
    ['a quoted fence', '> ~~~dataviewjs\n> <b>\n> ~~~', '> \\~\\~\\~dataviewjs\n> &lt;b>\n> \\~\\~\\~'],
    [
      'a fence in an inner list',
      '- a\n  - b\n    ```dataviewjs\n    c\n    ```',
      '- a\n  - b\n    \\`\\`\\`dataviewjs\n    c\n    \\`\\`\\`',
    ],
    ['a span over two lines', '`a\n` <b> `', '\\`a\n` <b> `'],
    ['an escaped backtick', '\\`<b>`', '\\`&lt;b>\\`'],
    ['a span that a table parts', '| `a | <b>` |\n|---|---|', '| \\`a \\| \\<b\\>\\` |\n|---|---|'],
    ['a span behind an address', 'https://a`b <b>`', 'https://a\\`b \\<b\\>\\`'],
    ['the address of a link', '[x](a`b) <b> `', '[x](a\\`b) &lt;b\\> \\`'],
    ['an address between brackets', '[x](<`>) <b>`', '[x](&lt;\\`\\>) &lt;b\\>\\`'],
    ['an address in a later line', '[x](\na`b) <b> `', '[x](\na\\`b) &lt;b\\> \\`'],
    ['the title of a link', '[x](a "t`t") <b> `', '[x](a "t\\`t") &lt;b\\> \\`'],
    ['a label', '[x][y][a`b] <b> `', '[x][y][a\\`b\\] &lt;b\\> \\`'],
    ['a definition', '[x]: a`b\n"`" <b>`', '[x]: a\\`b\n"\\`" &lt;b\\>\\`'],
    ['a footnote in the text', 'a^[b`c] <b>`', 'a^[b\\`c\\] &lt;b\\>\\`'],
    ['a query behind an address', '[x](a`b) `= c`', '[x](a\\`b) \\`= c\\`'],
    ['a query behind a parted cell', '| `a | `= b` |\n|-|-|', '| \\`a &vert; \\`= b\\` |\n|-|-|'],
    ['a long address', `${longAddress}'b <b>'`, `${longAddress}\\'b &lt;b\\>\\'`].map((text) =>
      text.replaceAll("'", '`'),
    ) as [string, string, string],
    ['a query in a fence', '```\n$= dv.pages()\n```', '```\n\\$= dv.pages()\n```'],
    ['a query in indented code', 'a\n\n    = this.file', 'a\n\n    \\= this.file'],
  ])('knows what is code beyond doubt: %s', (_what, markdown, expected) => {
    const escaped = expected.replace('\\| \\<b\\>', '&vert; &lt;b\\>').replace('b \\<b\\>', 'b &lt;b\\>');
    expect(tamed(markdown)).toBe(escaped);
  });

  test('nothing of a text acts, however its marks stand', () => {
    const part = fc.constantFrom(
      ...[
        '`',
        '``',
        '```',
        '~~~',
        '```dataviewjs',
        '~~~js',
        '- ',
        '1. ',
        '> ',
        '  ',
        '   ',
        '    ',
        '\t',
        '\n',
        '\n\n',
      ],
      ...[
        '<img src=x>',
        '![a](b)',
        '[[c]]',
        '%%',
        '::',
        '= d',
        '$= e',
        '$',
        '|',
        '\\',
        'f',
        '\n| - |\n',
        '===',
        '^g',
        '!',
      ],
      ...[
        '[x](',
        '](',
        ')',
        '[x]',
        '[',
        ']',
        ']: ',
        '[x]: ',
        '"',
        "'",
        '(',
        '<',
        '>',
        ' ',
        'http://h',
        '<http://h',
        'www.h.i',
      ],
      ...['[x](a`b) ', '[x](a "t`t") ', '[x](<`>) ', '[x]: a`b\n', '\n| - | - |\n'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        expect(acting(tamed(parts.join('')))).toEqual([]);
      }),
      { numRuns: 3000 },
    );
  });
});

/** What Obsidian would do of a text beside showing it. */
function acting(markdown: string): readonly string[] {
  const found: string[] = [];
  const marked = new Marked();
  void marked.walkTokens(marked.lexer(`${markdown}\n\n# End`), (token: Token) => {
    if (token.type === 'html' || token.type === 'image') found.push(token.raw);
    if (token.type === 'code' || token.type === 'codespan') {
      if (/^\s*\$?=/.test(token.text)) found.push(token.raw);
      if (/dataview/.test(String('lang' in token ? token.lang : ''))) found.push(token.raw);
    }
    const isText = token.type === 'text' && !('tokens' in token && token.tokens);
    if (isText && /<[a-z]|\[\[|%%|::|\$\$/.test(token.raw)) found.push(token.raw);
  });
  return found;
}
