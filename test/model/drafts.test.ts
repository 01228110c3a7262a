import { expect, test } from 'vitest';
import { type Drafts, draftsOf, toDrafts, withDraft } from '../../src/model/drafts.ts';

const many = (count: number, text: string): Drafts =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`task/${n}`, text]));

test('a draft replaces the one of the same field and becomes the newest', () =>
  expect(Object.entries(withDraft({ 'a/x': '1', 'b/x': '2' }, 'a/x', '3'))).toEqual([
    ['b/x', '2'],
    ['a/x', '3'],
  ]));

test('an empty text is not a draft', () => expect(withDraft({ 'a/x': '1' }, 'a/x', '')).toEqual({}));

test('a text that is too long is not kept, nor what it replaced', () =>
  expect(withDraft({ 'a/x': '1' }, 'a/x', 'y'.repeat(100_001))).toEqual({}));

test('the oldest of more than a hundred drafts goes', () => {
  const kept = Object.keys(withDraft(many(100, 'y'), 'new/x', 'y'));
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, 'task/1', 'new/x']);
});

test('the oldest are dropped if all together are too long', () => {
  const kept = Object.keys(withDraft(many(5, 'y'.repeat(100_000)), 'new/x', 'y'));
  expect(kept).toEqual(['task/1', 'task/2', 'task/3', 'task/4', 'new/x']);
});

test('the fields of a subject are found, and no others', () =>
  expect(draftsOf({ 'task/a/x': '1', 'task/a/y': '1', 'task/ab/x': '1' }, 'task/a')).toEqual(['task/a/x', 'task/a/y']));

test.each([[undefined], ['text'], [[1]], [{ 'a/x': 1 }], [{ '': 'text' }]])('%j holds no drafts', (value) =>
  expect(toDrafts(value)).toEqual({}),
);

test('kept drafts come back', () => expect(toDrafts({ 'a/x': '1' })).toEqual({ 'a/x': '1' }));
