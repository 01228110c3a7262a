import { expect, test } from 'vitest';
import { classify } from '../../../src/knowledge/likeness/classify.ts';

test('a tag without a word is not a tag of every statement, and does not take the place of those that are', () => {
  const { tags } = classify({ title: 'Rust', body: 'Tasks can be cancelled.' }, [
    '🔥',
    '!',
    '#',
    '$',
    '%',
    '+',
    '-',
    '.',
    '/',
    'rust',
  ]);
  expect(tags).toEqual(['rust']);
});

test.each(['Each tenant has a set of keys', 'The cursor sets the page'])('%s says nothing about settings', (body) => {
  expect(classify({ title: 'Keys', body }, []).kind).not.toBe('config');
});

test('a decision is one', () => {
  expect(classify({ title: 'Decision: one queue', body: 'The decision was to keep one queue.' }, []).kind).toBe(
    'decision',
  );
});

test('the reason quotes a word of the statement', () => {
  const { reasons } = classify({ title: 'Caching', body: 'Authentication by retries' }, []);
  for (const word of reasons.flatMap((one) => /“(.*)”/.exec(one)?.[1] ?? []))
    expect('caching authentication by retries'.split(' ')).toContain(word);
});
