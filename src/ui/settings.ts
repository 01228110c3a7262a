import type { SettingOverrides, SettingPath } from '../model/settingRows.ts';

/** Settings of the editor, without `ravel.`, that go before one of the vault's when this window opens it. */
export const settingsOverVault = {
  harness: 'run.harness',
  'claudeCode.program': 'harnesses.claude-code.program',
  sessionUsd: 'limits.session-usd',
  sessionMinutes: 'limits.session-minutes',
} as const satisfies Readonly<Record<string, SettingPath>>;

/** What the editor sets of the vault's settings; what is empty there leaves the vault its own. */
export function settingOverrides(read: (name: string) => unknown): SettingOverrides {
  const overrides: Partial<Record<SettingPath, unknown>> = {};
  for (const [name, path] of Object.entries(settingsOverVault)) {
    const value = read(name);
    if (value !== undefined && value !== null && value !== '') overrides[path] = value;
  }
  return overrides;
}
