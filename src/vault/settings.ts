import { stringify } from 'smol-toml';
import * as z from 'zod';
import { defined } from '../base/defined.ts';
import type { ReadingDisk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { describeIssue, foundAt } from '../model/issueText.ts';
import { type SettingOverrides, type SettingPath, settingAt, settingPaths, settingRows } from '../model/settingRows.ts';
import { defaultSettings, type Settings, settingsSchema } from '../model/settings.ts';
import type { VaultLayout } from './layout.ts';
import { isTable, locateKey, parseToml, type TomlTable } from './toml.ts';

const paths: readonly string[] = settingPaths;

export interface LoadedSettings {
  readonly settings: Settings;
  /** `vault/unknownSetting` for each key that has no effect. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the file sets itself, the value of a default included. */
  readonly given: readonly SettingPath[];
}

/** Reads `daemon.toml` over the defaults; no file is all defaults. Throws `vault/badSettings` on a bad value. */
export async function loadSettings(disk: ReadingDisk, layout: VaultLayout): Promise<LoadedSettings> {
  const file = layout.settings;
  const text = await readTextIfExists(disk, file);
  if (text === undefined) return { settings: defaultSettings, diagnostics: [], given: [] };
  return parseSettings(text, file);
}

/** The settings with the overrides among them; one that has a bad value is told, and changes nothing. */
export function overrideSettings(
  settings: Settings,
  overrides: SettingOverrides,
): { readonly settings: Settings; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  let result = settings;
  for (const path of settingPaths) {
    if (overrides[path] === undefined) continue;
    const parsed = settingsSchema.safeParse(withValue(result, path.split('.'), overrides[path]));
    if (parsed.success) result = parsed.data;
    else diagnostics.push(badOverride(path, problemOf(parsed.error, overrides[path])));
  }
  return { settings: result, diagnostics };
}

function problemOf({ issues: [issue] }: z.ZodError, value: unknown): string {
  return issue === undefined ? '' : describeIssue(issue, { value });
}

function badOverride(path: SettingPath, problem: string): Diagnostic {
  return diagnostic('vault/badSettings', path, `The value given for "${path}" is not used: ${problem}.`, {
    severity: 'warning',
    help: 'Correct it in the settings of the editor.',
  });
}

/** A copy of the table with the value at the path; without it if the value is undefined. */
export function withValue(table: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const before = isTable(table) ? table : {};
  const { [key]: at, ...others } = before;
  const changed = withValue(at, rest, value);
  return changed === undefined ? others : { ...before, [key]: changed };
}

export function parseSettings(text: string, file: string): LoadedSettings {
  const value = parseToml(text, {
    file,
    subject: file,
    code: 'vault/badSettings',
    help: 'Repair daemon.toml at the named line.',
  });
  const result = settingsSchema.safeParse(value);
  if (!result.success) throw badSettings({ text, file, value }, result.error.issues);
  const diagnostics = unknownKeys(value, []).map((path) => {
    const name = path.join('.');
    const about = { severity: 'warning', file, ...rangeOf(text, path) } as const;
    const removed = removedSettings[name];
    if (removed !== undefined)
      return diagnostic('vault/removedSetting', file, `"${name}" has no effect: ${removed}.`, about);
    return diagnostic('vault/unknownSetting', file, `The setting "${name}" is unknown and has no effect.`, about);
  });
  const given = settingPaths.filter((path) => settingAt(value, path) !== undefined);
  return { settings: result.data, diagnostics, given };
}

/** What does now what a setting of earlier versions did. */
const removedSettings: Readonly<Record<string, string>> = {
  'gates.allowed-commands': 'which commands sessions can run is said by the rules of policy.yaml',
};

/** The programs that `gates.allowed-commands` of earlier versions names in a text; none if the text cannot be read. */
export function olderCommandsOf(text: string): readonly string[] {
  const named = z
    .object({ gates: z.object({ 'allowed-commands': z.array(z.string()) }) })
    .safeParse(parseToml(text, { file: '', subject: '', code: 'vault/badSettings' }));
  return named.data?.gates['allowed-commands'] ?? [];
}

/** `daemon.toml` for a new vault: every setting with its meaning and its default, commented out. */
export function formatDefaultSettings(): string {
  const lines = [
    '# Settings of this vault. Each line that starts with # and no space is a setting with its default;',
    '# remove the # to change it.',
  ];
  let table = '';
  for (const [path, { meaning }] of Object.entries(settingRows)) {
    const dot = path.lastIndexOf('.');
    const parent = path.slice(0, dot);
    if (parent !== table) lines.push('', `[${parent}]`);
    table = parent;
    lines.push(`# ${meaning}`, formatDefault(path.slice(dot + 1), settingAt(defaultSettings, path)));
  }
  return `${lines.join('\n')}\n`;
}

function formatDefault(key: string, value: unknown): string {
  if (value === undefined) return `# ${key} = "/path/to/file"`;
  if (isTable(value)) return `#${key} = {}`;
  return `#${stringify({ [key]: value }).trim()}`;
}

interface SettingsText {
  readonly text: string;
  readonly file: string;
  readonly value: TomlTable;
}

function badSettings({ text, file, value }: SettingsText, issues: readonly z.core.$ZodIssue[]) {
  const problems = issues.map(
    (issue) => `${issue.path.map(String).join('.')}: ${describeIssue(issue, foundAt(value, issue.path))}`,
  );
  const first = (issues[0]?.path ?? []).map(String);
  return failure('vault/badSettings', file, `${file} has a bad value: ${problems.join('; ')}.`, {
    file,
    ...rangeOf(text, first),
  });
}

function rangeOf(text: string, path: readonly string[]) {
  const range = locateKey(text, path);
  return defined({ range });
}

function unknownKeys(table: TomlTable, above: readonly string[]): string[][] {
  const unknown: string[][] = [];
  for (const [key, value] of Object.entries(table)) {
    const path = [...above, key];
    const name = path.join('.');
    const isPrefix = paths.some((known) => known.startsWith(`${name}.`));
    if (key.includes('.') || !(isPrefix || paths.includes(name))) unknown.push(path);
    else if (isPrefix && isTable(value)) unknown.push(...unknownKeys(value, path));
  }
  return unknown;
}
