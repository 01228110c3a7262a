import { parse } from 'smol-toml';
import { expect, test } from 'vitest';
import { withoutSecret, withSecret } from '../../src/vault/nameSecret.ts';

const keychain = { name: 'NPM_TOKEN', place: { kind: 'keychain' } } as const;

test.each([
  ['an empty file', '', '[secrets]\nNPM_TOKEN = { keychain = true }\n'],
  [
    'a file without the table',
    'vault = "~/vault"',
    'vault = "~/vault"\n\n[secrets]\nNPM_TOKEN = { keychain = true }\n',
  ],
  [
    'a file with the table',
    '# mine\n[secrets] # kept\nA = { environment = "A" } # why\n[notify]\n',
    '# mine\n[secrets] # kept\nNPM_TOKEN = { keychain = true }\nA = { environment = "A" } # why\n[notify]\n',
  ],
  [
    'a file of Windows',
    '[secrets]\r\nA = { environment = "A" }\r\n',
    '[secrets]\r\nNPM_TOKEN = { keychain = true }\r\nA = { environment = "A" }\r\n',
  ],
])('the line of a secret is added to %s, and taken away again', (_what, text, after) => {
  expect(withSecret(text, keychain, 'c.toml')).toBe(after);
  const back = parse(withoutSecret(after, 'NPM_TOKEN', 'c.toml'));
  const { secrets: _empty, ...before } = parse(text);
  expect(back).toMatchObject(before);
  expect(back['secrets']).not.toHaveProperty('NPM_TOKEN');
});

test('names with a dot and paths with quotes are written as TOML has them', () => {
  const place = { kind: 'age', file: '/keys/o"neil/a.age', identity: '/keys/o\\neil/id' } as const;
  const text = withSecret('[secrets]\n', { name: 'shop.token', place }, 'c.toml');
  expect(parse(text)).toEqual({ secrets: { 'shop.token': { age: place.file, identity: place.identity } } });
  expect(withoutSecret(text, 'shop.token', 'c.toml')).toBe('[secrets]\n');
});

test.each([
  ['an inline table', 'secrets = { A = { environment = "A" } }\n'],
  ['dotted keys', 'secrets.A = { environment = "A" }\n'],
  ['a header in a text', 'a = """\n[secrets]\n"""\n'],
])('a table written as %s is left as it is, and the person is told the line', (_what, text) => {
  expect(() => withSecret(text, keychain, 'c.toml')).toThrow(
    expect.objectContaining({
      code: 'secrets/badSettings',
      diagnostic: expect.objectContaining({ help: expect.stringContaining('NPM_TOKEN = { keychain = true }') }),
    }),
  );
});

test('an entry of several lines is left to the person', () => {
  const text = '[secrets]\nKEY = { command = [\n  "pass",\n  "show",\n] }\n';
  expect(() => withoutSecret(text, 'KEY', 'c.toml')).toThrow(expect.objectContaining({ code: 'secrets/badSettings' }));
});
