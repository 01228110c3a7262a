import { formatCount, headline } from '../base/text.ts';

/** Characters of a goal; a goal is a few sentences. */
const goalLengthMax = 4000;

/** Why a goal says too little or too much, as a whole sentence. */
export function goalProblem(goal: string): string | undefined {
  if (goal === '') return 'The goal is empty.';
  if (!hasSeveralWords(goal))
    return `"${headline(goal, 60)}" is one word: say in a sentence what is to be true in the end.`;
  if (goal.length <= goalLengthMax) return undefined;
  return `The goal has ${formatCount(goal.length)} characters; there can be ${formatCount(goalLengthMax)}.`;
}

/** Whether a description says more than one of these names does; a single word describes nothing. */
export function saysMoreThan(description: string, names: readonly string[]): boolean {
  const letters = (words: string) => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return !names.some((one) => letters(one) === letters(description)) && hasSeveralWords(description);
}

/** A text with at least two words, in any language: Chinese or Japanese has no blanks between them. */
function hasSeveralWords(given: string): boolean {
  let words = 0;
  for (const { isWordLike } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(given.slice(0, 1000))) {
    if (isWordLike === true) words += 1;
    if (words === 2) return true;
  }
  return false;
}
