import { describe, expect, test } from 'vitest';
import { planStateSchema } from '../../src/model/planState.ts';
import { type SettingPath, settingPaths, settingRows } from '../../src/model/settingRows.ts';
import { budgetOf } from '../../src/plans/phases/spending.ts';
import { effectiveSettings, settingsOfPlan } from '../../src/plans/planSettings.ts';
import { parseSettings } from '../../src/vault/settings.ts';

const ownWords: Readonly<Partial<Record<SettingPath, { toml: string; vault: unknown; own: object; plan: unknown }>>> = {
  'run.harness': {
    toml: '[run]\nharness = "scripted"\n',
    vault: 'scripted',
    own: { harness: 'claude-code' },
    plan: 'claude-code',
  },
  'limits.session-usd': {
    toml: '[limits]\nsession-usd = 3\n',
    vault: 3,
    own: { budget: { 'session-usd': 1 } },
    plan: 1,
  },
  'budget.plan-usd-per-day': {
    toml: '[budget]\nplan-usd-per-day = 4\n',
    vault: 4,
    own: { budget: { 'usd-per-day': 0 } },
    plan: 0,
  },
  'memory.given': {
    toml: '[memory]\ngiven = "all"\n',
    vault: 'all',
    own: { memory: { given: 'relevant' } },
    plan: 'relevant',
  },
  'memory.budget-kb': {
    toml: '[memory]\nbudget-kb = 8\n',
    vault: 8,
    own: { memory: { 'budget-kb': 0 } },
    plan: 0,
  },
  'memory.later-call-kb': {
    toml: '[memory]\nlater-call-kb = 2\n',
    vault: 2,
    own: { memory: { 'later-call-kb': 9 } },
    plan: 9,
  },
  'memory.later-session-kb': {
    toml: '[memory]\nlater-session-kb = 5\n',
    vault: 5,
    own: { memory: { 'later-session-kb': 0 } },
    plan: 0,
  },
  'harnesses.claude-code.models': {
    toml: '[harnesses.claude-code.models]\nwork = "opus"\n',
    vault: { work: 'opus' },
    own: { models: { reflect: 'haiku' } },
    plan: { work: 'opus', reflect: 'haiku' },
  },
};

const inPlan = settingPaths.filter((path) => settingRows[path].inPlan !== undefined);

describe.each(inPlan)('%s', (path) => {
  const words = ownWords[path];
  if (words === undefined) throw new Error(`${path} can be set in a plan, but no case tries it`);
  const state = (own: object) => planStateSchema.parse({ 'schema-version': 1, description: 'Tries it', ...own });
  const ofPath = (toml: string, own: object) => {
    const { settings, given } = parseSettings(toml, 'daemon.toml');
    return effectiveSettings(settings, new Map(given.map((one) => [one, 'daemon.toml'])), state(own)).find(
      (one) => one.path === path,
    );
  };

  test('has its default when neither the vault nor the plan sets it', () =>
    expect(ofPath('', {})?.from).toBe('default'));
  test('takes the value of the vault', () =>
    expect(ofPath(words.toml, {})).toEqual({ path, value: words.vault, from: 'daemon.toml' }));
  test('takes the value of the plan over that of the vault', () =>
    expect(ofPath(words.toml, words.own)).toEqual({ path, value: words.plan, from: 'plan-state.md' }));
  test('leaves the settings as they are when no plan state overrides them', () => {
    const { settings } = parseSettings(words.toml, 'daemon.toml');
    expect(settingsOfPlan(settings, undefined)).toBe(settings);
  });
});

test("a plan's default model overrides the vault's model for one phase", () => {
  const { settings } = parseSettings('[harnesses.claude-code.models]\nwork = "opus"\n', 'daemon.toml');
  const own = planStateSchema.parse({ 'schema-version': 1, description: 'Tries it', models: { default: 'haiku' } });
  expect(settingsOfPlan(settings, own).harnesses['claude-code'].models).toEqual({ default: 'haiku' });
});

test('a budget takes the daily limit of the plan from the plan and that of the vault from the vault', () => {
  const { settings } = parseSettings('[budget]\nvault-usd-per-day = 5\n[limits]\nsession-usd = 3\n', 'daemon.toml');
  const own = planStateSchema.parse({ 'schema-version': 1, description: 'Tries it', budget: { 'usd-per-day': 2 } });
  expect(budgetOf(settings, own)).toEqual({ sessionUsd: 3, planUsdPerDay: 2, vaultUsdPerDay: 5 });
  expect(budgetOf(settings, undefined)).toEqual({ sessionUsd: 3, planUsdPerDay: 0, vaultUsdPerDay: 5 });
});

test('a setting names the file that set it even when the value equals the default', () => {
  const { settings, given } = parseSettings('[limits]\nsession-usd = 10\n', 'daemon.toml');
  const found = effectiveSettings(settings, new Map(given.map((one) => [one, 'daemon.toml']))).find(
    ({ path }) => path === 'limits.session-usd',
  );
  expect(found).toEqual({ path: 'limits.session-usd', value: 10, from: 'daemon.toml' });
});
