import { expect, test } from 'vitest';
import { categoriesOf, type ListedTask, shownTaskRows, viewTasks } from '../../../webview/tabs/backlogView.ts';

function task(id: string, more: Partial<ListedTask> = {}): ListedTask {
  return { id, title: `Title of ${id}`, category: 'core', status: 'not_started', dependencies: [], ...more };
}

const tasks = [
  task('a', { status: 'done' }),
  task('b', { dependencies: ['a'] }),
  task('c', { dependencies: ['b', 'a'] }),
  task('d', { status: 'blocked', blocked_reason: 'No key yet' }),
  task('e', { dependencies: ['nowhere'], category: 'docs' }),
  task('f', { status: 'in_progress' }),
  task('g'),
];

test('tasks are grouped, with the reason they wait and the tasks that need them', () => {
  const groups = viewTasks(tasks);
  expect([...groups].map(([group, members]) => [group, members.map(({ id }) => id)])).toEqual([
    ['in_progress', ['f']],
    ['ready', ['b', 'g']],
    ['waiting', ['c', 'e']],
    ['blocked', ['d']],
    ['done', ['a']],
  ]);
  expect(groups.get('waiting')?.map(({ why }) => why)).toEqual([
    'Waits for “Title of b”.',
    'Depends on nowhere, which is not a task of this backlog.',
  ]);
  expect(groups.get('blocked')?.[0]?.why).toBe('No key yet');
  expect(groups.get('done')?.[0]?.neededBy).toEqual(['b', 'c']);
  expect(groups.get('ready')?.map(({ above, below }) => [above, below])).toEqual([
    [undefined, 'g'],
    ['b', undefined],
  ]);
});

test('a closed group shows only its head, unless a filter finds something in it', () => {
  const groups = viewTasks(tasks);
  const closed = new Set(['done', 'waiting'] as const);
  const told = (filter: string) =>
    shownTaskRows(groups, closed, filter).map((row) =>
      row.kind === 'group' ? `${row.group} ${row.count}` : row.task.id,
    );
  expect(told('')).toEqual(['in_progress 1', 'f', 'ready 2', 'b', 'g', 'waiting 2', 'blocked 1', 'd', 'done 1']);
  expect(told(' DOCS ')).toEqual(['waiting 1', 'e']);
  expect(told('title a')).toEqual(expect.arrayContaining(['done 1', 'a']));
  expect(told('nothing like it')).toEqual([]);
});

test('a task that waits for many names three of them', () => {
  const many = ['b', 'c', 'd', 'e', 'f'].map((id) => task(id));
  const [waiting] = viewTasks([...many, task('a', { dependencies: ['b', 'c', 'd', 'e', 'f'] })]).get('waiting') ?? [];
  expect(waiting?.why).toBe('Waits for “Title of b”, “Title of c”, “Title of d”, 2 more.');
});

test('ten thousand dependent tasks are grouped', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => task(`t${n}`, { dependencies: n === 0 ? [] : [`t${n - 1}`] }));
  expect(viewTasks(many).get('waiting')).toHaveLength(9_999);
});

test('categories are listed once, sorted', () => {
  expect(categoriesOf(tasks)).toEqual(['core', 'docs']);
});
