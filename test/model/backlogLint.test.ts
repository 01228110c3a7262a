import { expect, test } from 'vitest';
import type { Task } from '../../src/model/backlog.ts';
import { dependencyDrifts } from '../../src/model/backlogLint.ts';

function task(id: string, description: string, dependencies: string[] = []): Task {
  return { id, title: id, category: 'core', status: 'not_started', description, dependencies };
}

test.each<[string, Task[], string[]]>([
  ['a mention that is no dependency', [task('a', 'after b'), task('b', '')], ['a: b']],
  ['several, sorted, each once', [task('a', 'c, then b; then c'), task('b', ''), task('c', '')], ['a: b, c']],
  ['in backquotes', [task('a', 'needs `fix-it`.'), task('fix-it', '')], ['a: fix-it']],
  ['part of a longer word', [task('a', 'needs foo-bar, foo_bar and xfoo'), task('foo', '')], []],
  ['itself', [task('a', 'a is a')], []],
  ['what it depends on', [task('a', 'after b', ['b']), task('b', '')], []],
  ['a dependency that no word tells of', [task('a', '', ['b']), task('b', '')], []],
  ['an id that nobody has', [task('a', 'after zebra')], []],
  ['an id of several words', [task('a', 'see v1.2 (x).'), task('v1.2', ''), task('1.2', '')], ['a: v1.2']],
  ['no description', [{ ...task('a', ''), description: null }, task('b', '')], []],
])('%s', (_name, tasks, expected) => {
  expect(dependencyDrifts(tasks).map(({ id, missing }) => `${id}: ${missing.join(', ')}`)).toEqual(expected);
});

test('what is told of a task', () => {
  const tasks = [task('a', 'after b and c', ['c']), task('b', ''), task('c', '')];
  expect(dependencyDrifts(tasks)).toEqual([{ id: 'a', mentioned: ['b', 'c'], dependencies: ['c'], missing: ['b'] }]);
});

test('a long description is read once', () => {
  const words = Array.from({ length: 200_000 }, (_, n) => `t${n}`).join(' ');
  const tasks = Array.from({ length: 1000 }, (_, n) => task(`t${n}`, ''));
  expect(dependencyDrifts([task('a', words), ...tasks])[0]?.missing).toHaveLength(1000);
});
