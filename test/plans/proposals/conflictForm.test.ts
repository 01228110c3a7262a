import { describe, expect, test } from 'vitest';
import { type ConflictsByFile, formatConflicts, parseConflicts } from '../../../src/plans/proposals/conflictForm.ts';
import { failureOf } from '../../support/failureOf.ts';

const body = 'Two\nlines, and "quotes": #5\n';
const field = { list: 'entries', record: 'a', field: 'body', base: 'x', session: 'y', person: body, reason: 'Both.' };
const gone = {
  list: 'entries',
  record: 'b',
  base: { id: 'b' },
  session: { id: 'b', title: 'B' },
  person: undefined,
  reason: 'x',
};
const conflicts: ConflictsByFile = { 'memory.yaml': [field, gone] };

describe('conflicts in the form for an editor', () => {
  test('keep the person’s side when the form is unchanged', () => {
    expect(parseConflicts(formatConflicts(conflicts), conflicts, 'id')).toEqual({
      'memory.yaml': [
        { conflict: field, take: { value: body } },
        { conflict: gone, take: { value: undefined } },
      ],
    });
  });

  test('take the result that the person writes, in any order, or no value', () => {
    const text = 'conflicts:\n  - { conflict: memory.yaml 2, result: { id: b } }\n  - conflict: memory.yaml 1\n';
    expect(parseConflicts(text, conflicts, 'id')).toEqual({
      'memory.yaml': [
        { conflict: field, take: { value: undefined } },
        { conflict: gone, take: { value: { id: 'b' } } },
      ],
    });
  });

  test.each([
    ['a text that is not YAML', 'conflicts: ['],
    ['an empty text', ''],
    ['a list of something else', 'conflicts: [1]\n'],
    ['a list with a conflict missing', 'conflicts:\n  - { conflict: memory.yaml 1, result: x }\n'],
  ])('are refused in %s', async (_name, text) => {
    expect(await failureOf(async () => parseConflicts(text, conflicts, 'id'))).toMatchObject({
      ...{ code: 'approval/badDecision', subject: 'id' },
    });
  });
});
