import { tokensOf } from './document.ts';

/** What the documents of an answer may have together; a limit that is left out is none. */
export interface Budget {
  readonly bytesMax?: number | undefined;
  readonly tokensMax?: number | undefined;
}

/** In their order those that fit; one that is too large makes room for smaller ones behind it. */
export function takeFitting<Item extends { readonly bytes: number }>(
  items: readonly Item[],
  countMax: number,
  { bytesMax = Number.POSITIVE_INFINITY, tokensMax = Number.POSITIVE_INFINITY }: Budget,
): { readonly taken: readonly Item[]; readonly skipped: number } {
  const taken: Item[] = [];
  let skipped = 0;
  let bytes = 0;
  let tokens = 0;
  for (const item of items) {
    if (taken.length >= countMax) break;
    const itemTokens = tokensOf(item.bytes);
    if (bytesMax <= 0 || tokensMax <= 0 || bytes + item.bytes > bytesMax || tokens + itemTokens > tokensMax) {
      skipped += 1;
      continue;
    }
    taken.push(item);
    bytes += item.bytes;
    tokens += itemTokens;
  }
  return { taken, skipped };
}
