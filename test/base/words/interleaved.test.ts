import { expect, test } from 'vitest';
import { InterleavedPassages } from '../../../src/base/words/interleaved.ts';

const passage = 'a client that retries without limit keeps the server down that came back';

function share(text: string, ...given: readonly string[]): number {
  const found = new InterleavedPassages(text.split(' '));
  for (const one of given) found.add(one.split(' '));
  return Math.round(found.share * 100) / 100;
}

const padded = passage.split(' ').join(' x y ');

test.each([
  ['a passage with words between its own', padded, [passage], 1],
  ['the same with more text around it', `one two ${padded} three`, [`so ${passage} again`], 0.93],
  ['two passages of two texts', `${padded} ${padded.replaceAll('a', 'o')}`, [passage, passage.replaceAll('a', 'o')], 1],
  ['a passage as it stands, which is found otherwise', passage, [passage], 0],
  ['a passage with one word put in', passage.replace('retries', 'never retries'), [passage], 0],
  ['the words in another order', padded.split(' ').reverse().join(' '), [passage], 0],
  ['words that lie too far apart', passage.split(' ').join(` ${'x '.repeat(7)}`), [passage], 0],
  ['seven words of a passage', passage.split(' ').slice(0, 7).join(' x '), [passage], 0],
  ['nothing', '', [passage], 0],
] as const)('%s', (_what, text, given, expected) => {
  expect(share(text, ...given)).toBe(expected);
});

test('a text of one word a hundred thousand times is held against as many in seconds', () => {
  const started = process.cpuUsage();
  const many = 'again '.repeat(100_000);
  share(many, many, 'again and '.repeat(50_000));
  expect(process.cpuUsage(started).user).toBeLessThan(20_000_000);
});

test('a text that repeats a word between others is held against itself in a second', () => {
  const started = process.cpuUsage();
  const many = Array.from({ length: 60 }, () => `x ${'a '.repeat(130)}`).join('');
  share(many.trim(), many.trim());
  expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
});
