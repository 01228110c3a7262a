import { expect, test } from 'vitest';
import { rankMemory } from '../../../src/knowledge/memory/rankMemory.ts';

const entries = [
  { id: 'other', title: 'The lock is held by one owner', body: 'A second one waits.' },
  { id: 'words', title: 'How state is read', body: 'A run reads its state when it starts.' },
  { id: 'code', title: 'One reader', body: 'Only `readRunState` in `src/plans/runState.ts` opens that file.' },
  { id: 'twin', title: 'How state is read', body: 'A run reads its state when it starts.' },
];
const task = { title: 'Cache the state of a run', description: 'Change `readRunState` so that it reads once.' };

function check(options: Parameters<typeof rankMemory>[2], expected: string) {
  expect(
    rankMemory(task, entries, options)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(expected);
}

test.each<[string, Parameters<typeof rankMemory>[2], string]>([
  ['names written as code first, and nothing without a word of the task', {}, 'code words twin'],
  ['as many as were asked for', { limit: 1 }, 'code'],
  ['what fits a budget', { bytesMax: 60 }, 'words'],
  ['nothing into a budget of nothing', { bytesMax: 0 }, ''],
])('ranks %s', (_what, options, expected) => check(options, expected));

test.each<[string, { title: string; description?: string | null }]>([
  ['without any text', { title: '' }],
  ['with an empty description', { title: '', description: null }],
  ['that ends within code', { title: 'a `' }],
])('a task %s has no memory', (_what, texts) => expect(rankMemory(texts, entries)).toEqual([]));
