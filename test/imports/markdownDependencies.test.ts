import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closingLinks, DependencyTitles } from '../../src/imports/markdownDependencies.ts';
import { dependencyCycle } from '../../src/model/backlog.ts';

const tasks = [
  { id: 'a-b-and-c', title: 'A, B, and `C`' },
  { id: 'print', title: 'Print' },
  { id: 'twin', title: 'Twin' },
  { id: 'twin-2', title: 'Twin' },
  { id: 'self', title: 'Self' },
  { id: 'self-test', title: 'Self-test — of the printer' },
];

describe('DependencyTitles', () => {
  /** The text, the tasks that it links, its note, and what of the note is not known to be met. */
  test.each<[string, string[], string, string[]]>([
    ['none', [], '', []],
    ['`none`.', [], '', []],
    ['—', [], '', []],
    ['', [], '', []],
    ['Print', ['print'], '', []],
    ['`print`, A, B, and C.', ['print', 'a-b-and-c'], '', []],
    ['Print,\n  A, B,\n  and `C`', ['print', 'a-b-and-c'], '', []],
    ['Print, Print', ['print'], '', []],
    ['**Print** (first)', ['print'], '**Print** (first)', []],
    ['Print is done; and Self-test', ['print', 'self-test'], 'Print is done', []],
    ['Self-test (the quick one)', ['self-test'], 'Self-test (the quick one)', []],
    ['the two above, all done, Print, and paper', ['print'], 'the two above, all done; and paper', ['and paper']],
    ['paper (done, in May)', [], 'paper (done, in May)', []],
    ['paper (done in May), ink', [], 'paper (done in May), ink', ['paper (done in May), ink']],
    ['paper (not yet done)', [], 'paper (not yet done)', ['paper (not yet done)']],
    ['paper done', [], 'paper done', ['paper done']],
    ['none (but paper)', [], 'none (but paper)', []],
    ['none; runs beside others', [], 'runs beside others', []],
    ['none, except for paper', [], 'except for paper', ['except for paper']],
    ['nonesuch', [], 'nonesuch', ['nonesuch']],
    ['print, prints', ['print'], 'prints', ['prints']],
    ['Twin', [], 'Twin', ['Twin']],
    ['twin-2', ['twin-2'], '', []],
    ['Self', [], 'Self', ['Self']],
  ])('resolves %j to %j with the note %j, of which %j are not met', (text, linked, note, unmet) => {
    expect(new DependencyTitles(tasks).resolve(text, 'self')).toMatchObject({ linked, note, unmet });
  });

  const numbered = ['Task 1 — Cut', 'Task 2: Fold', 'Task 3', 'Task 4 Glue', '5. Ink', 'Step 6 — Dry', 'Task 8 (last)'];
  const titles = numbered.map((title, n) => ({ id: ['t1', 't2', 't3', 't4', 't5', 's6', 't8'][n] ?? '', title }));

  test.each<[string, string[], string, string[]]>([
    ['Task 3', ['t3'], '', []],
    ['task 3.', ['t3'], '', []],
    ['Task 1 (paper), Task 2 (types)', ['t1', 't2'], 'Task 1 (paper); Task 2 (types)', []],
    ['Tasks 1–4', ['t1', 't2', 't3', 't4'], '', []],
    ['Tasks 1-3, Task 5', ['t1', 't2', 't3', 't5'], '', []],
    ['Tasks 1, 2 and 4', ['t1', 't2', 't4'], '', []],
    ['Tasks 1, 2, and 4', ['t1', 't2', 't4'], '', []],
    ['Task 1 and Task 2 & 5', ['t1', 't2', 't5'], '', []],
    ['tasks 2 to 4 must be done', ['t2', 't3', 't4'], 'tasks 2 to 4 must be done', []],
    ['#1, 4', ['t1', 't4'], '', []],
    ['Steps 6', ['s6'], '', []],
    ['Task 04', ['t4'], '', []],
    ['Tasks 3–6', ['t3', 't4', 't5'], 'Tasks 3–6; Task 6', ['Task 6']],
    ['Tasks 4-7, 8', ['t4', 't5', 't8'], 'Tasks 4-7; Task 6, Task 7', ['Task 6, Task 7']],
    ['Task 9', [], 'Task 9', ['Task 9']],
    ['Task 7, Task 8', ['t8'], 'Task 7', ['Task 7']],
    ['Tasks 8-1', [], 'Tasks 8-1', ['Tasks 8-1']],
    ['Tasks 1-99999', [], 'Tasks 1-99999', ['Tasks 1-99999']],
    ['sub-M Task 3', [], 'sub-M Task 3', ['sub-M Task 3']],
    ['Task 3 of the other plan', [], 'Task 3 of the other plan', ['Task 3 of the other plan']],
    ['Task 3 or Task 4', [], 'Task 3 or Task 4', ['Task 3 or Task 4']],
    ['none (parallel to Tasks 1–4)', [], 'none (parallel to Tasks 1–4)', []],
    ['3 days of drying', [], '3 days of drying', ['3 days of drying']],
  ])('resolves the numbers of %j to %j with the note %j, of which %j are not met', (text, linked, note, unmet) => {
    expect(new DependencyTitles(titles).resolve(text, 'other')).toMatchObject({ linked, note, unmet });
  });

  test('leaves a task itself out of its range, and no number that two tasks share', () => {
    const twins = [...titles, { id: 't2b', title: 'Task 2 — Fold again' }];
    const { linked, unmet } = new DependencyTitles(twins).resolve('Tasks 1-4', 't3');
    expect(linked).toEqual(['t1', 't4']);
    expect(unmet).toEqual(['Task 2']);
  });

  test('looks no further in lists that name far too many, and keeps the rest as a note', () => {
    const titles = new DependencyTitles(tasks);
    const { linked, note } = titles.resolve(`Print,${'air,'.repeat(100_000)}Print`, 'self');
    expect(linked).toEqual(['print']);
    expect(note.split(',')).toHaveLength(100_001);
    expect(titles.isExhausted).toBe(true);
  });
});

describe('closingLinks', () => {
  /** Tasks whose dependencies are the numbers in their list. */
  const tasksOf = (lists: readonly (readonly number[])[]) =>
    lists.map((list, n) => ({
      ...{ id: `t${n}`, title: '', category: '', status: 'done' as const },
      dependencies: [...new Set(list)].map((other) => `t${other}`),
    }));

  test.each<[number[][], string[]]>([
    [[[1], [2], []], []],
    [[[1], [0]], ['t1 t0']],
    [
      [[1], [2], [0, 1]],
      ['t2 t0', 't2 t1'],
    ],
    [[[0]], ['t0 t0']],
    [[[7]], []],
  ])('of %j are %j', (lists, expected) => {
    expect(closingLinks(tasksOf(lists)).map(({ id, dependency }) => `${id} ${dependency}`)).toEqual(expected);
  });

  test('breaks every cycle, and names no link without a cycle', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(8), { maxLength: 4 }), { maxLength: 9 }), (lists) => {
        const tasks = tasksOf(lists);
        const closing = closingLinks(tasks);
        const left = tasks.map((task) => ({
          ...task,
          dependencies: task.dependencies.filter(
            (dependency) => !closing.some((link) => link.id === task.id && link.dependency === dependency),
          ),
        }));
        expect(dependencyCycle(left)).toBeUndefined();
        if (dependencyCycle(tasks) === undefined) expect(closing).toEqual([]);
      }),
    );
  });

  test('handles 100,000 cycles', () => {
    expect(closingLinks(tasksOf(Array.from({ length: 200_000 }, (_, n) => [n ^ 1])))).toHaveLength(100_000);
  });
});
