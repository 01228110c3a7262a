import { describe, expect, test } from 'vitest';
import { fileError, ifThere, isAbsent, leadsNowhere, namesNothing, toDiskError } from '../../src/base/diskErrors.ts';
import { isCode } from '../../src/model/codes.ts';
import { failureOf } from '../support/failureOf.ts';
import { systemError } from '../support/tracingDisk.ts';

describe('toDiskError', () => {
  function check(code: string, expected: { code: string; message: string }): void {
    const cause = systemError(code);
    const error = toDiskError(cause, '/a/file', 'write');
    expect(error.diagnostic).toMatchObject({ ...expected, severity: 'error', subject: '/a/file', file: '/a/file' });
    expect(error.diagnostic.help).toMatch(/^[A-Z].*\.$/);
    expect(error.cause).toBe(cause);
    expect(isCode(error.code)).toBe(true);
  }

  test.each([
    ['ENOSPC', { code: 'disk/full', message: 'The disk is full; /a/file could not be written.' }],
    ['EDQUOT', { code: 'disk/full', message: 'The disk is full; /a/file could not be written.' }],
    ['EACCES', { code: 'disk/denied', message: 'No permission: /a/file could not be written.' }],
    ['EPERM', { code: 'disk/denied', message: 'No permission: /a/file could not be written.' }],
    ['EROFS', { code: 'disk/denied', message: 'No permission: /a/file could not be written.' }],
    ['EIO', { code: 'disk/failed', message: '/a/file could not be written: EIO: made by a test.' }],
  ])('turns %s into code and message', check);

  test('passes our own errors through unchanged', () => {
    const own = fileError('disk/tooLarge', '/a/file', 'Too large.', { help: 'Split it.' });
    expect(toDiskError(own, '/b', 'read')).toBe(own);
  });
});

test.each([
  ['ENOENT', true, true, true],
  ['ENOTDIR', true, true, true],
  ['ELOOP', false, true, false],
  ['ENAMETOOLONG', false, false, true],
  ['EACCES', false, false, false],
  ['EIO', false, false, false],
])(
  '%s means absent: %s, a link that leads nowhere: %s, a name of nothing: %s; ifThere returns undefined or throws to match',
  async (code, ...expected) => {
    const error = systemError(code);
    expect([isAbsent(error), leadsNowhere(error), namesNothing(error)]).toEqual(expected);
    for (const [at, isNothing] of [isAbsent, leadsNowhere, namesNothing].entries()) {
      const looked = ifThere('/a/file', () => Promise.reject(error), isNothing);
      if (expected[at]) expect(await looked).toBeUndefined();
      else expect(await failureOf(() => looked)).toMatchObject({ severity: 'error', subject: '/a/file' });
    }
    expect(await ifThere('/a/file', async () => 'here')).toBe('here');
  },
);
