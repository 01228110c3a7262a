import { alphabets, parseShape, type TokenFormat } from '../../src/gates/secrets/tokenFormat.ts';
import type { Random } from './seededRandom.ts';

/** Cases are written with this sign where a scanner of secrets must not read on: no file of ours holds a whole token. */
const cut = '¦';

export function joined(text: string): string {
  return text.replaceAll(cut, '');
}

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));

/** A token of this format that was never issued. */
export function makeToken([, shape]: TokenFormat, random: Random): string {
  return parseShape(shape)
    .map((part) => {
      if (typeof part === 'string') return part;
      const characters = ascii.filter((character) => alphabets[part.alphabet].test(character));
      const length = Math.min(part.max, Math.max(part.min, 40));
      return Array.from({ length }, () => characters[random(characters.length)]).join('');
    })
    .join('');
}
