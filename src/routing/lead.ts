import type { Candidate } from '../model/routing.ts';

/** With fewer words in common, the best candidate has no lead: one word proves nothing, however rare it is. */
export const leastWords = 2;

/**
 * How far the first candidate is ahead of the second, as a share of its own score; 0 to 1. What a text can reach depends on
 * the text, so leads can be compared where scores cannot.
 */
export function leadOf([first, second]: readonly Pick<Candidate, 'score' | 'words'>[]): number {
  if (first === undefined || first.score <= 0 || (first.words ?? 0) < leastWords) return 0;
  return rounded((first.score - (second?.score ?? 0)) / first.score);
}

/** As exact as the scores are, and short in a file. */
function rounded(lead: number): number {
  return Math.round(lead * 1000) / 1000;
}
