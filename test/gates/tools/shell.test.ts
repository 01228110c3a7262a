import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseShell, UnparsableShell } from '../../../src/gates/tools/shell.ts';

/** Shows each command as its words and what follows it; `(` and `)` enclose nested commands. */
function check(text: string, expected: readonly string[]) {
  const items = parseShell(text).map((item) => {
    if (item.kind !== 'command') return item.kind === 'open' ? '(' : ')';
    const words = item.words.map((word) => `${word.text}${word.isDynamic ? '$' : ''}${word.isGlob ? '*' : ''}`);
    const targets = item.redirections.map(({ writes, target }) => `${writes ? '>' : '<'}${target.text}`);
    return [...item.assignments.map(({ name }) => `${name}=`), ...words, ...targets, item.after].join(' ');
  });
  expect(items).toEqual(expected);
}

describe('parseShell', () => {
  test.each<[string, readonly string[]]>([
    ['a b  c', ['a b c end']],
    ['a && b || c; d | e & f', ['a &&', 'b ||', 'c ;', 'd |', 'e &', 'f end']],
    ['a\nb # c\nd', ['a ;', 'b ;', 'd end']],
    [`a 'b c' "d e" f\\ g h""i`, ['a b c d e f g hi end']],
    ['a "\\$x" \'$x\'', ['a $x $x end']],
    ['a $x "${y}z"', ['a $ z$ end']],
    ['a $(b c) d', ['(', 'b c end', ')', 'a $ d end']],
    ['a `b \\`c\\``', ['(', '(', 'c end', ')', 'b $ end', ')', 'a $ end']],
    ['(a; b) && c', ['(', 'a ;', 'b end', ')', 'c end']],
    ['a >b 2>&1 <c >>d', ['a >b <c >d end']],
    ['a&>b', ['a >b end']],
    ['X=1 Y= a Z=2', ['X= Y= a Z=2 end']],
    ['a *.ts "*.ts"', ['a *.ts* *.ts end']],
    ['a {b,c} {}', ['a {b,c}$ {} end']],
    ['for x in 1 2; do a; done', ['a ;']],
    ['if a; then b; fi', ['a ;', 'b ;']],
    ['a <<E\nb $(c)\nE\nd', ['(', 'c end', ')', 'a ;', 'd end']],
    ["a <<'E'\nb $(c)\nE\nd", ['a ;', 'd end']],
    ['a \\\n b', ['a b end']],
    ['', []],
  ])('parses %j as %j', check);

  test.each([
    'a "b',
    "a 'b",
    'a $(b',
    'a )',
    '(a',
    'a `b',
    'f() { a; }',
    'case x in esac',
    'x=(a)',
    '[[ a ]]',
    '$((1))',
    'a >',
  ])('refuses %j', (text) => expect(() => parseShell(text)).toThrow(UnparsableShell));

  test('parses or refuses any text, and throws nothing else', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '"',
      "'",
      '\\',
      '$',
      '(',
      ')',
      '`',
      '{',
      '}',
      '|',
      '&',
      ';',
      '<',
      '>',
      '#',
      '=',
      '~',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          try {
            parseShell(text);
          } catch (error) {
            expect(error).toBeInstanceOf(UnparsableShell);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('refuses extreme nesting', () => {
    expect(() => parseShell('$('.repeat(100_000))).toThrow(UnparsableShell);
  });
});
