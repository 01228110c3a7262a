import { isRecord, nestedTooDeep, nestingMax } from '../../base/json.ts';
import type { StoredValues } from '../../model/storedValues.ts';
import { findSecrets } from './findSecrets.ts';
import type { FoundToken } from './tokenScanner.ts';

/** The text with words that say what it was in the place of each thing that looks like a secret. */
export function maskSecrets(text: string): string {
  return mask(text, findSecrets);
}

/** The text with the names of the secrets in the place of each stored value. */
export function maskStored(text: string, stored: StoredValues | undefined): string {
  return stored === undefined ? text : mask(text, (searched) => stored.find(searched));
}

/**
 * A value of JSON with the names of the secrets in the place of each stored value, in texts, in numbers and in
 * names of fields; the very same value if there was none. Errors become what a log keeps of them: name, code and message. What
 * nests deeper than `nestingMax` becomes a text that says so.
 */
export function maskStoredIn<T>(value: T, stored: StoredValues): T {
  return maskDeep(value, (text) => maskStored(text, stored), 0) as T;
}

function maskDeep(value: unknown, maskText: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'number') {
    const text = String(value);
    const masked = maskText(text);
    return masked === text ? value : masked;
  }
  if (typeof value === 'object' && value !== null && depth > nestingMax) return nestedTooDeep;
  if (value instanceof Error) {
    const message = maskText(value.message);
    if (message === value.message) return value;
    return { name: value.name, ...('code' in value && { code: value.code }), message };
  }
  if (Array.isArray(value)) {
    const masked = value.map((item) => maskDeep(item, maskText, depth + 1));
    return masked.some((item, at) => item !== value[at]) ? masked : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  const masked = entries.map(([key, item]) => [maskText(key), maskDeep(item, maskText, depth + 1)] as const);
  const isSame = masked.every(([key, item], at) => key === entries[at]?.[0] && item === entries[at]?.[1]);
  return isSame ? value : Object.fromEntries(apart(masked));
}

/** Entries of which no two have one name: names that mask alike are counted. */
function apart(entries: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const names = new Set(entries.map(([name]) => name));
  if (names.size === entries.length) return entries;
  const counts = new Map<string, number>();
  return entries.map(([name, item]) => {
    let count = (counts.get(name) ?? 0) + 1;
    let own = count === 1 ? name : `${name} (${count})`;
    for (; count > 1 && names.has(own); own = `${name} (${count})`) count += 1;
    counts.set(name, count);
    return [own, item] as const;
  });
}

function mask(text: string, find: (text: string) => Iterable<FoundToken>): string {
  let masked = '';
  let from = 0;
  for (const { index, value, service } of find(text)) {
    const end = index + value.length;
    // Of one that begins inside another, what lies behind that other.
    if (end <= from) continue;
    masked += `${text.slice(from, index)}[${service} left out]`;
    from = end;
  }
  return from === 0 ? text : masked + text.slice(from);
}
