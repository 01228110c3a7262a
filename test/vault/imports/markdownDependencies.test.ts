import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dependencyCycle } from '../../../src/model/backlog.ts';
import { closingLinks, DependencyTitles } from '../../../src/vault/imports/markdownDependencies.ts';

const tasks = [
  { id: 'a-b-and-c', title: 'A, B, and `C`' },
  { id: 'print', title: 'Print' },
  { id: 'twin', title: 'Twin' },
  { id: 'twin-2', title: 'Twin' },
  { id: 'self', title: 'Self' },
];

describe('DependencyTitles', () => {
  test.each<[string, string[], string]>([
    ['none', [], ''],
    ['`none`.', [], ''],
    ['—', [], ''],
    ['', [], ''],
    ['Print', ['print'], ''],
    ['`print`, A, B, and C.', ['print', 'a-b-and-c'], ''],
    ['Print,\n  A, B,\n  and `C`', ['print', 'a-b-and-c'], ''],
    ['Print, Print', ['print'], ''],
    ['Print (first)', [], 'Print (first)'],
    ['the two above, all done, Print, and paper', ['print'], 'the two above, all done; and paper'],
    ['none (but paper)', [], 'none (but paper)'],
    ['print, prints', ['print'], 'prints'],
    ['Twin', [], 'Twin'],
    ['twin-2', ['twin-2'], ''],
    ['Self', [], 'Self'],
  ])('resolves %j to %j with the note %j', (text, linked, note) => {
    expect(new DependencyTitles(tasks).resolve(text, 'self')).toEqual({ linked, note });
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

  test('breaks every cycle, and names no link if there is no cycle', () => {
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
