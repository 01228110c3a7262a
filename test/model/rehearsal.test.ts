import { expect, test } from 'vitest';
import { compareRecords, repliesBetween, restorePaths } from '../../src/model/rehearsal.ts';
import { rehearsalNotes } from '../../src/model/rehearsalText.ts';
import { sampleReport } from '../support/rehearsalReport.ts';

test('records are compared field by field, and those that are gone come last', () => {
  const before = [
    { id: 'a', title: 'A', status: 'new', tags: ['x'] },
    { id: 'gone', title: 'Gone' },
    { id: 'same', title: 'Same', tags: ['x'] },
  ];
  const after = [
    { id: 'same', title: 'Same', tags: ['x'] },
    { id: 'a', title: 'A', status: 'done', results: 'Yes.', tags: ['x'] },
    { id: 'new', title: 'New' },
  ];
  expect(compareRecords(before, after)).toEqual([
    {
      id: 'a',
      title: 'A',
      change: 'changed',
      fields: [
        { name: 'status', before: 'new', after: 'done' },
        { name: 'results', after: 'Yes.' },
      ],
    },
    { id: 'new', title: 'New', change: 'added', fields: [] },
    { id: 'gone', title: 'Gone', change: 'removed', fields: [] },
  ]);
});

test('paths of the copy become those of the original in every text, the longest first', () => {
  const places = [
    { copy: '/tmp/r/repository/shop', original: '/code/$&shop' },
    { copy: '/tmp/r/repository/shop/vault', original: '/vault' },
  ];
  const value = { '/tmp/r/repository/shop/a': ['see /tmp/r/repository/shop/vault/x', 1, null], b: undefined };
  expect(restorePaths(value, places)).toEqual({ '/code/$&shop/a': ['see /vault/x', 1, null], b: undefined });
});

test('a message that was decided meanwhile has a reply, and one that was decided before has none', () => {
  const records = (...states: string[]) => ({
    tasks: [],
    memory: [],
    received: states.map((state, at) => ({ id: String(at), from: 'shop', state, task: 't', declined_reason: 'No.' })),
  });
  expect(
    repliesBetween(records('new', 'new', 'new', 'declined'), records('promoted', 'declined', 'new', 'declined')),
  ).toEqual([
    { type: 'reply', to: 'shop', reason: 'promoted', body: 't' },
    { type: 'reply', to: 'shop', reason: 'declined', body: 'No.' },
  ]);
});

test('a reader is told what could leave the copy, and which links it lacks', () => {
  expect(rehearsalNotes(sampleReport)).toEqual([
    'Commands were not confined to the copy, so what they did elsewhere is not told here. bubblewrap is not installed.',
    'It keeps its records elsewhere.',
    'Links that lead out of the repository were left out of the copy: out.',
  ]);
});
