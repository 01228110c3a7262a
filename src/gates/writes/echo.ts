import { containment, foldedWords, shinglesOf } from '../../base/words/shingles.ts';
import type { WriteGate } from './writeGate.ts';

/** From this share on, a text repeats what was given more than it says. */
const echoMin = 0.5;

/**
 * What a session was given is never taken as new: memory that is read, repeated and stored again would prove itself.
 * Compared are sequences of five words, whatever their case and punctuation; a shorter text is looked for as a whole.
 */
export const judgeEcho: WriteGate = ({ body }, { given }) => {
  const share = givenShare(asRead(body), given.map(asRead));
  if (share < echoMin) return undefined;
  const percent = Math.round(share * 100);
  return { code: 'write/echo', findings: [`${percent} % of the text was given to the session that proposes it.`] };
};

/** 0 to 1. */
function givenShare(body: string, given: readonly string[]): number {
  const own = shinglesOf(body);
  const seen = new Set<string>();
  // Of what was given, which can be a whole memory, only what the text says as well is kept.
  for (const text of given) for (const shingle of shinglesOf(text)) if (own.has(shingle)) seen.add(shingle);
  const share = containment(own, seen);
  if (own.size !== 1 || share > 0) return share;
  const words = ` ${[...own].join(' ')} `;
  return given.some((text) => ` ${foldedWords(text).join(' ')} `.includes(words)) ? 1 : 0;
}

/** Without what a reader of the page does not see: comments, invisible characters, and marks of emphasis. */
function asRead(text: string): string {
  return withoutComments(text)
    .replace(/\p{Cf}/gu, '')
    .replaceAll('_', ' ');
}

function withoutComments(text: string): string {
  const [first = '', ...others] = text.split('<!--');
  return [first, ...others.map((part) => (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : part))].join(
    ' ',
  );
}
