import { crc32 } from 'node:zlib';
import { assert } from '../base/assert.ts';
import { messageOf } from '../base/errors.ts';
import type { Json } from '../model/json.ts';
import { type Message, messageBytesMax } from '../model/message.ts';

/** What a message brings along that was given up once and is delivered again. */
export interface Redelivery {
  /** From 1. */
  readonly count: number;
  readonly effects: Effects;
}

/** What a behaviour recorded of a message's effects, by their index. */
export type Effects = Readonly<Record<string, Json>>;

/** One line of a mailbox. `key` tells a message from every other, and a redelivery from the first delivery. */
export type MailboxLine =
  | { readonly kind: 'record'; readonly seq: number; readonly key: string }
  /** The first line after a compaction: the last `seq` that is gone, and the keys of the latest that went. */
  | { readonly kind: 'header'; readonly compacted: number }
  | { readonly kind: 'bad'; readonly reason: string };

/** Names that belong to the record and not to the message in it. */
export const reservedNames = ['seq', 'redelivered', 'effects', 'crc'] as const;

/** A redelivery carries effects, and a header keys, beside the one message that the limit is about. */
export const recordBytesMax = 4 * messageBytesMax;

/** A record as one line. `seq` and what tells it from others come first, so that they can be read without the rest. */
export function encodeRecord(seq: number, message: Message, redelivery?: Redelivery): string {
  assert(
    reservedNames.every((name) => !Object.hasOwn(message, name)),
    'a message has no field of the record',
  );
  const text = JSON.stringify(message);
  const id = `{"id":"${message.id}",`;
  // A sealed message starts with its id as a rule; a field whose name is a number would come before it.
  const rest = text.startsWith(id) ? text.slice(id.length) : JSON.stringify({ ...message, id: undefined }).slice(1);
  return closeLine(`{"seq":${seq},"id":"${message.id}",${formatRedelivery(redelivery)}${rest.slice(0, -1)}`);
}

/** The first line of a mailbox that was compacted. */
export function encodeHeader(compacted: number, keys: readonly string[]): string {
  assert(compacted > 0, 'something was compacted');
  assert(keys.length <= compacted, 'each key is that of a record');
  return closeLine(`{"compacted":${compacted},"ids":${JSON.stringify(keys)}`);
}

/** Adds the sum of all that stands before it, and closes the line. */
export function closeLine(open: string): string {
  assert(open.startsWith('{"'), 'a line is an object that is not empty');
  assert(!open.endsWith('\n'), 'a line is still open');
  return `${open},"crc":"${crc32(open).toString(16).padStart(8, '0')}"}\n`;
}

/** Whether a line, without its newline, is as it was written. Undefined when it is. */
export function crcProblem(line: Buffer): string | undefined {
  const end = line.length - crcLength;
  if (end < 1) return 'it is too short for a record';
  const [, sum] = /^,"crc":"([0-9a-f]{8})"\}$/.exec(line.toString('latin1', end)) ?? [];
  if (sum === undefined) return 'it does not end with its check sum';
  if (Number.parseInt(sum, 16) !== crc32(line.subarray(0, end))) return 'its check sum does not fit its content';
  return undefined;
}

/** What a line is, without parsing it as a whole; its check sum says that the rest is well. */
export function inspectLine(line: Buffer): MailboxLine {
  const [, lost] = lostLine.exec(line.toString('latin1', 0, startLength)) ?? [];
  if (lost !== undefined) return { kind: 'record', seq: Number(lost), key: `lost#${lost}` };
  const reason = crcProblem(line);
  if (reason !== undefined) return { kind: 'bad', reason };
  const start = line.toString('latin1', 0, startLength);
  const [, seq, id, redelivered] = recordStart.exec(start) ?? [];
  if (seq !== undefined && id !== undefined) {
    return { kind: 'record', seq: Number(seq), key: keyOf(id, Number(redelivered ?? 0)) };
  }
  const [, compacted] = headerStart.exec(start) ?? [];
  if (compacted !== undefined) return { kind: 'header', compacted: Number(compacted) };
  return { kind: 'bad', reason: 'it is not a record of a mailbox' };
}

/** What tells a message from every other in its mailbox. */
export function keyOf(id: string, redelivered: number): string {
  return redelivered === 0 ? id : `${id}#${redelivered}`;
}

export interface RecordContent {
  /** As it was sent, not yet checked. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly redelivery: Redelivery | undefined;
}

/** The content of a line that was inspected and is a record; undefined for one that a person gave up. */
export function parseRecord(line: Buffer): RecordContent | undefined {
  if (lostLine.test(line.toString('latin1', 0, startLength))) return undefined;
  const { seq, redelivered, effects, crc, ...message } = parseObject(line);
  assert(typeof seq === 'number' && typeof crc === 'string', 'the line was inspected');
  const hasRedelivery = typeof redelivered === 'number';
  assert(hasRedelivery === (effects !== undefined), 'both were written together');
  return { message, redelivery: hasRedelivery ? { count: redelivered, effects: effects as Effects } : undefined };
}

/** The keys that a header keeps, oldest first. */
export function parseHeaderKeys(line: Buffer): string[] {
  const { ids, compacted } = parseObject(line);
  assert(Array.isArray(ids), 'the line was inspected');
  assert(typeof compacted === 'number' && ids.length <= compacted, 'each key is that of a record');
  return ids as string[];
}

const crcLength = ',"crc":"00000000"}'.length;
/** Characters of a line that hold its number, whatever the number is. */
const startLength = 96;
const recordStart = /^\{"seq":([1-9]\d{0,15}),"id":"([0-9A-Z]{26})"(?:,"redelivered":([1-9]\d{0,8}),)?/;
/** What a person writes in the place of a record that cannot be saved: it counts, and holds nothing. */
const lostLine = /^\{"lost":([1-9]\d{0,15})\}$/;
const headerStart = /^\{"compacted":([1-9]\d{0,15}),/;

function formatRedelivery(redelivery: Redelivery | undefined): string {
  if (redelivery === undefined) return '';
  assert(redelivery.count > 0, 'deliveries again are counted from 1');
  return `"redelivered":${redelivery.count},"effects":${JSON.stringify(redelivery.effects)},`;
}

/** What carries the right check sum was written by `JSON.stringify`. */
function parseObject(line: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch (error) {
    throw new Error(`a line with a right check sum is not JSON: ${messageOf(error)}`, { cause: error });
  }
}
