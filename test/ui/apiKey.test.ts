import { describe, expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.ts';
import { ApiKey, apiKeyProblem, type SecretStore } from '../../src/ui/apiKey.ts';

/** The secrets of a person, shared by all of their windows. */
function sharedSecrets(): SecretStore {
  const values = new Map<string, string>();
  const changes = new Emitter<{ readonly key: string }>((error) => {
    throw error;
  });
  return {
    get: async (name) => values.get(name),
    store: async (name, secret) => {
      values.set(name, secret);
      changes.emit({ key: name });
    },
    delete: async (name) => {
      values.delete(name);
      changes.emit({ key: name });
    },
    onDidChange: changes.event,
  };
}

function windowOf(secrets: SecretStore, before?: string) {
  const environment: Record<string, string | undefined> = {
    ...(before !== undefined && { ANTHROPIC_API_KEY: before }),
  };
  const apiKey = new ApiKey(secrets, environment, (error) => {
    throw error;
  });
  return { apiKey, key: () => environment['ANTHROPIC_API_KEY'] };
}

describe('the API key', () => {
  test('is in the environment once it was loaded', async () => {
    const secrets = sharedSecrets();
    await windowOf(secrets).apiKey.keep('sk-first');
    const later = windowOf(secrets);
    expect(later.key()).toBeUndefined();
    await later.apiKey.load();
    expect(later.key()).toBe('sk-first');
  });

  test('replaces the one of the environment until it is forgotten', async () => {
    const { apiKey, key } = windowOf(sharedSecrets(), 'sk-of-the-shell');
    await apiKey.keep('sk-mine');
    expect(key()).toBe('sk-mine');
    await apiKey.keep(undefined);
    expect(key()).toBe('sk-of-the-shell');
  });

  test('changes in every window', async () => {
    const secrets = sharedSecrets();
    const [one, other] = [windowOf(secrets), windowOf(secrets)];
    await one.apiKey.keep('sk-mine');
    // The other window reads the secret on its own and reports nothing, so this gives it one turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(other.key()).toBe('sk-mine');
  });
});

describe('a typed API key', () => {
  test.each([
    ['sk-ant-0123456789', true],
    ['  sk-ant-0123456789\n', true],
    ['', false],
    ['short', false],
    ['two words of it', false],
    ['ключ-ключ-ключ', false],
  ])('%j is valid: %s', (text, isFine) => expect(apiKeyProblem(text) === undefined).toBe(isFine));

  test('is not quoted in the message about it', () => expect(apiKeyProblem('se cret-value')).not.toContain('cret'));
});
