import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeLine, NdjsonDecoder, type NdjsonItem } from '../../src/base/ndjson.ts';

const lineBytesMax = 8;
const tooLong: NdjsonItem = { kind: 'tooLong', lineBytesMax };

function decode(chunks: readonly (string | Uint8Array)[], bytesMax = lineBytesMax): NdjsonItem[] {
  const decoder = new NdjsonDecoder(bytesMax);
  return [...chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk))), ...decoder.end()];
}

function check(chunks: readonly (string | Uint8Array)[], expected: readonly (string | NdjsonItem)[]): void {
  const items = expected.map((item) => (typeof item === 'string' ? { kind: 'line', text: item } : item));
  expect(decode(chunks)).toEqual(items);
}

describe('NdjsonDecoder', () => {
  test.each<[string, readonly (string | Uint8Array)[], readonly (string | NdjsonItem)[]]>([
    ['decodes whole lines', ['a\nb\n'], ['a', 'b']],
    ['joins a line from three chunks', ['a', 'b', 'c\n'], ['abc']],
    ['returns a last line without newline', ['a\nb'], ['a', 'b']],
    ['strips CRLF', ['a\r\nb\r\n'], ['a', 'b']],
    ['strips CRLF cut between the two', ['a\r', '\nb'], ['a', 'b']],
    ['keeps a carriage return inside a line', ['a\rb\n'], ['a\rb']],
    ['skips blank lines', ['\n\r\n\na\n\n'], ['a']],
    ['returns nothing for empty input', [''], []],
    [
      'marks a line with invalid bytes as damaged',
      [Uint8Array.from([0x61, 0xff, 0x62, 10])],
      [{ kind: 'line', text: 'a\ufffdb', damaged: true }],
    ],
    ['accepts a line of exactly the allowed length', ['12345678\n'], ['12345678']],
    ['reports a line one byte too long', ['123456789\na\n'], [tooLong, 'a']],
    ['reports a long line over many chunks once', ['12345', '6789', 'x', 'y\na\n'], [tooLong, 'a']],
    ['reports two long lines twice', ['1234567890\n1234567890\n'], [tooLong, tooLong]],
    ['reports a long last line', ['a\n1234567890'], ['a', tooLong]],
    ['counts bytes, not characters', ['ääää\nääääa\n'], ['ääää', tooLong]],
  ])('%s', (_name, chunks, expected) => check(chunks, expected));

  test('reports a long line before it ends', () => {
    expect(new NdjsonDecoder(lineBytesMax).push(Buffer.from('123456789'))).toEqual([tooLong]);
  });

  test('tells invalid bytes from a real U+FFFD', () => {
    const lines = new NdjsonDecoder(100).push(Buffer.from([0x61, 0xff, 10, 0xef, 0xbf, 0xbd, 10]));
    expect(lines).toEqual([
      { kind: 'line', text: 'a\ufffd', damaged: true },
      { kind: 'line', text: '\ufffd' },
    ]);
  });

  test('copies the bytes of a chunk it has to keep', () => {
    const decoder = new NdjsonDecoder(100);
    const chunk = Buffer.from('abc');
    decoder.push(chunk);
    chunk.fill('x');
    expect(decoder.push(Buffer.from('d\n'))).toEqual([{ kind: 'line', text: 'abcd' }]);
  });

  test('returns the same lines wherever the bytes are cut', () => {
    const lines = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }).filter((line) => !/[\r\n]/.test(line)));
    fc.assert(
      fc.property(lines, fc.array(fc.nat(40)), (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const chunks: Buffer[] = [];
        let start = 0;
        for (const length of cuts) {
          chunks.push(bytes.subarray(start, start + length));
          start += length;
        }
        chunks.push(bytes.subarray(start));
        expect(decode(chunks, 1000)).toEqual(texts.map((text) => ({ kind: 'line', text })));
      }),
    );
  });
});

describe('encodeLine', () => {
  test.each<[unknown, string]>([
    [{ a: 1 }, '{"a":1}\n'],
    ['two\nlines', '"two\\nlines"\n'],
    [null, 'null\n'],
  ])('encodes %j as %j', (value, expected) => expect(encodeLine(value)).toBe(expected));

  test('refuses undefined, which JSON cannot hold', () => {
    expect(() => encodeLine(undefined)).toThrow('JSON value');
  });
});
