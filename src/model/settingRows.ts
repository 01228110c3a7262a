import type { Settings } from './settings.ts';

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

export type SettingPath = LeafPath<Settings>;

/** What an owner of the vault sets over its file, such as the settings of an editor. */
export type SettingOverrides = Readonly<Partial<Record<SettingPath, unknown>>>;

/** What a setting means, and where else than in `daemon.toml` it may be set (design 3, precedence). */
export interface SettingRow {
  readonly meaning: string;
  /** Key in the frontmatter of `plan-state.md`, for one plan. */
  readonly inPlan?: string;
  /** Flag of `ravel run` and `ravel retry`, for one run. */
  readonly flag?: string;
}

/** Every setting, in the order of the file; a setting without a row does not compile. */
export const settingRows: Readonly<Record<SettingPath, SettingRow>> = {
  'run.harness': {
    meaning: 'The program that carries out phases where neither plan nor flag names one.',
    inPlan: 'harness',
    flag: '--harness',
  },
  'limits.session-minutes': { meaning: 'A session is ended after so many minutes.' },
  'limits.terminal-minutes': { meaning: 'The same for a session with a person at its terminal.' },
  'limits.session-output-mib': { meaning: 'A session is ended after so much output, in MiB.' },
  'limits.session-usd': {
    meaning: 'A session is ended when it has cost so much, in US dollars.',
    inPlan: 'budget.session-usd',
  },
  'limits.orphan-minutes-after-crash': { meaning: 'How long a session goes on after its owner crashed.' },
  'limits.orphan-minutes-after-stop': { meaning: 'How long a session goes on after its owner was stopped in order.' },
  'limits.exit-grace-seconds': { meaning: 'How long a harness may take to exit once its phase is accepted.' },
  'limits.answer-minutes': { meaning: 'A session that answers a question to a plan is ended after so many minutes.' },
  'limits.pre-work-minutes': {
    meaning: "A plan's pre-work.sh is ended after so many minutes, and work does not begin.",
  },
  'actors.max-active': { meaning: 'So many plans and experts are active at a time; the others queue.' },
  'actors.idle-minutes': { meaning: 'An actor that had nothing to do for so long is put to rest.' },
  'actors.crashes': { meaning: 'An actor that crashes so often within the window is stopped until you revive it.' },
  'actors.crash-window-seconds': { meaning: 'The window in which crashes are counted.' },
  'budget.plan-usd-per-day': {
    meaning: 'What the sessions of one plan may cost in a day, in US dollars; 0 for no limit.',
    inPlan: 'budget.usd-per-day',
  },
  'budget.vault-usd-per-day': { meaning: 'What all sessions may cost in a day, in US dollars; 0 for no limit.' },
  'budget.prices': {
    meaning:
      'US dollars per million tokens by model, where a harness reports none: { opus = { input = 5, output = 25 } }.',
  },
  'retention.days': {
    meaning: 'What sessions and phases left may go when it is so many days old; see `ravel doctor --clean`.',
  },
  'retention.mib': { meaning: 'The oldest of it may go before that, as long as all of it is more than so many MiB.' },
  'dream.headroom-words': {
    meaning: 'A dream is due when memory has grown by more than so many words since the last one.',
  },
  'gates.finish-attempts': { meaning: 'How often a session may try to finish before its phase counts as failed.' },
  'gates.allowed-commands': {
    meaning: 'First words of commands that a work session may run beside the built-in ones.',
  },
  'gates.allowed-secrets': {
    meaning: 'Ids of texts that look like a secret and are none; what is refused names its id.',
  },
  'gates.approval-wait-seconds': {
    meaning: 'How long a tool that wants leave waits for your decision; 0 denies at once.',
  },
  'sandbox.commands': {
    meaning:
      'Whether commands of work sessions and hooks of commits run in a sandbox: "preferred" where the system can, "required" or not at all, "off".',
  },
  'sandbox.network': {
    meaning:
      'The network of commands in a sandbox: "none", "ask" for one command at a time, or "open" for all of them.',
  },
  'routing.facts': {
    meaning: 'What finds out what a message is about: "vocabulary", the words of this vault, or "model".',
  },
  'routing.facts-seconds': {
    meaning: 'A model that has not said it after so many seconds leaves it to the vocabulary.',
  },
  'routing.auto-score': {
    meaning: 'Whether a clear lead among the scored candidates decides where a message goes, without a model.',
  },
  'routing.margin': { meaning: 'How far the best candidate must be ahead of the second for that, of 1.' },
  'routing.retargets': { meaning: 'How often projects may pass a message on before a person is asked.' },
  'routing.level-2-minutes': { meaning: 'A session that decides where a message goes is ended after so many minutes.' },
  'routing.concurrent': { meaning: 'So many messages are put to sessions at a time; the others queue.' },
  'routing.propose-every': {
    meaning: 'After so many routed messages the history is looked through for rules; 0 for only when you ask.',
  },
  'routing.model': {
    meaning: 'The model that is asked where messages go; without one the harness chooses.',
  },
  'environment.pass': {
    meaning: 'Environment variables that sessions get beside the built-in ones; "NAME_*" matches a prefix.',
  },
  'watch.enabled': {
    meaning: 'Whether the owner of the vault notices by itself what you change in its files and those of plans.',
  },
  'watch.reconcile-seconds': {
    meaning: 'So often it looks at all of them, for what the system did not tell; less often in a very large vault.',
  },
  'vault.commit': { meaning: 'When Ravel commits its own files of the vault: "auto", "approved" or "never".' },
  'harnesses.claude-code.program': { meaning: 'The Claude Code program: a name on PATH, or a path.' },
  'harnesses.claude-code.models': {
    meaning: 'Model by phase, such as { work = "opus", default = "sonnet" }.',
    inPlan: 'models',
  },
  'harnesses.claude-code.setting-sources': { meaning: '"project" lets the settings and hooks of a repository in.' },
  'harnesses.scripted.scenario': {
    meaning: 'The scenario file that the scripted harness plays, by its path in the vault; there is no default.',
    flag: '--scenario',
  },
};

export const settingPaths = Object.keys(settingRows) as readonly SettingPath[];

/** What stands at a dotted path: of all settings, of a file that sets some, of a plan's frontmatter. */
export function settingAt(table: unknown, path: string): unknown {
  let value = table;
  for (const segment of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[segment];
  return value;
}
