import { expect, test } from 'vitest';
import { superLinearPatterns } from './patterns.ts';

const problemsOf = async (text: string) =>
  (await superLinearPatterns([{ path: 'src/made.ts', text }])).filter((problem) => problem.startsWith('src/made.ts'));

test.each([
  ['an exponential one', 'export const a = /^(a+)+$/;', /^src\/made\.ts:1: takes more than linear time/],
  [
    'a quadratic one',
    'const b = 1;\nexport const a = (t: string) => t.replace(/ +$/, "");',
    /^src\/made\.ts:2: takes more/,
  ],
  [
    'one that a program makes',
    'export const a = (k: string) => new RegExp(`^${k}`);',
    /^src\/made\.ts:1: no one can judge/,
  ],
])('a regular expression that can take long is named: %s', async (_name, text, problem) => {
  expect(await problemsOf(text)).toEqual([expect.stringMatching(problem)]);
});

test('a linear regular expression that is not on record is named, and a division or a text is not', async () => {
  const text = "export const a = /^[a-z]+: /;\nexport const b = 8 / 4 / 2;\nexport const c = '/(a+)+$/';";
  expect(await problemsOf(text)).toEqual([expect.stringMatching(/^src\/made\.ts:1: takes linear time, but is not/)]);
});

test('a linear regular expression on record is not named', async () => {
  expect(await problemsOf('export const a = (text: string) => text.split(/\\s+/);')).toEqual([]);
});
