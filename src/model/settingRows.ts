import { harnessSettingRows } from './harnesses.ts';
import type { SettingRow } from './settingRow.ts';
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

/** Every setting, in the order of the file; a setting without a row does not compile. */
export const settingRows: Readonly<Record<SettingPath, SettingRow>> = {
  'run.harness': {
    meaning: 'The agent program that runs phases, unless the plan or a flag names another.',
    inPlan: 'harness',
    flag: '--harness',
  },
  'limits.session-minutes': { meaning: 'Ends a session after this many minutes.' },
  'limits.terminal-minutes': { meaning: 'The same for a session that you hold in a terminal.' },
  'limits.session-output-mib': {
    meaning: 'Ends a session after this much output, in MiB, or after tool calls of the same size.',
  },
  'limits.session-usd': {
    meaning: 'Ends a session once it has cost this many US dollars.',
    inPlan: 'budget.session-usd',
  },
  'limits.orphan-minutes-after-crash': {
    meaning: 'How long a session can continue after the owner of the vault has crashed.',
  },
  'limits.orphan-minutes-after-stop': {
    meaning: 'How long a session can continue after the owner of the vault was stopped.',
  },
  'limits.exit-grace-seconds': { meaning: 'How long the agent program has to exit once its phase is accepted.' },
  'limits.answer-minutes': { meaning: 'Ends a session that answers a question to a plan after this many minutes.' },
  'limits.pre-work-minutes': {
    meaning: "Ends a plan's pre-work.sh after this many minutes; work then does not begin.",
  },
  'actors.max-active': {
    meaning: 'How many plans and experts are active at a time; the others queue.',
    edit: 'newOwner',
  },
  'actors.idle-minutes': {
    meaning: 'A plan or expert that has had nothing to do for this long becomes dormant.',
    edit: 'newOwner',
  },
  'actors.crashes': {
    meaning: 'A plan or expert that crashes this often within the window is stopped until you revive it.',
    edit: 'newOwner',
  },
  'actors.crash-window-seconds': { meaning: 'The window in which crashes are counted.', edit: 'newOwner' },
  'budget.plan-usd-per-day': {
    meaning: 'Cost limit for the sessions of one plan in a day, in US dollars; 0 for no limit.',
    inPlan: 'budget.usd-per-day',
  },
  'budget.vault-usd-per-day': { meaning: 'Cost limit for all sessions in a day, in US dollars; 0 for no limit.' },
  'budget.prices': {
    meaning:
      'Prices in US dollars per million tokens by model, for when the agent program reports no cost: { opus = { input = 5, output = 25 } }.',
  },
  'retention.days': {
    meaning: 'Files of ended sessions and phases can be removed after this many days; see `ravel doctor --clean`.',
  },
  'retention.mib': { meaning: 'If these files take more than this many MiB, the oldest can be removed earlier.' },
  'retention.automatic': {
    meaning: 'Whether the owner of the vault removes these files by itself, once a day while no session is running.',
  },
  'knowledge.ingestion': {
    meaning:
      'Whether what plans prove is offered to the experts of the vault: "auto" by itself, "review-first" once you have seen it, "off" never.',
  },
  'memory.given': {
    meaning:
      'What a session is given of a memory: the part that is "relevant" to its task, or "all" of it; the same for the backlog.',
    inPlan: 'memory.given',
  },
  'memory.budget-kb': {
    meaning:
      'Up to how many kB of memory a prompt holds, and up to how many of the backlog; what is smaller is given whole.',
    inPlan: 'memory.budget-kb',
  },
  'memory.later-call-kb': {
    meaning:
      'Up to how many kB of memory come with the answer to one tool call, when it touches what an entry names; 0 for none.',
    inPlan: 'memory.later-call-kb',
  },
  'memory.later-session-kb': {
    meaning: 'Up to how many kB of memory come with answers in one session.',
    inPlan: 'memory.later-session-kb',
  },
  'dream.headroom-words': {
    meaning: 'A dream is due when memory has grown by more than this many words since the last one.',
  },
  'gates.finish-attempts': { meaning: 'How many attempts a session has to finish before its phase has failed.' },
  'gates.allowed-secrets': {
    meaning: 'Ids of texts that look like secrets but are not; a refusal names the id.',
    edit: 'guarded',
  },
  'gates.approval-wait-seconds': {
    meaning: 'How long a tool that needs permission waits for your decision; 0 denies at once.',
  },
  'sandbox.commands': {
    meaning:
      'Whether the commands of work sessions and the hooks of commits run in a sandbox: "preferred" means where the system can, "required" means there or not at all, "off" means never. Hooks that your own git configuration names run outside it.',
    edit: 'guarded',
  },
  'sandbox.network': {
    meaning:
      'Network access of commands in a sandbox: "none", "ask" for one command at a time, or "open" for all of them.',
    edit: 'guarded',
  },
  'sandbox.readable': {
    meaning:
      'Files and folders outside the project that commands in a sandbox can read as well: ["~/datasets", "/data/sdk"]. Not the root, the home folder, /dev or /proc.',
    edit: 'guarded',
  },
  'routing.facts': {
    meaning:
      'How Ravel finds out what a message is about: by the "vocabulary", the words of this vault, or by a "model".',
  },
  'routing.facts-seconds': {
    meaning: 'The vocabulary decides when the model has not answered after this many seconds.',
  },
  'routing.auto-score': {
    meaning:
      'Whether scores decide where a message goes, without a model, if the best candidate is far enough ahead of the second.',
  },
  'routing.precision': {
    meaning:
      'How often such decisions must be right, from 0.5 to 0.999: Ravel finds out which lead is enough for that by testing it on the tasks of your plans and on earlier decisions.',
  },
  'routing.retargets': { meaning: 'How often projects can pass a message on before you are asked.' },
  'routing.level-2-minutes': { meaning: 'Ends a session that decides where a message goes after this many minutes.' },
  'routing.concurrent': {
    meaning: 'For how many messages at a time sessions decide where they go; the others queue.',
    edit: 'newOwner',
  },
  'routing.propose-every': {
    meaning: 'After this many routed messages Ravel looks through the history for rules; 0 means only when you ask.',
    edit: 'newOwner',
  },
  'routing.model': {
    meaning: 'The model that decides where messages go; without one the agent program chooses.',
  },
  'search.embeddings.url': {
    meaning:
      'Address of an OpenAI-compatible server, such as "http://127.0.0.1:11434/v1", by which searches rank by meaning as well; without one they do not.',
    edit: 'guarded',
  },
  'search.embeddings.host': {
    meaning: 'The host of that address, if it is not this machine: texts of the vault are sent there.',
    edit: 'guarded',
  },
  'search.embeddings.model': { meaning: 'The model that the server is asked for.', edit: 'guarded' },
  'search.embeddings.key-variable': {
    meaning: 'The environment variable that holds the key for the server; without one no key is sent.',
    edit: 'guarded',
  },
  'environment.pass': {
    meaning: 'Environment variables that sessions get besides the built-in ones; "NAME_*" matches a prefix.',
    edit: 'guarded',
  },
  'watch.enabled': {
    meaning:
      'Whether the owner of the vault notices by itself what you change in the files of the vault and its plans.',
    edit: 'newOwner',
  },
  'watch.reconcile-seconds': {
    meaning:
      'How often it looks at all of them, for changes that the system did not report; less often in a very large vault.',
    edit: 'newOwner',
  },
  'vault.commit': { meaning: 'When Ravel commits its own files of the vault: "auto", "approved" or "never".' },
  ...harnessSettingRows,
};

export const settingPaths = Object.keys(settingRows) as readonly SettingPath[];

/** What stands at a dotted path: of all settings, of a file that sets some, of a plan's frontmatter. */
export function settingAt(table: unknown, path: string): unknown {
  let value = table;
  for (const segment of path.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[segment];
  return value;
}
