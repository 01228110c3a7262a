import { expect, test } from 'vitest';
import { settle } from '../../src/actors/settle.ts';

test('settle turns an error, thrown at once or later, into a result', async () => {
  const error = new Error('boom');
  expect(await settle(async () => 1)).toEqual({ kind: 'did', value: 1 });
  expect(await settle(() => Promise.reject(error))).toEqual({ kind: 'threw', error });
  const throwing = (): Promise<never> => {
    throw error;
  };
  expect(await settle(throwing)).toEqual({ kind: 'threw', error });
});
