import { randomBytes as systemRandomBytes } from 'node:crypto';
import { decodeTime, monotonicFactory } from 'ulid';
import { assert } from './assert.ts';
import type { Clock } from './clock.ts';
import { sha256 } from './files.ts';

/** Random bytes that are asked of the system at once. */
const poolBytes = 256;

/**
 * A source of ULIDs. Each is greater than the one before, also within one millisecond and when the wall clock is set
 * back; across processes a ULID is an identity and never an order.
 */
export function createUlids(
  clock: Pick<Clock, 'wallMs'>,
  randomBytes: (count: number) => Uint8Array = systemRandomBytes,
): () => string {
  let pool = new Uint8Array(0);
  let used = 0;
  const nextFraction = (): number => {
    if (used === pool.length) {
      pool = Uint8Array.from(randomBytes(poolBytes));
      used = 0;
    }
    const byte = pool[used++];
    assert(byte !== undefined, 'the random source gave no bytes');
    return byte / 256;
  };
  const next = monotonicFactory(nextFraction);
  // The factory takes 0 for "no time given" and would ask the system's clock.
  return () => next(Math.max(1, Math.floor(clock.wallMs())));
}

/** When a ULID was made, in milliseconds since the epoch. Throws for what is none. */
export function timeOfUlid(ulid: string): number {
  return decodeTime(ulid);
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Derives a ULID from these words, always the same one: a step that is repeated after a crash gets the same name. Its
 * time part means nothing.
 */
export function deriveUlid(words: readonly string[]): string {
  const hash = BigInt(`0x${sha256(JSON.stringify(words)).slice(0, 32)}`);
  return [...hash.toString(32).padStart(26, '0')].map((digit) => digits[Number.parseInt(digit, 32)]).join('');
}
