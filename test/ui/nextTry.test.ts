import { describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { nextTry } from '../../src/ui/nextTry.ts';

const gone = failure('server/gone', 'vault', 'Nobody answers.');
const owned = failure('vault/owned', 'vault', 'Somebody else was faster.');
const first = { attempt: 0, elapsedMs: 0, random: 0.5 };

describe('after a failure', () => {
  test.each([
    ['an owner that has just left', gone, first, { delayMs: 25, isShown: false }],
    ['a vault that somebody else has just taken', owned, first, { delayMs: 25, isShown: false }],
    ['at the lower end of chance', owned, { ...first, random: 0 }, { delayMs: 12.5, isShown: false }],
    ['at the third time', gone, { ...first, attempt: 2 }, { delayMs: 100, isShown: false }],
    ['for the thousandth time', gone, { ...first, attempt: 1000 }, { delayMs: 500, isShown: false }],
    ['for a long while', gone, { ...first, attempt: 20, elapsedMs: 10_000 }, { delayMs: 500, isShown: true }],
    [
      'no owner where only another may own',
      failure('cli/noOwner', 'v', 'None.'),
      first,
      { delayMs: 2000, isShown: true },
    ],
    ['what needs a person', failure('vault/none', 'v', 'No vault.'), first, { isShown: true }],
    ['a defect', new Error('x is not a function'), first, { isShown: true }],
  ])('%s', (_name, error, soFar, expected) => expect(nextTry(error, soFar)).toEqual(expected));

  test('the tries of the first two seconds are many, so that a takeover is quick', () => {
    let elapsedMs = 0;
    let attempt = 0;
    for (; elapsedMs < 2_000; attempt++) elapsedMs += nextTry(gone, { attempt, elapsedMs, random: 0.999 }).delayMs ?? 0;
    expect(attempt).toBeGreaterThan(5);
  });
});
