import { describe, expect, test } from 'vitest';
import type { Backlog, Task } from '../../../src/model/backlog.ts';
import { formatTransitions } from '../../../src/plans/proposals/transitions.ts';

const task = (changes: Partial<Task> = {}): Task => ({
  id: 'add-a-farewell',
  title: 'Add a farewell',
  category: 'core',
  status: 'not_started',
  ...changes,
});

describe('the transitions of a backlog', () => {
  function check(before: Backlog | undefined, after: Backlog | undefined, expected: string[]): void {
    expect(formatTransitions(before, after).split('\n')).toEqual(expected);
  }
  const from = (before: Partial<Task>, after: Partial<Task>, expected: string[]): void =>
    check({ tasks: [task(before)] }, { tasks: [task(after)] }, expected);

  test('show added and removed tasks', () => {
    check({ tasks: [] }, { tasks: [task()] }, ['+ add-a-farewell: Add a farewell']);
    check({ tasks: [task()] }, { tasks: null }, ['- add-a-farewell: Add a farewell']);
    check({ tasks: [task()] }, undefined, ['- add-a-farewell: Add a farewell']);
  });

  test('show a changed field', () => {
    from({}, { status: 'done' }, ['~ add-a-farewell: not_started → done']);
    from({}, { title: 'Say goodbye' }, ['~ add-a-farewell: title "Add a farewell" → "Say goodbye"']);
    from({}, { dependencies: ['a', 'b'] }, ['~ add-a-farewell: dependencies [] → [a, b]']);
    from({}, { results: 'One\nTwo\n' }, ['~ add-a-farewell: results added (2 lines)']);
    from({ results: 'One' }, { results: 'Two' }, ['~ add-a-farewell: results changed (1 line)']);
    from({ handoff: 'One' }, { handoff: null }, ['~ add-a-farewell: hand-off removed']);
  });

  test('show each of several changes on its own line', () => {
    from({}, { status: 'done', results: 'It works.' }, [
      '~ add-a-farewell: not_started → done',
      '~ add-a-farewell: results added (1 line)',
    ]);
  });

  test('leave out a change of form or order', () => {
    from({ dependencies: null, results: null }, { dependencies: [], results: ' \n' }, ['(no change)']);
    from({ results: 'One' }, { results: 'One\n' }, ['(no change)']);
    const [one, two] = [task({ id: 'one' }), task({ id: 'two' })];
    check({ tasks: [one, two] }, { tasks: [two, one] }, ['(no change)']);
  });

  test('say that the baseline has no backlog', () => {
    check(undefined, { tasks: [task()] }, ['(no backlog at the baseline)']);
  });
});
