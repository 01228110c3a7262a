import * as z from 'zod';
import type { SettingRow } from './settingRow.ts';

/** What everything outside of `harness/` knows of a harness; the rest is its adapter's business. */
interface HarnessRow<Own extends z.ZodObject> {
  /** As a person reads it. */
  readonly title: string;
  /** What it is, as the end of a sentence that begins with its name. */
  readonly about: string;
  /**
   * Its table in `daemon.toml`, with a default for all of it. Two keys mean the same for every harness: `program` is what
   * it starts, and `models` has a model for each phase, or `default`, over which those of a plan are laid.
   */
  readonly settings: z.ZodPrefault<Own>;
  /** What each of these settings means. */
  readonly rows: { readonly [Key in keyof Own['shape']]: SettingRow };
}

/** Infers the settings of a row. */
function harness<Own extends z.ZodObject>(row: HarnessRow<Own>): HarnessRow<Own> {
  return row;
}

/** Every harness that ships. `harness/adapters.ts` has an adapter for each, by the same name. */
const harnesses = {
  'claude-code': harness({
    title: 'Claude Code',
    about: 'Claude Code, the program that you installed and signed in to',
    settings: z
      .object({
        program: z.string().min(1).default('claude'),
        /** Without a model for a phase the program's own default is used. */
        models: z.record(z.string(), z.string()).default({}),
        /** `project` lets a repository's own settings and hooks in. */
        'setting-sources': z.enum(['', 'project']).default(''),
      })
      .prefault({}),
    rows: {
      program: { meaning: 'The Claude Code program: a name on PATH, or a path.', edit: 'guarded' },
      models: { meaning: 'Model by phase, such as { work = "opus", default = "sonnet" }.', inPlan: 'models' },
      'setting-sources': {
        meaning: '"project" lets sessions use the settings and hooks of the repository.',
        edit: 'guarded',
      },
    },
  }),
  scripted: harness({
    title: 'Scripted',
    about: 'plays a scenario file, without a model',
    settings: z.object({ scenario: z.string().optional() }).prefault({}),
    rows: {
      scenario: {
        meaning: 'The scenario file that the scripted harness plays, relative to the vault; there is no default.',
        flag: '--scenario',
      },
    },
  }),
} as const;

export type HarnessName = keyof typeof harnesses;

export const harnessNames = Object.keys(harnesses) as readonly HarnessName[];

/** What runs phases unless a setting, a plan or a flag names another. */
export const usualHarness: HarnessName = 'claude-code';

/** The one that plays scenarios, and asks no model. */
export const scenarioHarness = 'scripted' satisfies HarnessName;

/** How a harness is shown to a person. */
export function describeHarness(name: HarnessName): { readonly title: string; readonly about: string } {
  return harnesses[name];
}

type SettingsByHarness = { readonly [Name in HarnessName]: (typeof harnesses)[Name]['settings'] };

/** The tables `[harnesses.<name>]` of `daemon.toml`. */
export const harnessSettingsSchema = z
  .object(Object.fromEntries(harnessNames.map((name) => [name, harnesses[name].settings])) as SettingsByHarness)
  .prefault({});

type HarnessSettingPath = {
  [Name in HarnessName]: `harnesses.${Name}.${keyof (typeof harnesses)[Name]['rows'] & string}`;
}[HarnessName];

/** The rows of all settings of harnesses, by their paths. */
export const harnessSettingRows = Object.fromEntries(
  harnessNames.flatMap((name) =>
    Object.entries(harnesses[name].rows).map(([key, row]) => [`harnesses.${name}.${key}`, row] as const),
  ),
) as Readonly<Record<HarnessSettingPath, SettingRow>>;
