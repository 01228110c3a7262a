import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settingAt, settingPaths, settingRows } from '../../src/model/settingRows.ts';
import { defaultSettings } from '../../src/model/settings.ts';

const page = new URL('../../docs/settings.md', import.meta.url);

/** The table of the settings page, built from the rows. */
function formatTable(): string {
  const lines = settingPaths.map((path) => {
    const { meaning, inPlan, flag } = settingRows[path];
    const value = settingAt(defaultSettings, path);
    const shown = value === undefined ? 'not set' : `\`${JSON.stringify(value)}\``;
    const elsewhere = [inPlan, flag].filter((word) => word !== undefined).map((word) => `\`${word}\``);
    return `| \`${path}\` | ${shown} | ${meaning} | ${elsewhere.join(', ')} |`;
  });
  return ['| setting | default | what it means | also set by |', '|---|---|---|---|', ...lines].join('\n');
}

test('the settings page lists every setting with its default, meaning and other sources', () => {
  const text = readFileSync(page, 'utf8');
  const table = /\| setting \|.*?(?=\n\n|\n?$)/s.exec(text)?.[0] ?? '';
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(page, text.replace(table, formatTable));
  else expect(table).toBe(formatTable());
});

test('settingAt returns the value at a path, or undefined if it has none', () => {
  expect(settingAt(defaultSettings, 'limits.session-minutes')).toBe(60);
  expect(settingAt(defaultSettings, 'harnesses.scripted.scenario')).toBeUndefined();
});
