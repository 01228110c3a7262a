import { expect, test } from 'vitest';
import { type OwnerOptions, ownerOptions } from '../../src/model/ownerOptions.ts';

test('the options of an owner are passed on, and nothing else that a caller gave', () => {
  const options = {
    overrides: { 'session.model': 'x' },
    drainMs: 1,
    backgroundAfter: Promise.resolve(),
    verifiesItself: true,
  } as unknown as Required<OwnerOptions>;
  expect(ownerOptions({ ...options, vault: '/v', disk: 'another' } as OwnerOptions)).toEqual(options);
});
