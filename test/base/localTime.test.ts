import { expect, test } from 'vitest';
import { localTime } from '../../src/base/localTime.ts';

test("a time is shown in the reader's time zone", () => {
  expect(localTime(new Date(2026, 0, 2, 3, 4, 5).toISOString())).toBe('2026-01-02 03:04');
});
test('a text that is not a time is shown as it is', () => expect(localTime('today')).toBe('today'));
