import { stringify } from 'smol-toml';
import type { ReadingDisk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { readTextIfExists } from '../base/files.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { defaultSettings, type Settings, settingsSchema } from '../model/settings.ts';
import type { VaultLayout } from './layout.ts';
import { isTable, locateKey, parseToml, type TomlTable } from './toml.ts';

/** Dotted paths of the leaves of `T`; lists and tables with free keys count as leaves. */
type LeafPath<T> = {
  [Key in keyof T & string]-?: NonNullable<T[Key]> extends readonly unknown[]
    ? Key
    : NonNullable<T[Key]> extends object
      ? string extends keyof NonNullable<T[Key]>
        ? Key
        : `${Key}.${LeafPath<NonNullable<T[Key]>>}`
      : Key;
}[keyof T & string];

/** Every setting with what it means, in the order of the file; a setting without a line here does not compile. */
const meanings: Readonly<Record<LeafPath<Settings>, string>> = {
  'run.harness': 'The program that carries out phases where neither plan nor flag names one.',
  'limits.session-minutes': 'A session is ended after so many minutes.',
  'limits.session-output-mib': 'A session is ended after so much output, in MiB.',
  'limits.session-usd': 'A session is ended when it has cost so much, in US dollars.',
  'limits.orphan-minutes-after-crash': 'How long a session goes on after its owner crashed.',
  'limits.orphan-minutes-after-stop': 'How long a session goes on after its owner was stopped in order.',
  'limits.exit-grace-seconds': 'How long a harness may take to exit once its phase is accepted.',
  'limits.pre-work-minutes': "A plan's pre-work.sh is ended after so many minutes, and work does not begin.",
  'actors.max-active': 'So many plans and experts are active at a time; the others queue.',
  'actors.idle-minutes': 'An actor that had nothing to do for so long is put to rest.',
  'actors.crashes': 'An actor that crashes so often within the window is stopped until you revive it.',
  'actors.crash-window-seconds': 'The window in which crashes are counted.',
  'budget.plan-usd-per-day': 'What the sessions of one plan may cost in a day, in US dollars; 0 for no limit.',
  'budget.vault-usd-per-day': 'What all sessions may cost in a day, in US dollars; 0 for no limit.',
  'budget.prices':
    'US dollars per million tokens by model, where a harness reports none: { opus = { input = 5, output = 25 } }.',
  'dream.headroom-words': 'A dream is due when memory has grown by more than so many words since the last one.',
  'gates.finish-attempts': 'How often a session may try to finish before its phase counts as failed.',
  'gates.allowed-commands': 'First words of commands that a work session may run beside the built-in ones.',
  'gates.approval-wait-seconds': 'How long a tool that wants leave waits for your decision; 0 denies at once.',
  'environment.pass': 'Environment variables that sessions get beside the built-in ones; "NAME_*" matches a prefix.',
  'vault.commit': 'When Ravel commits its own files of the vault: "auto", "approved" or "never".',
  'harnesses.claude-code.program': 'The Claude Code program: a name on PATH, or a path.',
  'harnesses.claude-code.models': 'Model by phase, such as { work = "opus", default = "sonnet" }.',
  'harnesses.claude-code.setting-sources': '"project" lets the settings and hooks of a repository in.',
  'harnesses.scripted.scenario': 'The scenario file that the scripted harness plays; there is no default.',
};

const paths: readonly string[] = Object.keys(meanings);

export interface LoadedSettings {
  readonly settings: Settings;
  /** `vault/unknownSetting` for each key that has no effect. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads `daemon.toml` over the defaults; no file is all defaults. Throws `vault/badSettings` on a bad value. */
export async function loadSettings(disk: ReadingDisk, layout: VaultLayout): Promise<LoadedSettings> {
  const file = layout.settings;
  const text = await readTextIfExists(disk, file);
  if (text === undefined) return { settings: defaultSettings, diagnostics: [] };
  return parseSettings(text, file);
}

export function parseSettings(text: string, file: string): LoadedSettings {
  const value = parseToml(text, {
    file,
    subject: file,
    code: 'vault/badSettings',
    help: 'Repair daemon.toml at the named line.',
  });
  const result = settingsSchema.safeParse(value);
  if (!result.success) throw badSettings(text, file, result.error.issues);
  const diagnostics = unknownKeys(value, []).map((path) =>
    diagnostic('vault/unknownSetting', file, `The setting "${path.join('.')}" is unknown and has no effect.`, {
      severity: 'warning',
      file,
      ...rangeOf(text, path),
    }),
  );
  return { settings: result.data, diagnostics };
}

/** `daemon.toml` for a new vault: every setting with its meaning and its default, commented out. */
export function formatDefaultSettings(): string {
  const lines = [
    '# Settings of this vault. Each line that starts with # and no space is a setting with its default;',
    '# remove the # to change it.',
  ];
  let table = '';
  for (const [path, meaning] of Object.entries(meanings)) {
    const segments = path.split('.');
    const parent = segments.slice(0, -1).join('.');
    if (parent !== table) lines.push('', `[${parent}]`);
    table = parent;
    lines.push(`# ${meaning}`, formatDefault(segments));
  }
  return `${lines.join('\n')}\n`;
}

function formatDefault(segments: readonly string[]): string {
  const key = segments.at(-1) ?? '';
  let value: unknown = defaultSettings;
  for (const segment of segments) value = isTable(value) ? value[segment] : undefined;
  if (value === undefined) return `# ${key} = "/path/to/file"`;
  if (isTable(value)) return `#${key} = {}`;
  return `#${stringify({ [key]: value }).trim()}`;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function badSettings(text: string, file: string, issues: readonly Issue[]) {
  const problems = issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`);
  const first = (issues[0]?.path ?? []).map(String);
  return failure('vault/badSettings', file, `${file} has a bad value: ${problems.join('; ')}.`, {
    file,
    ...rangeOf(text, first),
  });
}

function rangeOf(text: string, path: readonly string[]) {
  const range = locateKey(text, path);
  return range === undefined ? {} : { range };
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
