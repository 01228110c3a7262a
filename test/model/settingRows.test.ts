import { expect, test } from 'vitest';
import { settingAt, settingPaths, settingRows } from '../../src/model/settingRows.ts';
import { defaultSettings } from '../../src/model/settings.ts';

test('whatever decides what sessions can do and what they are given is guarded', () => {
  const open = settingPaths.filter((path) => /^(?:sandbox|environment|gates\.allowed-)/.test(path));
  expect(open.length).toBeGreaterThan(4);
  expect(open.filter((path) => settingRows[path].edit !== 'guarded')).toEqual([]);
});

test('settingAt returns the value at a path, or undefined if it has none', () => {
  expect(settingAt(defaultSettings, 'limits.session-minutes')).toBe(60);
  expect(settingAt(defaultSettings, 'harnesses.scripted.scenario')).toBeUndefined();
});
