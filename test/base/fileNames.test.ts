import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeName, toSystemPath } from '../../src/base/fileNames.ts';

const latin = Buffer.from('caf\u{e9}', 'latin1');

describe('a name that is not UTF-8', () => {
  test('comes back to the same bytes from its string, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
        expect(Buffer.from(toSystemPath(decodeName(bytes)))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test.each([
    ['UTF-8', Buffer.from('caf\u{e9} \u{1f600}'), 'caf\u{e9} \u{1f600}'],
    ['Latin-1', latin, 'caf\u{dce9}'],
    ['a sequence that is cut off', Buffer.from([0x61, 0xf0, 0x9f, 0x98]), 'a\u{dcf0}\u{dc9f}\u{dc98}'],
    ['one byte too many', Buffer.from([0xc3, 0xa9, 0xa9]), '\u{e9}\u{dca9}'],
  ])('is written with one lone surrogate for each such byte, for %s', (_what, bytes, name) => {
    expect(decodeName(bytes)).toBe(name);
  });

  test('has one spelling: that of UTF-8 by its bytes means no file of that name', () => {
    expect(toSystemPath('/a/\u{dcc3}\u{dca9}')).toBe('/a/\u{dcc3}\u{dca9}');
    expect(toSystemPath('/a/\u{e9}')).toBe('/a/\u{e9}');
  });
});
