import { describe, expect, test } from 'vitest';
import { formatSpending } from '../../../src/cli/render/spending.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';

const sum = { usd: 1.5, estimatedUsd: 0, scriptedUsd: 0, sessions: 2, unknownSessions: 0 };
const day = { day: '2026-01-02', ...sum, plans: [{ plan: 'a/project-root', ...sum }] };
const none = { reservedUsd: 0, vaultUsdPerDay: 0, planUsdPerDay: 0, until: '2026-01-03T00:00:00Z' };

describe('spending', () => {
  /** The lines below the header. */
  const check = (spending: object, expected: readonly string[]) =>
    expect(formatSpending({ ...none, days: [day], ...spending }, plainStyle, 80).slice(1)).toEqual(expected);

  test('says that there is no daily limit', () =>
    check({}, [
      '2026-01-02  $1.50  2         all plans',
      '            $1.50  2         a/project-root',
      'There is no limit for a day; budget.vault-usd-per-day in daemon.toml sets one.',
    ]));

  test('says what is left of the daily limit', () =>
    check({ vaultUsdPerDay: 5, reservedUsd: 1 }, [
      '2026-01-02  $1.50  2         all plans',
      '            $1.50  2         a/project-root',
      '$1.00 is set aside for sessions that run.',
      'Of $5.00 a day, $2.50 is left until 2026-01-03T00:00:00Z.',
    ]));

  test('marks what scenarios made up', () =>
    check({ days: [{ ...day, scriptedUsd: 0.5, plans: [] }] }, [
      '2026-01-02  $1.50*  2         all plans',
      '* $0.50 is made up by scenarios: no one paid it, but it counts toward limits.',
      'There is no limit for a day; budget.vault-usd-per-day in daemon.toml sets one.',
    ]));

  test('marks estimates, and counts sessions that reported no cost', () => {
    const guessed = { ...sum, estimatedUsd: 1, scriptedUsd: 0, unknownSessions: 1 };
    check({ days: [{ day: '2026-01-02', ...guessed, plans: [] }], planUsdPerDay: 3 }, [
      '2026-01-02  ~$1.50  2         all plans',
      '~ is estimated from tokens and budget.prices.',
      '1 session of unknown cost; only the time of such sessions is limited.',
      'A plan can spend $3.00 a day, unless its own file says more.',
    ]);
  });
});
