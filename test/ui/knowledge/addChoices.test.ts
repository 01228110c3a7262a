import { expect, test } from 'vitest';
import type { EntryRow } from '../../../src/model/requests/knowledge.ts';
import { folderChoices, kindChoices, placeChoices, shippedChoices } from '../../../src/ui/knowledge/addChoices.ts';
import {
  entryTitleMessage,
  expertIdMessage,
  scopeMessage,
  tagsIn,
  tagsMessage,
} from '../../../src/ui/knowledge/newNames.ts';

const row = (entry: string, project = ''): EntryRow => ({
  ...{ entry, title: entry, kind: 'reference', status: 'staged', confidence: 'low', tags: [], axis: 'languages' },
  ...{ project, version: 1, file: `/vault/${entry}`, bytes: 10 },
});
const entries = [
  row('knowledge/languages/rust/async/pinning.md'),
  row('knowledge/languages/rust/traits.md'),
  row('knowledge/tools/git.md'),
  row('shop/knowledge/rust/own.md', 'shop'),
];

test('a new entry can go to each axis, to a folder with entries, to a project, or to another folder', () => {
  const choices = placeChoices(entries, ['shop']);
  expect(choices.map(({ label, description }) => [label, description])).toEqual([
    ['uncategorized', '0 entries'],
    ['languages', '2 entries'],
    ...[
      ['domains', '0 entries'],
      ['tools', '1 entry'],
      ['techniques', '0 entries'],
      ['projects', '0 entries'],
    ],
    ['languages/rust', '2 entries'],
    ['languages/rust/async', '1 entry'],
    ['shop', 'project'],
    ['Another Folder…', undefined],
  ]);
  expect(choices.slice(-3).map(({ value }) => value)).toEqual([
    { folder: 'languages/rust/async' },
    { project: 'shop' },
    'other',
  ]);
});

test('an expert answers from a folder that has entries, or from another one', () => {
  expect(folderChoices(entries).map(({ value }) => value)).toEqual([
    ...['languages', 'languages/rust', 'languages/rust/async', 'tools'],
    '',
  ]);
});

test('every kind can be chosen, and says what it is', () => {
  const choices = kindChoices();
  expect(choices[0]?.value).toBe('reference');
  expect(new Set(choices.map(({ value }) => value)).size).toBe(8);
  expect(choices.filter(({ detail = '' }) => detail === '')).toEqual([]);
});

test('experts that come with Ravel are offered together and one by one, without those that are there', () => {
  const shipped = [
    { expert: 'rust', description: 'Knows Rust', entries: 12, isAdded: true },
    { expert: 'ffi', description: 'Knows FFI', entries: 13, isAdded: false },
    { expert: 'research', description: 'Knows papers', entries: 14, isAdded: false },
  ];
  const rows = (experts: typeof shipped) => shippedChoices(experts).map(({ label, value }) => [label, value]);
  expect(rows(shipped)).toEqual([
    ['All 2 That Come With Ravel', ['ffi', 'research']],
    ['ffi', ['ffi']],
    ['research', ['research']],
    ['An Expert of Your Own…', 'own'],
  ]);
  expect(rows(shipped.slice(0, 2))).toEqual([
    ['ffi', ['ffi']],
    ['An Expert of Your Own…', 'own'],
  ]);
});

test.each([
  ['a title', entryTitleMessage, 'Retries need a limit', ' '],
  ['tags', tagsMessage, ' #rust, async  c++', 'a|b'],
  ['no tags', tagsMessage, '', 'x'.repeat(101)],
  ['the id of an expert', (text: string) => expertIdMessage(text, ['rust']), ' ffi ', 'rust'],
  ['the letters of an id', (text: string) => expertIdMessage(text, []), 'c-2', 'FFI'],
  ['a folder', scopeMessage, ' languages/rust ', '../secrets'],
] as const)('%s is checked while it is typed', (_what, check, good, bad) => {
  expect(check(good)).toBeUndefined();
  expect(check(bad)).toMatch(/^[A-Z"].*\.$/);
});

test('tags stand with commas or blanks between them, with or without a hash', () => {
  expect(tagsIn(' #rust, async  c++,')).toEqual(['rust', 'async', 'c++']);
});
