import { defined } from '../base/defined.ts';
import { type HarnessName, harnessNames } from '../model/harnesses.ts';
import type { PlanState } from '../model/planState.ts';
import { type SettingPath, settingAt, settingPaths, settingRows } from '../model/settingRows.ts';
import type { Settings } from '../model/settings.ts';

/**
 * The settings as they hold for one plan: what its `plan-state.md` says goes before the editor and `daemon.toml`, and
 * those before the defaults. Flags go before all of them, for one run. A harness that is not known changes nothing
 * here; the preflight refuses it.
 */
export function settingsOfPlan(settings: Settings, own: PlanState | undefined): Settings {
  if (own === undefined) return settings;
  const { harness, models, budget, memory } = own;
  return {
    ...settings,
    run: { ...settings.run, ...(isHarness(harness) && { harness }) },
    limits: { ...settings.limits, ...pick('session-usd', budget?.['session-usd']) },
    budget: { ...settings.budget, ...pick('plan-usd-per-day', budget?.['usd-per-day']) },
    memory: {
      given: memory?.given ?? settings.memory.given,
      'budget-kb': memory?.['budget-kb'] ?? settings.memory['budget-kb'],
      'later-call-kb': memory?.['later-call-kb'] ?? settings.memory['later-call-kb'],
      'later-session-kb': memory?.['later-session-kb'] ?? settings.memory['later-session-kb'],
    },
    harnesses: withModels(settings.harnesses, models),
  };
}

export type SettingOrigin = 'default' | 'daemon.toml' | 'editor' | 'plan-state.md';

export interface EffectiveSetting {
  readonly path: SettingPath;
  /** Absent if nothing is set and there is no default. */
  readonly value?: unknown;
  readonly from: SettingOrigin;
}

/** Each setting with its value and the layer that it comes from; `given` is what the vault's layers set. */
export function effectiveSettings(
  settings: Settings,
  given: ReadonlyMap<SettingPath, SettingOrigin>,
  own?: PlanState,
): EffectiveSetting[] {
  const effective = settingsOfPlan(settings, own);
  return settingPaths.map((path) => {
    const value = settingAt(effective, path);
    const from = setsInPlan(own, path) ? 'plan-state.md' : (given.get(path) ?? 'default');
    return { path, from, ...defined({ value }) };
  });
}

/** Set by the plan, even if the vault has the same value. */
function setsInPlan(own: PlanState | undefined, path: SettingPath): boolean {
  const { inPlan } = settingRows[path];
  return inPlan !== undefined && settingAt(own, inPlan) !== undefined;
}

/** The models of a plan, over those of every harness that has any. */
function withModels(harnesses: Settings['harnesses'], own: PlanState['models']): Settings['harnesses'] {
  const merged = Object.entries(harnesses).map(([name, table]) => [
    name,
    'models' in table ? { ...table, models: mergeModels(table.models, own) } : table,
  ]);
  return Object.fromEntries(merged);
}

/** A plan's model for all phases wins over the vault's model for one phase. */
function mergeModels(shared: Readonly<Record<string, string>>, own: Readonly<Record<string, string>> | undefined) {
  return own?.['default'] === undefined ? { ...shared, ...own } : own;
}

function isHarness(name: string | undefined): name is HarnessName {
  return harnessNames.some((harness) => harness === name);
}

function pick<Key extends string>(key: Key, value: number | undefined): { readonly [K in Key]?: number } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [K in Key]?: number });
}
