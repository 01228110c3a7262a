import { writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { isRavelError } from '../../src/base/errors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { formatDefaultSettings, loadSettings, overrideSettings, parseSettings } from '../../src/vault/settings.ts';
import { parseToml } from '../../src/vault/toml.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

let layout: VaultLayout;

beforeEach(async () => {
  layout = new VaultLayout(await makeTemporaryDirectory());
});

async function load(text: string) {
  writeFileSync(layout.settings, text);
  try {
    return await loadSettings(nodeDisk, layout);
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return error.diagnostic;
  }
}

describe('loadSettings', () => {
  test('returns the defaults for a missing or empty file', async () => {
    expect(await loadSettings(nodeDisk, layout)).toMatchObject({ settings: defaultSettings, diagnostics: [] });
    expect(await load('')).toMatchObject({ settings: defaultSettings, diagnostics: [] });
  });

  test('replaces the default of a value and leaves the others', async () => {
    const text = '[limits]\nsession-minutes = 5\n[harnesses.claude-code.models]\nwork = "opus"\n';
    expect(await load(text)).toEqual({
      given: ['limits.session-minutes', 'harnesses.claude-code.models'],
      settings: {
        ...defaultSettings,
        limits: { ...defaultSettings.limits, 'session-minutes': 5 },
        harnesses: {
          ...defaultSettings.harnesses,
          'claude-code': { ...defaultSettings.harnesses['claude-code'], models: { work: 'opus' } },
        },
      },
      diagnostics: [],
    });
  });

  test.each(['/', '~', '~/', 'data', '/..', '/dev', '/proc/1'])('refuses to show %s to sandboxes', async (path) => {
    const result = await load(`[sandbox]\nreadable = ["~/.sdk", "${path}"]\n`);
    expect('message' in result ? result.message : '').toContain('sandbox.readable.1');
  });

  test.each([
    ['[limits]\nsession-minutes = -1\n', 1, 'limits.session-minutes'],
    ['[run]\nharness = "none"\n', 1, 'run.harness'],
    ['limits = 3\n', 0, 'limits'],
    ['[environment]\npass = [1]\n', undefined, 'environment.pass.0'],
    ['[run\n', 0, 'not valid TOML at line 1'],
  ])('refuses %j', async (text, line, message) => {
    const result = await load(text);
    expect(result).toMatchObject({ code: 'vault/badSettings', file: layout.settings });
    expect('message' in result ? result.message : '').toContain(message);
    expect('range' in result ? result.range?.start.line : undefined).toBe(line);
  });

  test('warns of each unknown key at its line', async () => {
    const text = 'colour = 1\n[limits]\nsession-hours = 2\n[harnesses.other]\nx = 1\n["limits.session-usd"]\n[run]\n';
    const result = parseSettings(text, 'daemon.toml');
    expect(result.settings).toEqual(defaultSettings);
    expect(result.diagnostics.map((one) => [one.code, one.severity, one.range?.start.line, one.message])).toEqual([
      ['vault/unknownSetting', 'warning', 0, 'The setting "colour" is unknown and has no effect.'],
      ['vault/unknownSetting', 'warning', 2, 'The setting "limits.session-hours" is unknown and has no effect.'],
      ['vault/unknownSetting', 'warning', 3, 'The setting "harnesses.other" is unknown and has no effect.'],
      ['vault/unknownSetting', 'warning', 5, 'The setting "limits.session-usd" is unknown and has no effect.'],
    ]);
  });
});

test('a setting that is gone is told with what does its work now', () => {
  const { diagnostics, settings } = parseSettings('[gates]\nallowed-commands = ["bazel"]\n', 'daemon.toml');
  expect(settings).toEqual(defaultSettings);
  expect(diagnostics).toMatchObject([
    {
      ...{ code: 'vault/removedSetting', severity: 'warning', range: { start: { line: 1 } } },
      message: expect.stringMatching(/"gates\.allowed-commands" has no effect: .*policy\.yaml/),
      help: expect.stringContaining('ravel policy import'),
    },
  ]);
});

describe('formatDefaultSettings', () => {
  test('gives a file that changes nothing as it is', () => {
    expect(parseSettings(formatDefaultSettings(), 'f')).toMatchObject({ settings: defaultSettings, diagnostics: [] });
  });

  test('gives the defaults, each explained, if its comments are activated', () => {
    const text = formatDefaultSettings();
    const uncommented = text.replace(/^#(?! )/gm, '');
    expect(parseSettings(uncommented, 'f')).toMatchObject({ settings: defaultSettings, diagnostics: [] });
    for (const line of uncommented.split('\n').filter((one) => one.includes(' = ') && !one.startsWith('#'))) {
      expect(uncommented).toMatch(new RegExp(`^# .+\\n${line.replace(/[[\]{}.*]/g, '\\$&')}$`, 'm'));
    }
  });

  test('contains every key, even the one without a default', () => {
    const text = formatDefaultSettings();
    const uncommented = text.replace(/^#(?! )/gm, '');
    // Parsed without the schema, which would fill a gap.
    expect(parseToml(uncommented, { file: 'f', subject: 'f', code: 'vault/badSettings' })).toEqual({
      ...defaultSettings,
      harnesses: { ...defaultSettings.harnesses, scripted: {} },
    });
    expect(text).toContain('[harnesses.scripted]\n# ');
    expect(text).toContain('# scenario = ');
  });
});

describe('settings that the owner overrides', () => {
  test('win over the file, one setting at a time', () => {
    const { settings } = parseSettings('[limits]\nsession-usd = 3\nsession-minutes = 7\n', 'daemon.toml');
    const overridden = overrideSettings(settings, { 'limits.session-usd': 1, 'run.harness': 'scripted' });
    expect(overridden).toMatchObject({
      settings: { limits: { 'session-usd': 1, 'session-minutes': 7 }, run: { harness: 'scripted' } },
      diagnostics: [],
    });
  });

  test('leave the settings unchanged if there are none', () => {
    expect(overrideSettings(defaultSettings, {}).settings).toBe(defaultSettings);
  });

  test('are ignored with a warning if their value is bad', () => {
    const overridden = overrideSettings(defaultSettings, { 'limits.session-usd': -1, 'run.harness': 'scripted' });
    expect(overridden.settings).toEqual({ ...defaultSettings, run: { harness: 'scripted' } });
    expect(overridden.diagnostics).toMatchObject([
      { code: 'vault/badSettings', subject: 'limits.session-usd', severity: 'warning' },
    ]);
  });
});
