import { describe, expect, test } from 'vitest';
import { fileError, isAbsent, leadsNowhere, toDiskError } from '../../src/base/diskErrors.ts';
import { isCode } from '../../src/model/codes.ts';
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
  ])('%s', check);

  test('passes errors of our own through', () => {
    const own = fileError('disk/tooLarge', '/a/file', 'Too large.', { help: 'Split it.' });
    expect(toDiskError(own, '/b', 'read')).toBe(own);
  });
});

test.each([
  ['ENOENT', true, true],
  ['ENOTDIR', true, true],
  ['ELOOP', false, true],
  ['EACCES', false, false],
  ['EIO', false, false],
])('%s: nothing there %s, a link that leads nowhere %s', (code, absent, nowhere) => {
  expect([isAbsent(systemError(code)), leadsNowhere(systemError(code))]).toEqual([absent, nowhere]);
});
