import { describe, expect, test } from 'vitest';
import { entryFaults, supersessionCycle } from '../../src/vault/entryFaults.ts';
import { entrySubject } from '../../src/vault/entryFile.ts';
import { EntryIndex } from '../../src/vault/entryIndex.ts';
import { entryHead } from '../support/entries.ts';

const id = '01JD0000000000000000000000';
const retries = entryHead('techniques/bounded-retries.md', { id, title: 'Retries', aliases: ['Backoff'] });
const shopRetries = entryHead('retry.md', { title: 'retries', related: ['[[Backoff]]'] }, { project: 'Shop' });
const old = entryHead('old.md', { title: 'Old way', related: ['[[Retries]]'] }, { isArchived: true });
const index = new EntryIndex([retries, old, shopRetries]);

describe('a name stands for an entry by', () => {
  test.each<[string, string, readonly object[]]>([
    ['its id', id, [retries]],
    ['its title, in any case', 'RETRIES', [retries, shopRetries]],
    ['an alias', 'backoff', [retries]],
    ['its path', 'techniques/bounded-retries.md', [retries]],
    ['its path with knowledge/', 'knowledge/techniques/bounded-retries', [retries]],
    ['its path in a project', 'projects/Shop/knowledge/retry', [shopRetries]],
    ['the name of its file', 'bounded-retries', [retries]],
    ['its title in the archive', 'Old way', [old]],
    ['another Unicode form of it', 'Re\u0301tries'.normalize('NFC'), []],
  ])('%s', (_name, name, expected) => expect(index.find(name)).toEqual(expected));
});

test('of two entries with one title, the one of the same project is meant', () => {
  expect(index.find('Retries', shopRetries)).toEqual([shopRetries]);
  expect(index.find('Retries', retries)).toEqual([retries]);
});

test('Unicode forms and case do not tell names apart', () => {
  const entry = entryHead('x.md', { title: 'Größe – Ångström' });
  expect(new EntryIndex([entry]).find('GRÖSSE – ångström'.replace('SS', 'ß').normalize('NFD'))).toEqual([entry]);
});

test('links to an entry are found from the other end, also through an alias and from the archive', () => {
  expect(index.backlinks(retries)).toEqual([
    { from: old, key: 'related' },
    { from: shopRetries, key: 'related' },
  ]);
  expect(index.backlinks(old)).toEqual([]);
});

describe('between entries', () => {
  test.each<[string, readonly ReturnType<typeof entryHead>[], readonly string[]]>([
    ['nothing is wrong with entries of different names', [retries, old], []],
    ['two of one id are told', [retries, entryHead('b.md', { id, title: 'B' })], ['entry/duplicateId b.md']],
    ['two of one title are told', [retries, entryHead('b.md', { title: 'RETRIES' })], ['entry/duplicateTitle b.md']],
    [
      'one title in the vault and in a project is fine',
      [entryHead('a.md', { title: 'retries' }), shopRetries, retries],
      ['entry/duplicateTitle techniques/bounded-retries.md'],
    ],
    [
      'files whose names differ only in case are told',
      [entryHead('Rust.md', { title: 'A' }), entryHead('rust.md', { title: 'B' })],
      ['entry/caseTwins rust.md'],
    ],
    [
      'a link to nothing is told',
      [entryHead('a.md', { title: 'A', related: ['[[None]]'] })],
      ['entry/brokenLink a.md'],
    ],
    [
      'a link of supersession that the other end lacks is told',
      [entryHead('a.md', { title: 'A', supersedes: ['[[B]]'] }), entryHead('b.md', { title: 'B' })],
      ['entry/oneSidedLink a.md'],
    ],
    [
      'links with both ends are fine',
      [
        entryHead('a.md', { title: 'A', supersedes: ['[[B]]'], contradicts: ['[[C]]'] }),
        entryHead('b.md', { title: 'B', 'superseded-by': ['[[A]]'] }),
        entryHead('c.md', { title: 'C', contradicts: ['[[a]]'] }),
      ],
      [],
    ],
  ])('%s', (_name, heads, expected) => {
    expect(
      entryFaults(new EntryIndex(heads)).map(
        ({ diagnostic: { code, file = '' } }) => `${code} ${file.replace(/^.*\/knowledge\//, '')}`,
      ),
    ).toEqual(expected);
  });

  test('a circle of supersession is told once, with all of its entries', () => {
    const names = ['A', 'B', 'C'];
    const heads = names.map((title, n) =>
      entryHead(`${title}.md`, {
        title,
        supersedes: [`[[${names[(n + 1) % 3]}]]`],
        'superseded-by': [`[[${names[(n + 2) % 3]}]]`],
      }),
    );
    const faults = entryFaults(new EntryIndex([entryHead('z.md', { title: 'Z', related: ['[[A]]'] }), ...heads]));
    expect(faults.map(({ diagnostic }) => diagnostic.message)).toEqual([
      'Entries supersede each other in a circle: knowledge/A.md → knowledge/B.md → knowledge/C.md → knowledge/A.md.',
    ]);
  });

  test('entries of one name that all link to it are looked through at once, and few circles are told', () => {
    const heads = Array.from({ length: 3000 }, (_, n) =>
      entryHead(`e${n}.md`, { title: 'Untitled', supersedes: ['[[Untitled]]'], contradicts: ['[[Untitled]]'] }),
    );
    const index = new EntryIndex(heads);
    const faults = entryFaults(index).map(({ diagnostic }) => diagnostic);
    expect(faults.filter(({ code }) => code === 'entry/supersessionCycle')).toHaveLength(100);
    expect(Math.max(...faults.map(({ message }) => message.length))).toBeLessThan(1000);
    expect(heads.slice(0, 3).map((head) => index.backlinks(head).length)).toEqual([5998, 5998, 5998]);
  });

  test('a chain of ten thousand entries has no circle', () => {
    const heads = Array.from({ length: 10_000 }, (_, n) =>
      entryHead(`${n}.md`, { title: `T${n}`, supersedes: n === 9999 ? [] : [`[[T${n + 1}]]`] }),
    );
    expect(heads[0] && supersessionCycle(new EntryIndex(heads), heads[0])).toBeUndefined();
    expect(entryFaults(new EntryIndex(heads)).filter(({ diagnostic }) => /Cycle/.test(diagnostic.code))).toEqual([]);
  });

  test('the entry that is reached from a circle, and the one that leads to it, are not part of it', () => {
    const heads = [
      entryHead('a.md', { title: 'A', supersedes: ['[[B]]'] }),
      entryHead('b.md', { title: 'B', supersedes: ['[[C]]', '[[D]]'] }),
      entryHead('c.md', { title: 'C' }),
      entryHead('d.md', { title: 'D', supersedes: ['[[B]]'] }),
    ];
    const [first] = heads;
    expect(first && supersessionCycle(new EntryIndex(heads), first)?.map(entrySubject)).toEqual([
      'knowledge/b.md',
      'knowledge/d.md',
    ]);
  });
});
