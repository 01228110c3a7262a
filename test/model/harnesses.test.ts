import { expect, test } from 'vitest';
import { describeHarness, harnessNames, harnessSettingRows, scenarioHarness } from '../../src/model/harnesses.ts';
import { settingPaths } from '../../src/model/settingRows.ts';
import { defaultSettings, settingsSchema } from '../../src/model/settings.ts';

test.each(harnessNames)('%s has a title, a description, and settings that are whole without a file', (name) => {
  const { title, about } = describeHarness(name);
  expect(title).toMatch(/^[A-Z]/);
  expect(about).not.toMatch(/\.$/);
  expect(defaultSettings.harnesses[name]).toBeTypeOf('object');
});

test('the rows of harnesses are settings like all others, by their paths', () => {
  const paths = settingPaths.filter((path) => path.startsWith('harnesses.'));
  expect(paths).toEqual(Object.keys(harnessSettingRows));
  expect(paths).toContain(`harnesses.${scenarioHarness}.scenario`);
});

test('a table of one harness is checked by its own schema', () => {
  const wrong = settingsSchema.safeParse({ harnesses: { 'claude-code': { program: '' }, scripted: { scenario: 1 } } });
  expect(wrong.error?.issues.map(({ path }) => path.join('.'))).toEqual([
    'harnesses.claude-code.program',
    'harnesses.scripted.scenario',
  ]);
});
