import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { parseFrontmatter } from '../../src/vault/frontmatter.ts';

const place = { file: 'plan-state.md', subject: 'Demo/project-root' };

describe('parseFrontmatter', () => {
  function check(text: string, data: unknown, body: string): void {
    const result = parseFrontmatter(text, place);
    expect(result).toMatchObject({ data, body, diagnostics: [] });
    expect(text.slice(result.bodyOffset)).toBe(body);
  }

  test.each<[string, unknown, string]>([
    ['---\na: 1\n---\nbody\n', { a: 1 }, 'body\n'],
    ['\ufeff---\r\na: x\r\n---\r\nbody\r\n', { a: 'x' }, 'body\r\n'],
    ['---\n---\n', {}, ''],
    ['---\n# only a comment\n---\nx', {}, 'x'],
    ['---\na: 1\n---', { a: 1 }, ''],
    ['---\na: 1\n---\n---js\nx\n---\n', { a: 1 }, '---js\nx\n---\n'],
    ['---\na: 2026-01-02\nb: 010\nexcerpt_separator: x\n---\n', { a: '2026-01-02', b: 10, excerpt_separator: 'x' }, ''],
    ['---\na: |\n  x\n  --- y\n---\nb', { a: 'x\n--- y\n' }, 'b'],
  ])('reads %j', check);

  test('returns separate data to each caller', () => {
    const text = '---\na: [1]\n---\n';
    expect(parseFrontmatter(text, place).data).not.toBe(parseFrontmatter(text, place).data);
  });
});

describe('parseFrontmatter reports a problem', () => {
  function check(text: string, code: string, line: number): void {
    const { data, diagnostics } = parseFrontmatter(text, place);
    expect(data).toBeUndefined();
    expect(diagnostics[0]).toMatchObject({ code, file: place.file, range: { start: { line } } });
  }

  test.each<[string, string, number]>([
    ['', 'frontmatter/badFence', 0],
    ['prose\n', 'frontmatter/badFence', 0],
    ['\n---\na: 1\n---\n', 'frontmatter/badFence', 0],
    ['--- \na: 1\n---\n', 'frontmatter/badFence', 0],
    ['----\na: 1\n---\n', 'frontmatter/badFence', 0],
    ['---js\n1\n---\n', 'frontmatter/badFence', 0],
    ['---json\n{}\n---\n', 'frontmatter/badFence', 0],
    ['---yaml\na: 1\n---\n', 'frontmatter/badFence', 0],
    ['---\na: 1\n', 'frontmatter/unclosed', 0],
    ['---\na: 1\n---more\n---\n', 'frontmatter/unclosed', 2],
    ['---\na: 1\nb: [x}\n---\n', 'yaml/syntax', 2],
    ['---\na: &x 1\n---\n', 'yaml/bomb', 1],
    [`---\na: ${'x'.repeat(65 * 1024)}\n---\n`, 'disk/tooLarge', 0],
  ])('for %j with code %s at line %i', check);

  test('but never throws', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, closed) => {
        parseFrontmatter(`---\n${text}${closed ? '\n---\n' : ''}`, place);
      }),
    ));
});

describe('parseFrontmatter never evaluates', () => {
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'pwned');
  });
  const attack = '(globalThis.pwned = true, {})';

  test.each([
    `---js\n${attack}\n---\n`,
    `---JS\n${attack}\n---\n`,
    `---javascript\n${attack}\n---\n`,
    `--- js\n${attack}\n---\n`,
    `---coffee\nglobalThis.pwned = true\n---\n`,
    `---\na: 1\n---\n---js\n${attack}\n---\n`,
    `\ufeff---js\r\n${attack}\r\n---\r\n`,
    `---\nlanguage: js\neval: true\na: !!js/function 'function () { globalThis.pwned = true }'\n---\n`,
  ])('%j', (text) => {
    parseFrontmatter(text, place);
    expect(globalThis).not.toHaveProperty('pwned');
  });
});
