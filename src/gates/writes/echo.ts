import { InterleavedPassages } from '../../base/words/interleaved.ts';
import { LetterRuns } from '../../base/words/letterRuns.ts';
import { containment, foldedWords, shinglesOf } from '../../base/words/shingles.ts';
import { visibleText, wholeText } from '../../base/words/visibleText.ts';
import type { WriteGate } from './writeGate.ts';

/** From this share on, a text repeats what was given more than it says. */
const echoMin = 0.5;

/**
 * What a session was given is never taken as new: memory that is read, repeated and stored again would prove itself.
 * Compared are the texts as a person reads them, and as their files have them, since sessions read what a page hides:
 * sequences of five words, whatever their case and punctuation, passages that stand there with other words between theirs,
 * and letters wherever their words begin. A text of fewer than five words is looked for as a whole.
 */
export const judgeEcho: WriteGate = ({ body }, { given }) => {
  if (given.length === 0) return undefined;
  const known = given.flatMap(readings);
  const share = Math.max(...readings(body).map((reading) => givenShare(reading, known)));
  if (share < echoMin) return undefined;
  const percent = Math.round(share * 100);
  return { code: 'write/echo', findings: [`${percent} % of the text was given to the session that proposes it.`] };
};

/** One alone if nothing of the text is hidden. */
function readings(text: string): readonly string[] {
  return [...new Set([visibleText(text), wholeText(text)])];
}

/** 0 to 1. */
function givenShare(body: string, given: readonly string[]): number {
  const own = shinglesOf(body);
  const seen = new Set<string>();
  const padded = new InterleavedPassages(foldedWords(body));
  const letters = new LetterRuns(body);
  // Of what was given, which can be a whole memory, only what the text says as well is kept.
  for (const text of given) {
    for (const shingle of shinglesOf(text)) if (own.has(shingle)) seen.add(shingle);
    padded.add(foldedWords(text));
    letters.add(text);
  }
  const share = Math.max(containment(own, seen), padded.share, letters.share);
  if (own.size !== 1 || share > 0) return share;
  const words = ` ${[...own].join(' ')} `;
  return given.some((text) => ` ${foldedWords(text).join(' ')} `.includes(words)) ? 1 : 0;
}
