import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  crcProblem,
  encodeHeader,
  encodeRecord,
  inspectLine,
  parseHeaderKeys,
  parseRecord,
} from '../../src/actors/record.ts';
import type { Message } from '../../src/model/message.ts';
import { idOf, message } from './messages.ts';

function lineOf(text: string): Buffer {
  expect(text.endsWith('\n')).toBe(true);
  return Buffer.from(text.slice(0, -1));
}

test('a record contains its number, its id and the message', () => {
  const line = lineOf(encodeRecord(7, message(3)));
  expect(inspectLine(line)).toEqual({ kind: 'record', seq: 7, key: idOf(3) });
  expect(parseRecord(line)).toEqual({ message: message(3), redelivery: undefined });
  expect(line.toString().startsWith(`{"seq":7,"id":"${idOf(3)}","type":`)).toBe(true);
});

test('number and id of a record come first, whatever fields the message has', () => {
  const odd = { 1: 'one', ...message(3), 'x-nested': { id: idOf(9), crc: 'none' } } as Message;
  const line = lineOf(encodeRecord(7, odd));
  expect(inspectLine(line)).toEqual({ kind: 'record', seq: 7, key: idOf(3) });
  expect(parseRecord(line)?.message).toEqual(odd);
});

test('encodeRecord refuses a message with a field of the record', () => {
  expect(() => encodeRecord(1, { ...message(1), crc: 'mine' } as Message)).toThrow('no field of the record');
});

test('a redelivery has its own key and carries its effects', () => {
  const redelivery = { count: 2, effects: { 0: { kind: 'sent' }, 3: null } };
  const line = lineOf(encodeRecord(8, message(3), redelivery));
  expect(inspectLine(line)).toEqual({ kind: 'record', seq: 8, key: `${idOf(3)}#2` });
  expect(parseRecord(line)).toEqual({ message: message(3), redelivery });
});

test('a header lists the keys that were compacted away', () => {
  const line = lineOf(encodeHeader(1000, [idOf(1), `${idOf(1)}#1`]));
  expect(inspectLine(line)).toEqual({ kind: 'header', compacted: 1000 });
  expect(parseHeaderKeys(line)).toEqual([idOf(1), `${idOf(1)}#1`]);
});

test('a record that a person gave up keeps its number and holds no message', () => {
  const line = Buffer.from('{"lost":12}');
  expect(inspectLine(line)).toEqual({ kind: 'record', seq: 12, key: 'lost#12' });
  expect(parseRecord(line)).toBeUndefined();
});

describe('inspectLine reports', () => {
  test.each<[string, string]>([
    ['', 'too short'],
    ['{"seq":1}', 'too short'],
    ['{"seq":1,"id":"x"} and so on, long enough', 'does not end with its check sum'],
    [encodeRecord(1, message(1)).trim().replace('message', 'massage'), 'does not fit'],
    ['{"lost":0}', 'too short'],
  ])('%j as bad: %s', (text, reason) => {
    expect(inspectLine(Buffer.from(text))).toEqual({ kind: 'bad', reason: expect.stringContaining(reason) });
  });

  test('a header with changed bytes by its checksum', () => {
    const cursor = Buffer.from(encodeHeader(1, []).trim().replace('compacted', 'compactor'));
    expect(crcProblem(cursor)).toMatch('does not fit');
  });
});

test('any message is read back unchanged from one line', () => {
  const text = fc.string({ unit: 'binary', minLength: 1 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1 }), fc.jsonValue(), (said, seq, extra) => {
      const sent = { ...message(1), text: said, 'x-extra': extra } as Message;
      const line = lineOf(encodeRecord(seq, sent));
      expect(line.includes(10)).toBe(false);
      expect(inspectLine(line)).toEqual({ kind: 'record', seq, key: idOf(1) });
      expect(parseRecord(line)?.message).toEqual(JSON.parse(JSON.stringify(sent)));
    }),
  );
});
