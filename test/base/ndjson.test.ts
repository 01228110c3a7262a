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
    ['whole lines', ['a\nb\n'], ['a', 'b']],
    ['a line in three chunks', ['a', 'b', 'c\n'], ['abc']],
    ['a last line without newline', ['a\nb'], ['a', 'b']],
    ['CRLF', ['a\r\nb\r\n'], ['a', 'b']],
    ['CRLF cut between the two', ['a\r', '\nb'], ['a', 'b']],
    ['a carriage return inside a line', ['a\rb\n'], ['a\rb']],
    ['blank lines', ['\n\r\n\na\n\n'], ['a']],
    ['nothing', [''], []],
    ['invalid bytes', [Uint8Array.from([0x61, 0xff, 0x62, 10])], [{ kind: 'line', text: 'a\ufffdb', damaged: true }]],
    ['a line of just the allowed length', ['12345678\n'], ['12345678']],
    ['a line one byte too long', ['123456789\na\n'], [tooLong, 'a']],
    ['a long line over many chunks is told once', ['12345', '6789', 'x', 'y\na\n'], [tooLong, 'a']],
    ['two long lines are told twice', ['1234567890\n1234567890\n'], [tooLong, tooLong]],
    ['a long last line', ['a\n1234567890'], ['a', tooLong]],
    ['length counts bytes, not characters', ['ääää\nääääa\n'], ['ääää', tooLong]],
  ])('%s', (_name, chunks, expected) => check(chunks, expected));

  test('tells of a long line before it ends', () => {
    expect(new NdjsonDecoder(lineBytesMax).push(Buffer.from('123456789'))).toEqual([tooLong]);
  });

  test('tells what was no UTF-8 from a character that stands for it', () => {
    const lines = new NdjsonDecoder(100).push(Buffer.from([0x61, 0xff, 10, 0xef, 0xbf, 0xbd, 10]));
    expect(lines).toEqual([
      { kind: 'line', text: 'a\ufffd', damaged: true },
      { kind: 'line', text: '\ufffd' },
    ]);
  });

  test('leaves the memory of a chunk to its owner', () => {
    const decoder = new NdjsonDecoder(100);
    const chunk = Buffer.from('abc');
    decoder.push(chunk);
    chunk.fill('x');
    expect(decoder.push(Buffer.from('d\n'))).toEqual([{ kind: 'line', text: 'abcd' }]);
  });

  test('gives the same lines wherever the bytes are cut', () => {
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
  ])('%j', (value, expected) => expect(encodeLine(value)).toBe(expected));

  test('refuses what JSON cannot hold', () => {
    expect(() => encodeLine(undefined)).toThrow('JSON value');
  });
});
