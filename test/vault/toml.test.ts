import { describe, expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import { locateKey, parseToml, tomlCharactersMax } from '../../src/vault/toml.ts';

const place = { file: '/v/x.toml', subject: 'x', code: 'vault/unreadable' } as const;

describe('parseToml', () => {
  test('reads a file with a byte order mark and CRLF', () => {
    expect(parseToml('\uFEFF[a]\r\nb = 1\r\n', place)).toEqual({ a: { b: 1 } });
  });

  test('refuses a file that is longer than settings ever are, before it reads it', () => {
    const text = 'a = 1 #'.padEnd(tomlCharactersMax, ' ');
    expect(parseToml(text, place)).toEqual({ a: 1 });
    expect(() => parseToml(`${text} `, place)).toThrow('/v/x.toml has 262,145 characters; at most 262,144 are read.');
  });

  test('says what to do about a table that appears twice', () => {
    const twice = '[run]\nharness = "a"\n[run]\nharness = "b"\n';
    try {
      parseToml(twice, { ...place, help: 'Fix it.' });
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ diagnostic: { help: expect.stringContaining('is there twice') } });
    }
  });

  test('names the line of an error and uses the given code', () => {
    let thrown: unknown;
    try {
      parseToml('a = 1\nb = = 2\n', { ...place, help: 'Fix it.' });
    } catch (error) {
      thrown = error;
    }
    if (!isRavelError(thrown)) throw new Error('expected a RavelError');
    expect(thrown.diagnostic).toMatchObject({
      code: 'vault/unreadable',
      file: '/v/x.toml',
      subject: 'x',
      help: 'Fix it.',
    });
    expect(thrown.diagnostic.range?.start.line).toBe(1);
    expect(thrown.message).toContain('line 2');
  });
});

describe('locateKey', () => {
  function check(text: string, path: string[], line: number | undefined) {
    expect(locateKey(text, path)?.start.line).toBe(line);
  }

  test.each([
    ['a = 1\nb = 2', ['b'], 1],
    ['[t]\nb = 2', ['t', 'b'], 1],
    ['b = 1\n[t]\nb = 2', ['t', 'b'], 2],
    ['[t."x-y"]\r\n"b" = 2', ['t', 'x-y', 'b'], 1],
    ['t.b = 2', ['t', 'b'], 0],
    ['\n[t.u]\n', ['t', 'u'], 1],
    ['#b = 2', ['b'], undefined],
    ['t = { b = 2 }', ['t', 'b'], undefined],
  ])('in %j finds %j on line %s', check);
});
