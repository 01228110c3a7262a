import { expect, test } from 'vitest';
import type { Edit } from '../../src/model/edit.ts';
import { editEntry, formatEntryText, sectionsOf, withClosedFence } from '../../src/vault/entryText.ts';

const place = { file: '/v/knowledge/a.md', subject: 'knowledge/a.md' };
const bump: readonly Edit[] = [
  { op: 'set', path: ['version'], value: 2 },
  { op: 'set', path: ['supersedes'], value: ['[[Old way]]'] },
];

test('an edit of the frontmatter leaves every other byte as it is', () => {
  const text =
    '\ufeff---\r\n# by hand\r\ntitle:   "A"   # spaced\r\nversion: 1\r\nx-own: {a: 1}\r\ntags: [b,  c]\r\n---\r\nText  \r\n\r\n\ttab';
  expect(editEntry(text, { fields: bump }, place)).toBe(
    '\ufeff---\r\n# by hand\r\ntitle:   "A"   # spaced\r\nversion: 2\r\nx-own: {a: 1}\r\ntags: [b,  c]\r\nsupersedes:\r\n- \'[[Old way]]\'\r\n---\r\nText  \r\n\r\n\ttab',
  );
});

test('an edit of the body leaves the frontmatter as it is', () => {
  const text = '---\ntitle: A\n---\nOne.\n';
  expect(editEntry(text, { body: (body) => `${body}Two.\n` }, place)).toBe('---\ntitle: A\n---\nOne.\nTwo.\n');
});

test('an empty frontmatter takes keys, in the line ends of its file', () => {
  expect(editEntry('---\r\n---\r\nText', { fields: [{ op: 'set', path: ['title'], value: 'A' }] }, place)).toBe(
    '---\r\ntitle: A\r\n---\r\nText',
  );
});

test('a file that ends with its fence takes a body', () => {
  expect(editEntry('---\ntitle: A\n---', { body: () => 'Text.\n' }, place)).toBe('---\ntitle: A\n---\nText.\n');
});

test('an entry whose frontmatter is not closed is not edited', () => {
  expect(() => editEntry('---\ntitle: A\n', { fields: bump }, place)).toThrow(/no closing line/);
});

test('links are written in quotes, so that YAML does not read them as lists', () => {
  expect(formatEntryText({ title: 'A: b', related: ['[[C]]'] }, '\nText.\n\n')).toBe(
    "---\ntitle: 'A: b'\nrelated:\n- '[[C]]'\n---\n\nText.\n",
  );
});

test('a body falls into sections at its headings of the second level, and not at those in code', () => {
  const body = 'Before.\n## One ##\ntext\n```md\n## not one\n```\n### deeper\n## C#\n## Superseded\r\nold';
  expect(sectionsOf(body).map(({ heading, text }) => [heading, text])).toEqual([
    ['', 'Before.\n'],
    ['One', 'text\n```md\n## not one\n```\n### deeper\n'],
    ['C#', ''],
    ['Superseded', 'old'],
  ]);
  expect(
    sectionsOf(body)
      .map(({ start, end }) => body.slice(start, end))
      .join(''),
  ).toBe(body);
  expect(sectionsOf('')).toEqual([]);
});

test('code within one line opens no fence, whatever marks it begins with', () => {
  const body = '```ls``` lists files.\n## Two\n';
  expect(sectionsOf(body).map(({ heading }) => heading)).toEqual(['', 'Two']);
  expect(withClosedFence(body, '\n')).toBe(body);
});

test.each([
  ['```sh\nls\n', '```sh\nls\n```'],
  ['~~~~\r\nls\r\n~~~\r\nx', '~~~~\r\nls\r\n~~~\r\nx\r\n~~~~'],
  ['```\nls\n```\nText', '```\nls\n```\nText'],
])('%j is closed as %j', (text, closed) => {
  expect(withClosedFence(text, text.includes('\r') ? '\r\n' : '\n')).toBe(closed);
});
