import { describe, expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
import { offeredTasks, taskArguments, taskName, toRunTask } from '../../../src/ui/tasks/runTask.ts';

describe('a task of the editor', () => {
  test.each([
    [{ run: 'next' }, 'run --next --cycles 1', 'run next'],
    [{ run: 'next', cycles: 5 }, 'run --next --cycles 5', 'run the next 5 cycles'],
    [
      { run: 'cycles', plan: 'shop/project-root' },
      'run shop/project-root --cycles 1',
      'run cycle of shop/project-root',
    ],
    [
      { run: 'cycles', plan: 'a/project-root', cycles: 2 },
      'run a/project-root --cycles 2',
      'run 2 cycles of a/project-root',
    ],
    [
      { run: 'cycles', plan: 'a/project-root', harness: 'scripted', scenario: 's.yaml' },
      'run a/project-root --cycles 1 --harness scripted --scenario s.yaml',
      'run cycle of a/project-root',
    ],
  ])('%j runs `ravel %s`', (definition, words, name) => {
    const task = toRunTask({ type: 'ravel', ...definition });
    expect(task && taskArguments(task).join(' ')).toBe(words);
    expect(task && taskName(task)).toBe(name);
  });

  test.each([
    {},
    { run: 'all' },
    { run: 'cycles' },
    { run: 'cycles', plan: '' },
    { run: 'cycles', plan: '--vault' },
    { run: 'next', plan: 'shop/project-root' },
    { run: 'next', cycles: 0 },
    { run: 'next', cycles: 1.5 },
    { run: 'next', cycles: '3' },
    { run: 'next', harness: '' },
    { run: 'next', scenario: ['x'] },
  ])('%j is none', (definition) => expect(toRunTask({ type: 'ravel', ...definition })).toBeUndefined());

  test('is offered for what is next and for the first twenty ready plans', () => {
    const plans = Array.from({ length: 10_000 }, (_, at) => `shop/project-root/p${at}` as QualifiedId);
    const offered = offeredTasks(plans);
    expect(offered.length).toBe(21);
    expect(offered.slice(0, 2)).toEqual([{ run: 'next' }, { run: 'cycles', plan: 'shop/project-root/p0' }]);
  });
});
