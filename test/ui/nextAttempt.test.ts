import { describe, expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { nextAttempt } from '../../src/ui/nextAttempt.ts';

const gone = failure('server/gone', 'vault', 'Nobody answers.');
const owned = failure('vault/owned', 'vault', 'Somebody else was faster.');
const first = { attempt: 0, elapsedMs: 0, random: 0.5 };

describe('the next try', () => {
  test.each([
    ['after an owner has just left comes soon', gone, first, { delayMs: 25, isShown: false }],
    ['after another process has just taken the vault comes soon', owned, first, { delayMs: 25, isShown: false }],
    ['comes sooner for a small random number', owned, { ...first, random: 0 }, { delayMs: 12.5, isShown: false }],
    ['comes later the third time', gone, { ...first, attempt: 2 }, { delayMs: 100, isShown: false }],
    ['comes after at most half a second', gone, { ...first, attempt: 1000 }, { delayMs: 500, isShown: false }],
    [
      'after ten seconds shows the failure',
      gone,
      { ...first, attempt: 20, elapsedMs: 10_000 },
      { delayMs: 500, isShown: true },
    ],
    [
      'without an owner comes after two seconds, with the failure shown',
      failure('cli/noOwner', 'v', 'None.'),
      first,
      { delayMs: 2000, isShown: true },
    ],
    ['is not made if a person must act', failure('vault/none', 'v', 'No vault.'), first, { isShown: true }],
    ['is not made after a defect', new Error('x is not a function'), first, { isShown: true }],
  ])('%s', (_name, error, soFar, expected) => expect(nextAttempt(error, soFar)).toEqual(expected));

  test('is made more than five times in the first two seconds, so that a takeover is quick', () => {
    let elapsedMs = 0;
    let attempt = 0;
    for (; elapsedMs < 2_000; attempt++)
      elapsedMs += nextAttempt(gone, { attempt, elapsedMs, random: 0.999 }).delayMs ?? 0;
    expect(attempt).toBeGreaterThan(5);
  });
});
