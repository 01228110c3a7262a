import { describe, expect, test } from 'vitest';
import { RavelError } from '../../src/base/errors.ts';
import { codes, diagnostic, exitCodes, failure, isCode, kindOf } from '../../src/model/codes.ts';

test.each(Object.entries(codes))('the code %s is well formed and has a help sentence and an exit code', (code, row) => {
  expect(code).toMatch(/^[a-z]+\/[a-z][a-zA-Z]*$/);
  expect(row.help).toMatch(/^(?:[A-Z]|git ).*\.$/);
  expect(exitCodes[row.kind]).toBeGreaterThan(0);
});

test('each kind of error has its own exit code', () => {
  expect(new Set(Object.values(exitCodes)).size).toBe(Object.keys(exitCodes).length);
});

describe('diagnostic()', () => {
  test('takes its help from the table', () => {
    expect(diagnostic('plan/busy', 'Demo/project-root', 'a phase runs')).toEqual({
      code: 'plan/busy',
      severity: 'error',
      subject: 'Demo/project-root',
      message: 'a phase runs',
      help: codes['plan/busy'].help,
    });
  });

  test('uses the given help, range and severity instead of the defaults', () => {
    const range = { start: { line: 1, character: 2 }, end: { line: 1, character: 3 } };
    expect(
      diagnostic('yaml/schema', 'x', 'm', { file: 'a.yaml', range, help: 'Do this.', severity: 'warning' }),
    ).toMatchObject({ file: 'a.yaml', range, help: 'Do this.', severity: 'warning' });
  });
});

describe('failure()', () => {
  test('carries its diagnostic and its cause', () => {
    const cause = new Error('deeper');
    const error = failure('disk/full', 'a.yaml', 'no space', { cause });
    expect(error.cause).toBe(cause);
    expect(error.diagnostic).toEqual(diagnostic('disk/full', 'a.yaml', 'no space'));
  });

  test('has the kind of its code; an unknown code counts as internal', () => {
    const unknown = new RavelError({ code: 'x/y', severity: 'error', subject: '', message: '' });
    expect(kindOf(failure('plan/unknown', 'x', 'm'))).toBe('notFound');
    expect(kindOf(unknown)).toBe('internal');
  });
});

test.each<[string, boolean]>([
  ['plan/busy', true],
  ['plan/none', false],
  ['toString', false],
])('isCode(%j) is %s', (text, expected) => expect(isCode(text)).toBe(expected));
