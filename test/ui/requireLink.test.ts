import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { Observable } from '../../src/ui/observable.ts';
import { requireLink, VaultLink } from '../../src/ui/vaultLink.ts';

function fail(error: unknown): never {
  throw error;
}

test('requireLink returns the vault of the window and throws if there is none', () => {
  const options = { vault: '/vaults/own', clock: systemClock, random: () => 0, onError: fail };
  const shown = new VaultLink({ ...options, open: () => Promise.reject(new Error('nobody asks')) });
  const link = new Observable<VaultLink | undefined>(shown, fail);

  expect(requireLink({ link })).toBe(shown);
  link.set(undefined);
  expect(() => requireLink({ link })).toThrow('No vault is open');
});
