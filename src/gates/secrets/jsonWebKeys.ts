import { isMadeUp } from './placeholders.ts';
import type { FoundToken } from './tokenScanner.ts';

/** The members and the type stand so near each other: a private RSA key of 8,192 bits has about 10,000 characters. */
const keyCharsMax = 12_000;

/**
 * The secret members of JSON Web Keys (RFC 7517 and 7518): `d` of a key pair, `k` of a symmetric key. What is named so
 * is one only in an object that says its type in `kty`.
 */
export function* findInWebKeys(text: string): Generator<FoundToken> {
  if (!text.includes('kty')) return;
  const types = [...text.matchAll(/\bkty\b/g)].map(({ index }) => index);
  let next = 0;
  for (const { 0: whole, 1: value = '', index } of text.matchAll(memberPattern)) {
    while (next < types.length && (types[next] ?? 0) < index) next += 1;
    const isKey = [types[next - 1], types[next]].some((type) => type !== undefined && isSameObject(text, type, index));
    if (!isKey || isMadeUp(value)) continue;
    yield { index: index + whole.length - value.length, value, service: 'JSON Web Key' };
  }
}

/** At least 128 bits in base64url. */
const memberPattern = /\b[dk]\\?["']?[ \t]{0,4}:\s{0,8}\\?["']?([\w-]{22,4000})/g;

function isSameObject(text: string, type: number, member: number): boolean {
  const [from, to] = type < member ? [type, member] : [member, type];
  return to - from <= keyCharsMax && !/[{}]/.test(text.slice(from, to));
}
