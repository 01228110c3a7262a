import { describe, expect, test } from 'vitest';
import { axisOf, entrySubject, linksInBody, parseEntry } from '../../src/vault/entryFile.ts';
import { EntryIndex } from '../../src/vault/entryIndex.ts';

const place = { file: '/v/knowledge/languages/a.md', project: '', path: 'languages/a.md', isArchived: false };

test('an entry is read with its fields, its links, its sections and its hash', () => {
  const text = '---\ntitle: A\nrelated: ["[[B|b]]"]\n---\nSee [[C#why]] and [[C]].\n## One\nText.\n';
  const parsed = parseEntry(text, place);
  expect(parsed).toMatchObject({ kind: 'entry', diagnostics: [] });
  expect(parsed.kind === 'entry' && parsed.entry).toMatchObject({
    ...place,
    fields: { title: 'A', kind: 'reference', version: 1 },
    links: [
      { key: 'related', target: 'B' },
      { key: 'body', target: 'C' },
    ],
    bytes: text.length,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    sections: [{ heading: '' }, { heading: 'One', text: 'Text.\n' }],
  });
});

test('names that look like numbers stay as they are written, and links lead to them', () => {
  const named = parseEntry('---\ntitle: 1.10\naliases: [007, "08", Bond, 0x1F]\n---\n', place);
  const listed = parseEntry('---\ntitle: B\naliases:\n- 009 # the other one\n---\n', {
    ...place,
    path: 'languages/b.md',
  });
  const link = { ...place, path: 'languages/c.md' };
  const linking = parseEntry('---\ntitle: C\nrelated: [[a|Bond]]\n---\n[[007]] [[1.10]] [[009]]\n', link);
  const entries = [named, listed, linking].flatMap((parsed) => (parsed.kind === 'entry' ? [parsed.entry] : []));
  expect(entries.map(({ fields }) => [fields.title, ...fields.aliases])).toEqual([
    ...[['1.10', '007', '08', 'Bond', '0x1F'], ['B', '009'], ['C']],
  ]);
  const index = new EntryIndex(entries);
  const led = entries[2]?.links.map(({ target }) => [
    target,
    index
      .find(target)
      .map(({ path }) => path)
      .join(),
  ]);
  expect(led).toEqual([
    ['a', 'languages/a.md'],
    ['007', 'languages/a.md'],
    ['1.10', 'languages/a.md'],
    ['009', 'languages/b.md'],
  ]);
});

describe('what is in a knowledge folder is', () => {
  test.each<[string, string, 'entry' | 'note' | 'broken', readonly string[]]>([
    ['an entry with CRLF', '---\r\ntitle: A\r\n---\r\nText.\r\n', 'entry', []],
    ['an entry with a byte order mark, with a warning', '\ufeff---\ntitle: A\n---\n', 'entry', ['entry/byteOrderMark']],
    ['a note without frontmatter', '# A\n', 'note', []],
    ['a note whose frontmatter has no title', '---\ntags: [a]\n---\nText.\n', 'note', []],
    ['an empty note', '', 'note', []],
    ['broken if its frontmatter is not YAML', '---\ntitle: [a\n---\n', 'broken', ['yaml/syntax']],
    ['broken if its frontmatter has no end', '---\ntitle: A\n', 'broken', ['frontmatter/unclosed']],
    ['broken if a key holds something else', '---\ntitle: A\ndepth: 7\n---\n', 'broken', ['entry/badKey']],
    ['broken if its form is newer', '---\nschema: ravel.entry.v9\ntitle: A\n---\n', 'broken', ['entry/badKey']],
    ['broken if it is an entry without a title', '---\nschema: ravel.entry.v1\n---\n', 'broken', ['entry/badKey']],
    ['broken if it is binary', 'PK\u0003\u0004\0\0', 'broken', ['entry/binary']],
  ])('%s', (_name, text, kind, codes) => {
    const parsed = parseEntry(text, place);
    expect([parsed.kind, parsed.diagnostics.map(({ code }) => code)]).toEqual([kind, codes]);
  });
});

test('a fault of a key is told at its line, and a key that is missing by its name', () => {
  const depth = parseEntry('---\ntitle: A\ndepth: 7\n---\n', place).diagnostics[0];
  expect(depth).toMatchObject({ message: 'depth: expected 1, 2 or 3.', range: { start: { line: 2 } } });
  const title = parseEntry('---\nschema: ravel.entry.v1\n---\n', place).diagnostics[0];
  expect(title).toMatchObject({ message: 'The entry has no "title".', subject: 'knowledge/languages/a.md' });
});

test('an entry has an axis in the vault, and none in a project', () => {
  expect(axisOf(place)).toBe('languages');
  expect(axisOf({ project: '', path: 'a.md' })).toBe('');
  expect(axisOf({ project: 'Shop', path: 'languages/a.md' })).toBe('');
  expect(entrySubject({ ...place, project: 'Shop', isArchived: true })).toBe('Shop/archive/knowledge/languages/a.md');
});

test('a text has at most 500 links', () => {
  const many = Array.from({ length: 600 }, (_, n) => `[[n${n}]]`).join(' ');
  expect(linksInBody(many)).toHaveLength(500);
});
