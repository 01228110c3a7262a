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

function mask(text: string, find: (text: string) => Iterable<FoundToken>): string {
  let masked = '';
  let from = 0;
  for (const { index, value, service } of find(text)) {
    if (index < from) continue;
    masked += `${text.slice(from, index)}[${service} left out]`;
    from = index + value.length;
  }
  return from === 0 ? text : masked + text.slice(from);
}
