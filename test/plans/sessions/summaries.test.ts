import { describe, expect, test } from 'vitest';
import { summariseBacklog, summariseMemory } from '../../../src/plans/sessions/summaries.ts';

/** Records as `id: text`. */
const pairs = (records: readonly string[]): [string, string][] =>
  records.map((record) => [record.split(': ')[0] ?? '', record.split(': ')[1] ?? '']);

describe('the summary of a memory change', () => {
  const memory = (records: readonly string[]) => ({
    entries: pairs(records).map(([id, body]) => ({ id, title: 'A title', body })),
  });
  const check = (before: readonly string[], after: readonly string[], expected: string): void =>
    expect(summariseMemory(memory(before), memory(after))).toBe(expected);

  test('counts added, changed and removed entries', () => {
    check([], ['a: 1'], '1 entry added');
    check([], ['a: 1', 'b: 2'], '2 entries added');
    check(['a: 1'], ['a: 2'], '1 entry changed');
    check(['a: 1', 'b: 2'], [], '2 entries removed');
    check(['a: 1', 'b: 2'], ['a: 2', 'c: 3', 'd: 4'], '2 entries added, 1 changed, 1 removed');
    check(['a: 1', 'b: 2'], ['b: 2', 'a: 1'], 'no change');
  });

  test('counts a changed title', () => {
    const renamed = { entries: [{ id: 'a', title: 'Another', body: '1' }] };
    expect(summariseMemory(memory(['a: 1']), renamed)).toBe('1 entry changed');
  });

  test('treats a missing memory as empty', () => {
    expect(summariseMemory(undefined, memory(['a: 1']))).toBe('1 entry added');
    expect(summariseMemory(memory(['a: 1']), undefined)).toBe('1 entry removed');
    expect(summariseMemory({ entries: null }, undefined)).toBe('no change');
  });
});

describe('the summary of a backlog change', () => {
  const backlog = (records: readonly string[]) => ({
    tasks: pairs(records).map(([id, results]) => ({
      ...{ id, title: 'A title', category: 'core', results },
      status: 'not_started' as const,
    })),
  });
  const check = (before: readonly string[], after: readonly string[], expected: string): void =>
    expect(summariseBacklog(backlog(before), backlog(after))).toBe(expected);

  test('counts added, changed and removed tasks', () => {
    check([], ['a: 1'], '1 task added');
    check(['a: 1', 'b: 1'], ['a: 2', 'b: 2'], '2 tasks changed');
    check(['a: 1', 'b: 2'], ['a: 2', 'c: 3'], '1 task added, 1 changed, 1 removed');
    check(['a: 1'], ['a: 1'], 'no change');
  });

  test('treats a missing backlog as empty', () => {
    expect(summariseBacklog(undefined, backlog(['a: 1']))).toBe('1 task added');
    expect(summariseBacklog({ tasks: null }, undefined)).toBe('no change');
  });
});
