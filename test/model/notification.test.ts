import { afterEach, expect, test } from 'vitest';
import { isQuiet, notifySettingsSchema } from '../../src/model/notification.ts';

const zone = process.env['TZ'];
afterEach(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test.each<[string, string, string, boolean]>([
  ['before hours over midnight', '22:00-07:00', '2026-01-02T20:59:59Z', false],
  ['at their beginning', '22:00-07:00', '2026-01-02T21:00:00Z', true],
  ['after midnight', '22:00-07:00', '2026-01-03T05:59:59Z', true],
  ['at their end', '22:00-07:00', '2026-01-03T06:00:00Z', false],
  ['within a day', '12:00-13:30', '2026-01-03T12:29:00Z', true],
  ['after hours within a day', '12:00-13:30', '2026-01-03T12:30:00Z', false],
  ['in no hours', '', '2026-01-03T00:00:00Z', false],
  ['in hours without a length', '08:00-08:00', '2026-01-03T07:00:00Z', false],
  // In the night of 29 March the clock goes from 2:00 to 3:00, in that of 25 October from 3:00 back to 2:00.
  ['in the short night, by the clock on the wall', '22:00-07:00', '2026-03-29T04:59:00Z', true],
  ['after the short night', '22:00-07:00', '2026-03-29T05:00:00Z', false],
  ['in the long night', '22:00-07:00', '2026-10-25T05:59:00Z', true],
  ['after the long night', '22:00-07:00', '2026-10-25T06:00:00Z', false],
  ['the first time that the clock shows 2:30', '02:00-03:00', '2026-10-25T00:30:00Z', true],
  ['the second time', '02:00-03:00', '2026-10-25T01:30:00Z', true],
  ['in an hour that the clock leaves out', '02:00-03:00', '2026-03-29T01:00:00Z', false],
])('%s: %s at %s', (_title, hours, at, expected) => {
  process.env['TZ'] = 'Europe/Berlin';
  expect(isQuiet(hours, Date.parse(at))).toBe(expected);
});

test.each<[string, object, boolean]>([
  ['nothing is all defaults', {}, true],
  ['a list with arguments is a command', { command: ['curl', '-d', '@-', 'http://x'] }, true],
  ['an empty list is none', { command: [] }, false],
  ['an hour that no clock shows', { 'quiet-hours': '24:00-07:00' }, false],
  ['a kind that there is not', { kinds: ['weather'] }, false],
  ['an unknown key', { dekstop: true }, false],
])('settings: %s', (_title, given, expected) => {
  expect(notifySettingsSchema.safeParse(given).success).toBe(expected);
});
