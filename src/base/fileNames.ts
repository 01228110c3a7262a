import { isUtf8 } from 'node:buffer';

/**
 * File names as strings. On a system that allows any bytes in a name, each byte that is not valid UTF-8 becomes a lone
 * surrogate, from U+DC80 for 0x80 on, as in Python (PEP 383): such a name differs from every other, can be joined to a
 * path, and goes back to the system unchanged.
 */
export function decodeName(bytes: Uint8Array): string {
  const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf8(name)) return name.toString();
  const parts: string[] = [];
  for (let at = 0; at < name.length; ) {
    const length = [1, 2, 3, 4].find((count) => at + count <= name.length && isUtf8(name.subarray(at, at + count)));
    parts.push(length === undefined ? escapeByte(name[at] ?? 0) : name.toString('utf8', at, at + length));
    at += length ?? 1;
  }
  return parts.join('');
}

/** Whether a name that was decoded as UTF-8 may have had other bytes. */
export function mayBeEscaped(name: string): boolean {
  return name.includes('\u{fffd}');
}

/** Whether a name from `decodeName` is not valid UTF-8. */
export function isNoUtf8(name: string): boolean {
  return escaped.test(name);
}

/** What to pass to the system for a path: its bytes if a name in it is not valid UTF-8. */
export function toSystemPath(path: string): string | Buffer {
  if (!escaped.test(path)) return path;
  const bytes = Buffer.concat(Array.from(path, toBytes));
  // Never another spelling of a valid UTF-8 name: code that compares paths would take it for another file.
  return decodeName(bytes) === path ? bytes : path;
}

const escaped = /[\udc80-\udcff]/u;

function escapeByte(byte: number): string {
  return String.fromCharCode(0xdc00 + byte);
}

function toBytes(character: string): Buffer {
  return escaped.test(character) ? Buffer.from([character.charCodeAt(0) - 0xdc00]) : Buffer.from(character);
}
