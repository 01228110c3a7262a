import { Marked } from 'marked';
import { describe, expect, test } from 'vitest';
import { isSimpleMarkdown } from '../../webview/simpleMarkdown.ts';

describe('a text is read as Markdown', () => {
  test.each([
    ['that is empty', ''],
    ['with a list of two hundred items that have marks', '- **one** is `two` and [three](https://x.org)\n'.repeat(200)],
    ['with a table of twenty rows', `| a | b |\n|---|---|\n${'| `a` | **b** |\n'.repeat(20)}`],
    ['with a rule of a hundred dashes', `one\n\n${'-'.repeat(100)}\n\ntwo`],
    ['with many paragraphs that have marks', 'This is *one*, and `two`.\n\n'.repeat(1000)],
    ['with deeply nested quotes, as in a long exchange', `${'> '.repeat(20)}hello`],
  ])('%s', (_title, text) => {
    expect(isSimpleMarkdown(text)).toBe(true);
  });
});

describe('a text is shown as it was written', () => {
  test.each([
    ['with thousands of marks that find no partner', 'a*_'.repeat(2000)],
    ['with thousands of addresses without an end', 'a@~'.repeat(2000)],
    ['with marks on many lines of one paragraph', 'a _b\n'.repeat(300)],
    ['with thousands of levels of quotes', '> '.repeat(2000)],
    ['with thousands of levels of quotes without blanks', '>'.repeat(2000)],
    ['with thousands of levels of lists', '- '.repeat(2000)],
    ['with thousands of levels of numbered lists', '1. '.repeat(2000)],
    ['with hundreds of levels by indentation', `${' '.repeat(400)}- a`],
    ['that is very long', 'word '.repeat(20_000)],
  ])('%s', (_title, text) => {
    expect(isSimpleMarkdown(text)).toBe(false);
  });
});

test('what is read as Markdown never overflows the stack of the library', () => {
  const marked = new Marked({ gfm: true, breaks: true, async: false });
  const texts = ['>', '> ', '- ', '1. ', '* > '].map((level) => `${level.repeat(level.length === 4 ? 20 : 40)}a`);
  for (const text of texts) {
    expect(isSimpleMarkdown(text), text).toBe(true);
    expect(marked.parse(text, { async: false })).toContain('a');
  }
});
