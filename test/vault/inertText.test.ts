import fc from 'fast-check';
import { Marked, type Token } from 'marked';
import { describe, expect, test } from 'vitest';
import { visible } from '../../src/base/fence.ts';
import { oneLine } from '../../src/base/text.ts';
import { inert, inertQuote } from '../../src/vault/inertText.ts';

const hostile = [
  '<img src=x onerror=alert(1)>',
  '[[projects/Demo/project-root/plan-state]]',
  '![[secret]] ![a](http://127.0.0.1/x.png) [a](http://127.0.0.1)',
  'phase:: done',
  '[phase:: done] (phase:: done)',
  '%%hidden%% ==marked== $x$ $$y$$ ~~gone~~',
  '#tag and ^block',
  '`= this.file.path` `$= dv.pages()`',
  '**bold** _it_ https://127.0.0.1/ | cell | \\| &amp; &lt;',
  '--- === *** - item + item 1. item 2) item',
  'ada@example.org and www.example.org',
  '<% tp.file.title %> {{title}}',
];

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  vert: '|',
  colon: ':',
  nbsp: ' ',
  commat: '@',
  period: '.',
};

/** What a reader sees of inline Markdown; throws for anything but text. */
function shown(markdown: string): string {
  const [paragraph, ...more] = new Marked().lexer(markdown);
  if (paragraph === undefined) return '';
  expect(more).toEqual([]);
  expect(paragraph.type).toBe('paragraph');
  const tokens = 'tokens' in paragraph ? ((paragraph.tokens as Token[] | undefined) ?? []) : [];
  return tokens
    .map((token) => {
      expect(['text', 'escape']).toContain(token.type);
      return 'text' in token ? String(token.text) : '';
    })
    .join('')
    .replace(/&([a-z]+);/g, (all, name: string) => entities[name] ?? all);
}

/** Marks that Obsidian or Dataview look for in the text itself, whatever stands around them. */
const marks = /::|\[\[|%%|==|\$\$|<|(?:^|\s)#|https?:\/\//;

describe('inert', () => {
  test.each(hostile)('shows %s and does nothing of it', (text) => {
    const line = inert(text);
    expect(marks.test(line)).toBe(false);
    expect(shown(`x ${line}`)).toBe(`x ${oneLine(text)}`);
  });

  test('keeps any text, in one line', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        const line = inert(text);
        expect(marks.test(line)).toBe(false);
        expect(shown(`x${line}`)).toBe(`x${oneLine(visible(text))}`);
      }),
    );
  });
});

test.each(hostile)('inertQuote shows the lines of a text with %s as one quotation', (text) => {
  const quote = inertQuote(`${text}\n\n    ${text}\n- ${text}\n1. ${text}\n---\n===\n# ${text}`);
  expect(marks.test(quote)).toBe(false);
  const [block, ...more] = new Marked().lexer(quote);
  expect(more).toEqual([]);
  expect(block?.type).toBe('blockquote');
  const types = block !== undefined && 'tokens' in block ? (block.tokens as Token[]).map(({ type }) => type) : [];
  expect(new Set(types)).toEqual(new Set(['paragraph', 'space']));
});
