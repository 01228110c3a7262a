import { describe, expect, test } from 'vitest';
import { Likeness, likenessLeast, type Statement } from '../../../src/knowledge/likeness/likeness.ts';
import { workOf } from '../../support/workOf.ts';

const say = (title: string, text: string, tags: readonly string[] = []): Statement => ({ title, text, tags });
const retry = say('Retries need a limit', 'A client that retries `fetchOrders` without a limit keeps the server down.');
const limit = say(
  'Limit the number of retries',
  'Without a limit, retries of `fetchOrders` keep a server down for long.',
);
const garden = say('Water the roses', 'Roses need water twice a week in summer.');

function likenessOf(...statements: readonly Statement[]): Likeness {
  const likeness = new Likeness();
  for (const statement of statements) likeness.add(statement);
  return likeness;
}

describe('two statements', () => {
  const likeness = likenessOf(retry, limit, garden);

  test.each<[string, Statement, Statement, 'close' | 'apart']>([
    ['that say the same in other words are close', retry, limit, 'close'],
    ['about different things are apart', retry, garden, 'apart'],
    ['of which one is empty are apart', retry, say('', ''), 'apart'],
    ['without a word are apart', say('…', '!'), say('…', '!'), 'apart'],
    [
      'in Chinese with the same words are close',
      say('重试', '客户端重试需要限制'),
      say('限制', '重试需要限制'),
      'close',
    ],
  ])('%s', (_name, one, other, expected) => {
    const score = likeness.between(one, other);
    expect(score >= likenessLeast ? 'close' : 'apart').toBe(expected);
    expect(likeness.between(other, one)).toBeCloseTo(score, 10);
  });

  test('are as alike as can be if they are the same', () => {
    expect(likeness.between(retry, retry)).toBeCloseTo(1, 10);
  });

  test('are less alike by a word that all have', () => {
    const common = say('The server', 'A server is a server.');
    const rare = likenessOf(common, retry);
    const often = likenessOf(common, retry, ...Array.from({ length: 50 }, () => common));
    expect(often.between(common, retry)).toBeLessThan(rare.between(common, retry));
  });

  test('of 5 MB are compared in a moment', () => {
    const long = say('Long', 'word server retry '.repeat(280_000));
    expect(workOf(() => likeness.between(long, retry))).toBeLessThan(5000);
  });
});
