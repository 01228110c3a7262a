import { expect, test } from 'vitest';
import { visibleText, wholeText } from '../../../src/base/words/visibleText.ts';

test.each([
  ['a comment', 'one <!-- two --> three', 'one  three'],
  ['a comment in a word', 'wo<!-- two -->od', 'wood'],
  ['a comment of Obsidian', 'wo%% two %%od', 'wood'],
  ['a comment without an end', 'one <!-- two', 'one <!-- two'],
  ['a link', 'the [wo](https://a.test/b)od', 'the wood'],
  ['a link and an image without a text', 'wo[](a)![](b)od', 'wood'],
  ['a link by a name', '[wo][two]od and a[one]', 'wood and a[one]'],
  ['a link of Obsidian', '[[two|wood]] and [[two]]', 'wood and [[two]]'],
  ['a mark of a footnote', 'wood[^two]', 'wood'],
  ['a mark without a text', 'wo****od', 'wood'],
  ['a letter with an accent', 'Café', 'cafe'],
  ['an entity that ends without a semicolon', 'p&#111lled', 'polled'],
  ['an entity that stands for no character', 'a&#xd800;b &#0;', 'a b  '],
  ['an entity without a name that is known', 'a&hellip;b', 'a b'],
  ['an ampersand of a text', 'R&D and a && b', 'r&d and a && b'],
  ['a tag of a line', 'fut<em class="x">ure</em>', 'future'],
  ['a tag of a block', 'one<br/>two', 'one two'],
  ['a comparison', 'a < b and c > d', 'a < b and c > d'],
  ['a ligature', 'ﬁt', 'flt'],
  ['letters of many scripts', 'рοꮮ', 'pol'],
  ['digits that are digits', '100 of 10', '100 of 10'],
] as const)('%s is read as a person sees it', (_what, text, read) => {
  expect(visibleText(text)).toBe(read);
});

test('what a page hides is a part of the whole text', () => {
  expect(wholeText('One <!-- t&#119;o --> <b title="three">[four](five)</b>')).toBe(
    'one <!-- two --> <b tltle="three">[four](flve)</b>',
  );
});

test('what a person sees of a text is the same if it is read again', () => {
  for (const text of ['Ѕоме <b>b</b>old &amp;amp; 0dd wоrds', 'i1l|I rn m'])
    expect(visibleText(visibleText(text))).toBe(visibleText(text));
});

test('the time to read a text grows with its length alone', () => {
  for (const part of ['<', '&', '<a', '&#', '<!--', '&amp', 'a*', '\u0300', '%%', '[](', '[[a|', '[^', '![a][']) {
    const started = process.cpuUsage();
    visibleText(part.repeat(200_000));
    expect(process.cpuUsage(started).user, part).toBeLessThan(5_000_000);
  }
});
