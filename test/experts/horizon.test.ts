import { describe, expect, test } from 'vitest';
import { windowsOf } from '../../src/experts/horizon.ts';

describe('a text is read in parts', () => {
  test.each<[string, string, readonly string[]]>([
    ['of one, if it is short', 'one\ntwo', ['one\ntwo']],
    ['that end with a line', 'aaaa\nbbbb\ncccc\n', ['aaaa\nbbbb\n', 'cccc\n']],
    ['that end anywhere, where a line is too long', 'a\nbbbbbbbbbbbb', ['a\nbbbbbbbb', 'bbbb']],
    ['of which there is none, if it is empty', '', []],
  ])('%s', (_name, text, parts) => {
    expect(windowsOf(text, 10)).toEqual(parts);
    expect(windowsOf(text, 10).join('')).toBe(text);
  });
});
