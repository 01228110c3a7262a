import { plural } from '../base/text.ts';
import type { SearchScorePart } from './requests/search.ts';

/** What a person reads if a search among this number of entries finds nothing. */
export function noMatchText(entries: number): string {
  if (entries === 0) return 'There is nothing to search yet.';
  return `No match among ${plural(entries, 'entry', 'entries')}.`;
}

/** The parts that an explanation shows: those that are not 0 with the two decimals that it has. */
export function shownParts(parts: readonly SearchScorePart[]): SearchScorePart[] {
  return parts.filter(({ score }) => Math.abs(score) >= 0.005);
}

/** What gave an entry a part of its score; the name of the part follows. */
export const scorePartTexts: Readonly<Record<SearchScorePart['kind'], string>> = {
  word: 'word',
  expansion: 'added word',
  neighbour: 'similar to',
  factor: 'factor',
  meaning: 'meaning',
};
