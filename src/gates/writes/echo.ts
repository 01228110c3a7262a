import { containment, shinglesOf } from '../../base/words/shingles.ts';
import type { WriteGate } from './writeGate.ts';

/** From this share on, a text repeats what was given more than it says. */
const echoMin = 0.5;

/**
 * What a session was given is never taken as new: memory that is read, repeated and stored again would prove itself.
 * Compared are sequences of five words, whatever their case and punctuation.
 */
export const judgeEcho: WriteGate = ({ body }, { given }) => {
  const own = shinglesOf(body);
  const seen = new Set(given.flatMap((text) => [...shinglesOf(text)]));
  const share = containment(own, seen);
  if (share < echoMin) return undefined;
  const percent = Math.round(share * 100);
  return { code: 'write/echo', findings: [`${percent} % of the text was given to the session that proposes it.`] };
};
