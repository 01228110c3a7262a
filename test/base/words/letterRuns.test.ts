import { expect, test } from 'vitest';
import { LetterRuns } from '../../../src/base/words/letterRuns.ts';

const passage = 'a client that retries without a limit keeps a server down';

function shareOf(text: string, ...given: readonly string[]): number {
  const runs = new LetterRuns(text);
  for (const one of given) runs.add(one);
  return runs.share;
}

test.each([
  ['the same passage', passage, [passage], 1],
  ['one with blanks and marks anywhere', passage.replaceAll('t', ' t-'), [`Known: ${passage}.`], 1],
  ['one without blanks', passage.replaceAll(' ', ''), [passage], 1],
  ['two parts that overlap by a run', passage, [passage.slice(0, 52), passage.slice(4)], 1],
  ['one with another letter in each forty', passage.replaceAll('limit', 'limlt'), [passage], 0],
  ['a text of fewer letters than a run', 'a client', [passage], 0],
  ['no letters', '…', ['…'], 0],
  ['letters of two units', '𝛼'.repeat(40), ['𝛼'.repeat(50)], 1],
] as const)('what was given is found in a text: %s', (_what, text, given, share) => {
  expect(shareOf(text, ...given)).toBe(share);
});

test('half of a text is half of its runs', () => {
  const letters = Array.from({ length: 139 }, (_, n) => String.fromCharCode(0x4e00 + n)).join('');
  expect(shareOf(letters, letters.slice(0, 89))).toBe(0.5);
});
