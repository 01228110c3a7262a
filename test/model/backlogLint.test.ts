import { expect, test } from 'vitest';
import type { Task } from '../../src/model/backlog.ts';
import { dependencyDrifts } from '../../src/model/backlogLint.ts';

function task(id: string, description: string, dependencies: string[] = []): Task {
  return { id, title: id, category: 'core', status: 'not_started', description, dependencies };
}

test.each<[string, Task[], string[]]>([
  ['reports a mentioned task that is not a dependency', [task('a', 'after b'), task('b', '')], ['a: b']],
  [
    'reports several mentions sorted, each once',
    [task('a', 'c, then b; then c'), task('b', ''), task('c', '')],
    ['a: b, c'],
  ],
  ['reports an id in backquotes', [task('a', 'needs `fix-it`.'), task('fix-it', '')], ['a: fix-it']],
  ['ignores an id inside a longer word', [task('a', 'needs foo-bar, foo_bar and xfoo'), task('foo', '')], []],
  ['ignores a task that mentions itself', [task('a', 'a is a')], []],
  ['ignores a mentioned dependency', [task('a', 'after b', ['b']), task('b', '')], []],
  ['ignores a dependency that the text does not mention', [task('a', '', ['b']), task('b', '')], []],
  ['ignores a word that is not a task id', [task('a', 'after zebra')], []],
  [
    'reports an id that contains punctuation',
    [task('a', 'see v1.2 (x).'), task('v1.2', ''), task('1.2', '')],
    ['a: v1.2'],
  ],
  ['ignores a task without a description', [{ ...task('a', ''), description: null }, task('b', '')], []],
])('dependencyDrifts %s', (_name, tasks, expected) => {
  expect(dependencyDrifts(tasks).map(({ id, missing }) => `${id}: ${missing.join(', ')}`)).toEqual(expected);
});

test('a drift lists what the task mentions, what it depends on and what is missing', () => {
  const tasks = [task('a', 'after b and c', ['c']), task('b', ''), task('c', '')];
  expect(dependencyDrifts(tasks)).toEqual([{ id: 'a', mentioned: ['b', 'c'], dependencies: ['c'], missing: ['b'] }]);
});

test('dependencyDrifts copes with 200,000 words and 1,000 tasks', () => {
  const words = Array.from({ length: 200_000 }, (_, n) => `t${n}`).join(' ');
  const tasks = Array.from({ length: 1000 }, (_, n) => task(`t${n}`, ''));
  expect(dependencyDrifts([task('a', words), ...tasks])[0]?.missing).toHaveLength(1000);
});
