import { expect, test } from 'vitest';
import { Emitter } from '../../src/base/emitter.ts';
import { EditorSecrets, secretNameProblem, secretStateText, secretValueProblem } from '../../src/ui/editorSecrets.ts';

/** What all windows of a person share. */
function sharedStorage(kept = new Map<string, string>()) {
  const changes = new Emitter<{ readonly key: string }>((error) => {
    throw error;
  });
  return {
    kept,
    get: async (name: string) => kept.get(name),
    store: async (name: string, secret: string) => {
      kept.set(name, secret);
      changes.emit({ key: name });
    },
    delete: async (name: string) => void kept.delete(name),
    onDidChange: changes.event,
  };
}

test('secrets are kept by name, two changes at once as well, and every window hears of them', async () => {
  const storage = sharedStorage();
  const [one, other] = [new EditorSecrets(storage), new EditorSecrets(storage)];
  let heard = 0;
  other.onDidChange(() => heard++);
  await Promise.all([one.keep('DOOR', 'plain words'), one.keep('KEY', 'other words')]);
  expect(await other.all()).toEqual({ DOOR: 'plain words', KEY: 'other words' });
  await one.keep('DOOR', undefined);
  expect(await other.all()).toEqual({ KEY: 'other words' });
  expect(heard).toBe(3);
  await storage.store('ravel.anthropicApiKey', 'sk-mine');
  expect(heard).toBe(3);
});

test.each(['', 'no JSON', '[]', '{"A":1,"B":"kept"}'])(
  'a storage that holds %j is read as far as it can be',
  async (text) => {
    const secrets = new EditorSecrets(sharedStorage(new Map([['ravel.secrets', text]])));
    expect(await secrets.all()).toEqual(text.includes('kept') ? { B: 'kept' } : {});
  },
);

test.each([
  ['NPM_TOKEN', true],
  ['shop.key-2', true],
  ['', false],
  ['1ST', false],
  ['two words', false],
])('the name %j is valid: %s', (name, isFine) => expect(secretNameProblem(name) === undefined).toBe(isFine));

test.each([
  ['a value', true],
  ['two\nlines', true],
  ['', false],
  ['  ', false],
  ['x'.repeat(65_537), false],
])('a value is judged, and never repeated', (value, isFine) => {
  expect(secretValueProblem(value) === undefined).toBe(isFine);
  expect(secretValueProblem(value) ?? '').not.toContain('xx');
});

test('each state has a sentence', () => {
  const states = (['guarded', 'absent', 'unseen', 'short'] as const).map((state) => secretStateText({ state }));
  const all = [...states, secretStateText({ state: 'failed', problem: 'the keychain is locked' })];
  expect(new Set(all).size).toBe(5);
  expect(all.at(-1)).toBe('It cannot be read: the keychain is locked');
});
