import { describe, expect, test } from 'vitest';
import { parseWhen } from '../../src/model/when.ts';

/** Local, as a person means it. */
const at = (...parts: [number, number, number, number?, number?]) => {
  const [year, month, day, hour = 0, minute = 0] = parts;
  return new Date(year, month - 1, day, hour, minute).getTime();
};
const now = at(2026, 11, 26, 17, 30);

describe('a time in the past', () => {
  test.each([
    ['today', at(2026, 11, 26)],
    ['yesterday', at(2026, 11, 25)],
    ['Yesterday ', at(2026, 11, 25)],
    ['30m', now - 30 * 60_000],
    ['2h', now - 2 * 3_600_000],
    ['3d', now - 3 * 86_400_000],
    ['2w', now - 14 * 86_400_000],
    ['0h', now],
    ['2026-11-20', at(2026, 11, 20)],
    ['2026-11-20T09:30', at(2026, 11, 20, 9, 30)],
    ['2026-11-20T09:30:15Z', Date.UTC(2026, 10, 20, 9, 30, 15)],
    ['2024-02-29', at(2024, 2, 29)],
  ])('%s', (text, ms) => expect(parseWhen(text, now)).toEqual({ ms }));

  test.each([
    ...['', 'soon', 'tomorrow', '3', '-2h', '2y', '1.5h', '2026-13-01', '2026-02-30', '2026-11-31', '20-11-2026'],
    ...['2026-11-20T25:00', '2026-11-20T9:30', '99999999d', '2h ago'],
  ])('%j is none', (text) =>
    expect(parseWhen(text, now)).toEqual({ problem: expect.stringMatching(/^it is none of: today, /) }),
  );

  test.each(['2026-11-27', '2026-11-26T17:31', '2999-01-01'])('%s is in the future', (text) =>
    expect(parseWhen(text, now)).toEqual({ problem: 'it is in the future' }),
  );
});
