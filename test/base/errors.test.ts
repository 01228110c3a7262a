import { describe, expect, test } from 'vitest';
import { isRavelError, messageOf, RavelError, systemCode } from '../../src/base/errors.ts';

const error = new RavelError(
  { code: 'plan/unknown', severity: 'error', message: 'there is no plan x', subject: 'x' },
  { cause: new Error('deeper') },
);

test('a RavelError carries its diagnostic and its cause', () => {
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'RavelError', message: 'there is no plan x', code: 'plan/unknown' });
  expect(error.cause).toEqual(new Error('deeper'));
});

describe('recognising errors', () => {
  test.each<[unknown, string | undefined, boolean]>([
    [error, undefined, true],
    [error, 'plan/unknown', true],
    [error, 'plan/busy', false],
    // Another bundle has its own copy of the class.
    [Object.assign(new Error('no'), { ...error, code: error.code }), 'plan/unknown', true],
    [Object.assign(new Error('no'), { ...error, code: error.code }), 'plan/busy', false],
    [new Error('plan/unknown'), undefined, false],
    [{ code: 'plan/unknown' }, 'plan/unknown', false],
    [undefined, undefined, false],
  ])('isRavelError(%s, %s) is %s', (value, code, expected) => expect(isRavelError(value, code)).toBe(expected));

  test.each<[unknown, string | undefined]>([
    [Object.assign(new Error('no'), { code: 'ENOENT' }), 'ENOENT'],
    [Object.assign(new Error('no'), { code: 7 }), undefined],
    [new Error('no'), undefined],
    [{ code: 'ENOENT' }, undefined],
    ['ENOENT', undefined],
  ])('the system code of %s is %s', (value, expected) => expect(systemCode(value)).toBe(expected));

  test.each<[unknown, string]>([
    [new Error('it broke'), 'it broke'],
    ['it broke', 'it broke'],
    [undefined, 'undefined'],
  ])('the message of %s is %s', (value, expected) => expect(messageOf(value)).toBe(expected));
});
