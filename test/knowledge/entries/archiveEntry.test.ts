import { describe, expect, test } from 'vitest';
import { archiveEntry, restoreEntry } from '../../../src/knowledge/entries/archiveEntry.ts';
import { mergeEntries } from '../../../src/knowledge/entries/mergeEntries.ts';
import { EntryIndex } from '../../../src/vault/entryIndex.ts';
import { entryOfText, entriesLayout as layout, makeEntry } from '../../support/entries.ts';

const context = { today: '2026-11-26', newUlid: () => '01JD0000000000000000000000' as never, taken: () => false };

describe('an entry that is archived and restored', () => {
  test.each<[string, string]>([
    [
      'is as it was but for its version',
      '---\ntitle: A # mine\nstatus: staged\nid: 01JD0000000000000000000000\nversion: 1\n---\nText.\n',
    ],
    [
      'has no status if it had none',
      '\ufeff---\r\ntitle: A\r\nid: 01JD0000000000000000000000\r\nversion: 1\r\n---\r\n\r\nText.  ',
    ],
    [
      'has its status if the key is in quotes',
      '---\ntitle: A\n"status": staged\nid: 01JD0000000000000000000000\nversion: 1\n---\nText.\n',
    ],
    [
      'has no status if only its text has such a line',
      '---\ntitle: A\nid: 01JD0000000000000000000000\nversion: 1\n---\nstatus: fine\n',
    ],
  ])('%s', (_name, text) => {
    const entry = entryOfText('languages/rust/a.md', text);
    const archived = archiveEntry(layout, entry, 'Old', context).files;
    expect(archived.map(({ place, before, after }) => [place.file, before === undefined, after === undefined])).toEqual(
      [
        ['/v/archive/knowledge/languages/rust/a.md', true, false],
        ['/v/knowledge/languages/rust/a.md', false, true],
      ],
    );
    const put = entryOfText('languages/rust/a.md', archived[0]?.after ?? '', { isArchived: true });
    expect(put.fields).toMatchObject({ status: 'archived', version: 2, 'archived-at': '2026-11-26' });
    const restored = restoreEntry(layout, put, context).files;
    expect(restored[0]?.place.file).toBe('/v/knowledge/languages/rust/a.md');
    expect(restored[0]?.after).toBe(text.replace('version: 1', 'version: 3'));
    expect(restored[1]).toMatchObject({ place: { isArchived: true }, before: put.text });
  });

  test('has the keys of a person again that are called as those of the archive', () => {
    const text =
      '---\ntitle: A\narchived-at: Leeds # mine\narchived-from:\narchived-status: staged\narchived-own: {archived-at: [1, x]}\nid: 01JD0000000000000000000000\nversion: 1\n---\nText.\n';
    const entry = entryOfText('a.md', text);
    const put = entryOfText('a.md', archiveEntry(layout, entry, 'Old', context).files[0]?.after ?? '', {
      isArchived: true,
    });
    expect(put.fields).toMatchObject({ status: 'archived', 'archived-at': '2026-11-26', 'archived-from': 'a.md' });
    const after = restoreEntry(layout, put, context).files[0]?.after ?? '';
    expect(entryOfText('a.md', after).fields).toEqual({ ...entry.fields, version: 3 });
    expect(after).toContain('archived-at: Leeds # mine\n');
    expect(after).toMatch(/^archived-from:/m);
  });

  test('gets another name in the archive where its own is in use, and comes back to its own', () => {
    const entry = makeEntry('a.md', { title: 'A' }, { project: 'Shop' });
    const taken = ({ path }: { path: string }) => path === 'a.md';
    const [copy] = archiveEntry(layout, entry, 'Old', { ...context, taken }).files;
    expect(copy?.place.file).toBe('/v/projects/Shop/archive/knowledge/a-2.md');
    const put = entryOfText('a-2.md', copy?.after ?? '', { project: 'Shop', isArchived: true });
    expect(restoreEntry(layout, put, context).files[0]?.place.path).toBe('a.md');
    expect(() => restoreEntry(layout, put, { ...context, taken })).toThrow(/in use/);
  });

  test('never comes back outside of its folder, whatever its file says', () => {
    const put = makeEntry('a.md', { title: 'A', 'archived-from': '../../escape.md' }, { isArchived: true });
    expect(restoreEntry(layout, put, context).files[0]?.place.file).toBe('/v/knowledge/a.md');
  });

  test('stays an entry if someone wrote a status there that none can have', () => {
    const put = makeEntry('a.md', { title: 'A', 'archived-status': 'lost' }, { isArchived: true });
    expect(entryOfText('a.md', restoreEntry(layout, put, context).files[0]?.after ?? '').fields.status).toBe(
      'consolidated',
    );
  });

  test('is refused where it is already', () => {
    const entry = makeEntry('a.md', { title: 'A' });
    expect(() => restoreEntry(layout, entry, context)).toThrow(/not in the archive/);
    expect(() => archiveEntry(layout, { ...entry, isArchived: true }, 'Old', context)).toThrow(/already/);
  });
});

test('a merge keeps every statement once, and its names lead to the entry that is left', () => {
  const into = makeEntry(
    'into.md',
    { title: 'Retries', tags: ['a'] },
    { body: 'Keep a limit.\n\n## Superseded\n\nold' },
  );
  const from = makeEntry(
    'from.md',
    { title: 'Backoff', aliases: ['Waiting'], tags: ['a', 'b'], related: ['[[Retries]]', '[[Timeouts]]'] },
    { body: 'Keep a limit.\n\n## Pause\n\nWait longer each time.' },
  );
  const [merged, archived, removed] = mergeEntries(layout, new EntryIndex([into, from]), { from, into }, context).files;
  const text = merged?.after ?? '';
  expect(text.slice(text.indexOf('\n\nKeep'))).toBe(
    '\n\nKeep a limit.\n\n## Pause\n\nWait longer each time.\n\n## Superseded\n\nold\n',
  );
  const entry = entryOfText('into.md', text);
  expect(entry.fields).toMatchObject({
    aliases: ['Backoff', 'Waiting'],
    tags: ['a', 'b'],
    related: ['[[Timeouts]]'],
    version: 2,
  });
  const put = entryOfText('from.md', archived?.after ?? '', { isArchived: true });
  expect(put.fields['superseded-by']).toEqual(['[[Retries]]']);
  expect(removed).toMatchObject({ before: from.text });
  expect(new EntryIndex([entry, put]).find('Backoff')).toEqual([entry]);
});

test('entries that contradicted each other and are merged leave none that contradicts itself', () => {
  const into = makeEntry('into.md', { title: 'Retries', contradicts: ['[[Backoff]]', '[[Timeouts]]'] });
  const from = makeEntry('from.md', { title: 'Backoff', contradicts: ['[[Retries]]'] });
  const [merged] = mergeEntries(layout, new EntryIndex([into, from]), { from, into }, context).files;
  expect(entryOfText('into.md', merged?.after ?? '').fields.contradicts).toEqual(['[[Timeouts]]']);
});

describe('a merge', () => {
  const bodyOf = (into: string, from: string) => {
    const both = {
      into: makeEntry('i.md', { title: 'I' }, { body: into }),
      from: makeEntry('f.md', { title: 'F' }, { body: from }),
    };
    const [merged] = mergeEntries(layout, new EntryIndex([both.into, both.from]), both, context).files;
    return merged?.after?.split('---\n\n')[1];
  };

  test('keeps a statement that says the same as another one below another heading', () => {
    expect(bodyOf('## Linux\n\nWorks.', '## Windows\n\nWorks.')).toBe('## Linux\n\nWorks.\n\n## Windows\n\nWorks.\n');
  });

  test('keeps what both superseded below one heading, at the end', () => {
    const from = 'New.\n\n## Superseded\n\n### F\n\n> older';
    expect(bodyOf('Text.\n\n## Superseded\n\n### I\n\n> old', from)).toBe(
      'Text.\n\n## F\n\nNew.\n\n## Superseded\n\n### I\n\n> old\n\n### F\n\n> older\n',
    );
    expect(bodyOf('Text.', from)).toBe('Text.\n\n## F\n\nNew.\n\n## Superseded\n\n### F\n\n> older\n');
  });

  test('ends code that one of the two left open, so that no section becomes part of it', () => {
    expect(bodyOf('## A\n\n```sh\nls\n', '## B\n\n~~~~\ntext\n\n## Superseded\n\n> old')).toBe(
      '## A\n\n```sh\nls\n```\n\n## B\n\n~~~~\ntext\n\n## Superseded\n\n> old\n',
    );
    expect(bodyOf('```sh\nls', '## B\n\nTwo.')).toBe('```sh\nls\n```\n\n## B\n\nTwo.\n');
    expect(bodyOf('Text.\n\n## Superseded\n\n~~~~\nold', 'New.\n\n## Superseded\n\n> older')).toBe(
      'Text.\n\n## F\n\nNew.\n\n## Superseded\n\n~~~~\nold\n~~~~\n\n> older\n',
    );
  });

  test('is refused into an entry of the archive', () => {
    const both = {
      into: makeEntry('i.md', { title: 'I' }, { isArchived: true }),
      from: makeEntry('f.md', { title: 'F' }),
    };
    const merge = () => mergeEntries(layout, new EntryIndex([both.into, both.from]), both, context);
    expect(merge).toThrow(/is in the archive/);
  });

  test('leaves a text as it is if nothing is new', () => {
    expect(bodyOf('Text.', 'Text.')).toBe('Text.\n');
  });
});
