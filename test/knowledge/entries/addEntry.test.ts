import { describe, expect, test } from 'vitest';
import { addEntry, fileStem, type NewEntry } from '../../../src/knowledge/entries/addEntry.ts';
import { renameEntry } from '../../../src/knowledge/entries/renameEntry.ts';
import { EntryIndex } from '../../../src/vault/entryIndex.ts';
import { entryOfText, entriesLayout as layout, makeEntry } from '../../support/entries.ts';

const id = '01JD0000000000000000000000';
const context = { today: '2026-11-26', newUlid: () => id as never, taken: () => false };
const entry: NewEntry = {
  ...{ title: 'Retries need a limit', body: 'Text.', project: '', folder: 'techniques/net' },
  ...{ confidence: 'low', status: 'staged', tags: ['retry'], kind: 'heuristic' },
};

test('a new entry has an id, its first version, and its day', () => {
  const [file] = addEntry(layout, new EntryIndex([]), entry, context).files;
  expect(file?.place.file).toBe('/v/knowledge/techniques/net/retries-need-a-limit.md');
  expect(file?.after).toBe(
    `---\nschema: ravel.entry.v1\nid: ${id}\ntitle: Retries need a limit\nkind: heuristic\ntags:\n- retry\n` +
      'confidence: low\nstatus: staged\ndepth: 1\nversion: 1\ncreated: 2026-11-26\n---\n\nText.\n',
  );
});

describe('the file of an entry is named', () => {
  test.each<[string, string]>([
    ['C++: move & copy!', 'c-move-copy'],
    ['Größe von Äpfeln', 'größe-von-äpfeln'],
    ['e\u0301te\u0301', 'été'],
    ['日本語のメモ', '日本語のメモ'],
    ['🎉🎉', 'entry'],
    ['../../etc/passwd', 'etc-passwd'],
    ['CON', 'con-entry'],
    ['Index', 'index-entry'],
    ['x'.repeat(200), 'x'.repeat(70)],
    ['𝒳'.repeat(60), '𝒳'.repeat(35)],
  ])('for %j: %s', (title, stem) => {
    expect(fileStem(title)).toBe(stem);
  });
});

test('a name that is in use, in any case, gets a number', () => {
  const taken = ({ path }: { path: string }) => /limit(-2)?\.md$/.test(path);
  const [file] = addEntry(layout, new EntryIndex([]), entry, { ...context, taken }).files;
  expect(file?.place.path).toBe('techniques/net/retries-need-a-limit-3.md');
});

describe('a new entry is refused', () => {
  const same = makeEntry('a.md', { title: 'retries NEED a limit' });
  test.each<[string, Partial<NewEntry>, RegExp]>([
    ['with the title of another one', {}, /has this title already/],
    ['with an empty title', { title: ' ' }, /title is empty/],
    ['outside of the axes', { title: 'New', folder: 'misc' }, /begins with languages/],
    ['above its folder', { title: 'New', folder: 'tools/../..' }, /not a folder below/],
    ['in a hidden folder', { title: 'New', folder: 'tools/.git' }, /not a folder below/],
    ['in a folder that would not be looked into', { title: 'New', folder: `tools${'/a'.repeat(20)}` }, /too deep/],
    ['in a folder that Windows cannot have', { title: 'New', folder: 'tools/con' }, /on every system/],
    ['in a folder that ends with a dot', { title: 'New', folder: 'tools/a.' }, /not a folder below/],
    [
      'in a folder with a name that is too long',
      { title: 'New', folder: `tools/${'a'.repeat(256)}` },
      /on every system/,
    ],
    ['in an absolute folder', { title: 'New', project: 'Shop', folder: '/etc' }, /not a folder below/],
  ])('%s', (_name, change, message) => {
    expect(() => addEntry(layout, new EntryIndex([same]), { ...entry, ...change }, context)).toThrow(message);
  });

  test('but not with the title of an entry of a project, or of an archived one', () => {
    const others = [
      makeEntry('a.md', { title: entry.title }, { project: 'Shop' }),
      makeEntry('b.md', { title: entry.title }, { isArchived: true }),
    ];
    expect(addEntry(layout, new EntryIndex(others), entry, context).files).toHaveLength(1);
  });
});

describe('an entry that gets another title', () => {
  const old = makeEntry('a.md', { title: 'Retries', aliases: ['Again'] });

  test('keeps the old one as an alias', () => {
    const [file] = renameEntry(new EntryIndex([old]), old, 'Bounded retries', context).files;
    const { fields } = entryOfText('a.md', file?.after ?? '');
    expect([fields.title, fields.aliases, fields.version]).toEqual(['Bounded retries', ['Again', 'Retries'], 2]);
  });

  test('can take one of its aliases, or the same title in another case', () => {
    const [file] = renameEntry(new EntryIndex([old]), old, 'again', context).files;
    expect(entryOfText('a.md', file?.after ?? '').fields.aliases).toEqual(['Retries']);
  });

  test('cannot take that of another one', () => {
    const other = makeEntry('b.md', { title: 'Other', aliases: ['Taken'] });
    expect(() => renameEntry(new EntryIndex([old, other]), old, 'taken', context)).toThrow(/already/);
  });
});
