import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { SharedVault, type VaultAccess } from '../../src/mcp/sharedVault.ts';
import { failure } from '../../src/model/codes.ts';
import { createFakeApi } from '../support/fakeApi.ts';

function scene() {
  const opened: VaultAccess[] = [];
  const stopped: VaultAccess[] = [];
  const vault = new SharedVault(async (access) => {
    opened.push(access);
    return { api: createFakeApi({}), stop: async () => void stopped.push(access) };
  });
  return { vault, opened, stopped };
}

test('a shared vault stays open exactly while it is in use', async () => {
  const { vault, opened, stopped } = scene();
  const [first, second] = [createDeferred<void>(), createDeferred<void>()];
  const using = [vault.use('read', () => first.promise), vault.use('read', () => second.promise)];
  first.resolve();
  await using[0];
  expect({ opened, stopped }).toEqual({ opened: ['read'], stopped: [] });
  second.resolve();
  await using[1];
  await vault.use('read', async () => undefined);
  expect({ opened, stopped }).toEqual({ opened: ['read', 'read'], stopped: ['read', 'read'] });
});

test('reading shares a vault opened to own, but owning does not share one opened to read', async () => {
  const { vault, opened } = scene();
  const reading = createDeferred<void>();
  const owning = createDeferred<void>();
  const using = [
    vault.use('read', () => reading.promise),
    vault.use('own', () => owning.promise),
    vault.use('read', async () => undefined),
  ];
  await using[2];
  expect(opened).toEqual(['read', 'own']);
  reading.resolve();
  owning.resolve();
  await Promise.all(using);
});

test('a vault whose owner is gone is opened again, even while an earlier use still has it', async () => {
  const { vault, opened, stopped } = scene();
  const unaware = createDeferred<void>();
  const using = vault.use('own', () => unaware.promise);
  const gone = failure('server/gone', 'connection', 'It is gone.');
  await expect(vault.use('own', () => Promise.reject(gone))).rejects.toBe(gone);
  await vault.use('own', async () => undefined);
  expect({ opened, stopped }).toEqual({ opened: ['own', 'own'], stopped: ['own'] });
  unaware.resolve();
  await using;
  expect(stopped).toEqual(['own', 'own']);
});

test('a failed open rejects for its caller, and the next use tries again', async () => {
  let tries = 0;
  const vault = new SharedVault(async () => {
    tries++;
    if (tries === 1) throw new Error('not now');
    return { api: createFakeApi({}), stop: async () => undefined };
  });
  await expect(vault.use('own', async () => 1)).rejects.toThrow('not now');
  expect(await vault.use('own', async () => 2)).toBe(2);
});
