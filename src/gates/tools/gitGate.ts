import { judgeLikelyPaths, judgeOptions, judgeWord, marksOf } from './commandArguments.ts';
import { ask, askProtected, type CommandPlace, doubt, type Objection, refuse, strictest } from './objection.ts';
import { type ProgramArguments, parseArguments } from './programArguments.ts';
import { gitTables, gitWriters } from './programs/git.ts';
import { judgeTree } from './searchGate.ts';
import { mayBeNamed } from './searchScope.ts';
import type { ShellWord } from './shell/shell.ts';
import type { Special } from './special.ts';
import { mayHoldRegistryToken, mayLeadToSecret } from './toolPath.ts';

const harmlessOptions: ReadonlySet<string> = new Set([
  ...['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects', '--icase-pathspecs'],
]);

/**
 * A session can read Git in its shell; only Ravel's own code and the user change commits, the index and the branches.
 * All arguments count: many subcommands read in one form and write in another.
 *
 * What was committed can be read: anyone who has the repository knows a secret in its history. A file whose name says
 * that it holds secrets, or a session log, is refused by its name all the same.
 */
export const judgeGit: Special = ({ rest, place }) => {
  let at = 0;
  while (at < rest.length && harmlessOptions.has(rest[at]?.text ?? '')) at += 1;
  const subcommand = rest[at];
  if (subcommand === undefined) return undefined;
  if (subcommand.isDynamic || subcommand.isGlob) return refuse('What git would do cannot be known.');
  const name = subcommand.text;
  // Git takes these two as the subcommand of that name.
  if (name === '--version' || name === '--help') return judgeSubcommand(name.slice(2), rest.slice(at + 1), place);
  if (name.startsWith('-')) return refuse(`git ${name} is refused: it makes git work elsewhere or run other programs.`);
  return judgeSubcommand(name, rest.slice(at + 1), place);
};

function judgeSubcommand(name: string, words: readonly ShellWord[], place: CommandPlace): Objection {
  if (gitWriters.has(name)) return refuseToWrite(name);
  const table = gitTables.get(name);
  if (table === undefined) return ask(`git ${name} is not on the list of git commands that a session can run.`);
  const given = parseArguments(words, table);
  const isWriting = writing[name]?.(given) === true;
  if (isWriting) return refuseToWrite(name);
  if (given.unknown !== undefined) return judgeUnknown(name, given.unknown, words, place);
  const refused = given.options.find(({ option }) => option.mark === 'ask' || option.role === 'ask');
  if (refused !== undefined)
    return refuse(`git ${name} ${refused.name} is refused: it writes a file, reads others or starts a program.`);
  return strictest([
    judgeAddresses(name, given),
    judgeFormat(name, given),
    judgeOptions(`git ${name}`, given, words, table, place),
    judgeObjects(name, given.operands),
    name === 'grep' ? judgeGrep(given, words, place) : undefined,
    ...given.operands
      .slice(name === 'grep' && !marksOf(given).has('script') ? 1 : 0)
      .map((word) => judgeOperand(name, word, place)),
    ...given.options
      .filter((option) => !textOptions.has(option.name))
      .flatMap(({ values }) => values.map((word) => judgeOperand(name, word, place))),
  ]);
}

/** A format that shows signatures starts gpg. */
function judgeFormat(name: string, { options }: ProgramArguments): Objection {
  const signed = options.find(
    (option) => /^--(?:pretty|format)$/.test(option.name) && option.values.some(({ text }) => signature.test(text)),
  );
  return signed === undefined ? undefined : ask(`git ${name} ${signed.name} starts gpg for a signature.`);
}

const signature = /%[-+ ]?G|%\(\*?signature/;

/** Their values are searched for. */
const textOptions: ReadonlySet<string> = new Set(['-e', '-S', '-G', '--grep', '--author', '--committer']);

/** A bare hash may be that of a file, whose name git does not ask for; as a commit it shows what it says. */
const bareHash = /^\^?(?:\S*-g)?[0-9a-f]{4,64}(?:\^\{(?:object|blob)?\})*$/i;

function judgeObjects(name: string, operands: readonly ShellWord[]): Objection {
  if (name !== 'show' && (name !== 'diff' || (operands.length < 2 && !/[^.]\.\.[^.]/.test(operands[0]?.text ?? ''))))
    return undefined;
  const hash = operands
    .flatMap(({ text }) => (name === 'diff' && text.includes('...') ? [] : text.split('..')))
    .find((text) => bareHash.test(text));
  return hash === undefined
    ? undefined
    : refuse(
        `git ${name} ${hash} is refused: the hash may be that of a file with secrets. Write ${hash.replace(/\^\{.*/, '')}^{commit}, or name the file as in HEAD:src/a.ts.`,
      );
}

/** What stands before `--` may be a revision, in which a file with secrets may be that is no longer there. */
function judgeGrep(given: ProgramArguments, words: readonly ShellWord[], place: CommandPlace): Objection {
  const end = words.findIndex(({ text }) => text === '--');
  const operands = given.operands.slice(marksOf(given).has('script') ? 0 : 1);
  const after = end < 0 ? 0 : Math.min(operands.length, words.length - end - 1);
  const before = operands.slice(0, operands.length - after);
  const paths = operands.filter((word) => !before.includes(word) || isSurelyPath(word.text));
  const revision = before.find((word) => !isSurelyPath(word.text));
  if (revision !== undefined) {
    const isNarrow = paths.some(({ text }) => !text.startsWith(':'));
    return isNarrow && paths.every(({ text }) => text.startsWith(':') || namesSources(text))
      ? undefined
      : ask(
          `git grep may search ${revision.text} as a revision, and show files with secrets in it; name files, as in -- '*.ts'.`,
        );
  }
  const folders = paths.filter(({ text }) => !/^:[!^(]|[*?[]/.test(text));
  const scope = { rules: [], others: 'read', hidden: false } as const;
  return strictest(
    (folders.length > 0 ? folders : [hereWord]).map((word) => judgeTree('git grep', word, scope, place)),
  );
}

const hereWord: ShellWord = { text: '.', isDynamic: false, isGlob: false, isHome: false };

/** No branch and no tag is named so, or hardly one. */
function isSurelyPath(text: string): boolean {
  return /[*?[]|^\.{0,2}\/|^\.{1,2}$|\/$|^:/.test(text) || namesSources(text);
}

/** A file or pattern whose ending is that of an ordinary file. */
function namesSources(text: string): boolean {
  const name = text.split('/').at(-1) ?? '';
  return /\.[a-z]{1,8}$/i.test(name) && !/[~^@{}]/.test(text) && !mayReachSecrets(text);
}

/** What shows the configuration may show the password in an address, also one that a person set for all repositories. */
function judgeAddresses(name: string, { options, operands }: ProgramArguments): Objection {
  const shows =
    (name === 'config' &&
      (has(options, '-l', '--list', '--get-regexp', '--get-urlmatch', '--all', '--regexp') ||
        operands[0]?.text === 'list')) ||
    (name === 'var' && has(options, '-l')) ||
    (name === 'remote' && (operands.length > 0 || has(options, '-v', '--verbose')));
  return shows
    ? askProtected(`git ${name} may show an address with a password, or another secret of the configuration.`)
    : undefined;
}

function refuseToWrite(name: string): Objection {
  return refuse(`git ${name} is refused: leave the change in the tree, code makes the commits.`);
}

/** Abbreviated options count as what they may stand for. */
function judgeUnknown(name: string, { text }: ShellWord, words: readonly ShellWord[], place: CommandPlace): Objection {
  if (/^--(?:o|ex|te|no-i|up|op|fil|conte)/.test(text) || text.startsWith('-O'))
    return refuse(`git ${name} ${text} is refused: it writes a file, reads others or starts a program.`);
  return strictest([judgeLikelyPaths(words, place), ask(`git ${name} ${text} is not an option that is known.`)]);
}

/** Whether a subcommand that may read would write, by its operands and options. */
const writing: Readonly<Record<string, (given: ProgramArguments) => boolean>> = {
  branch: ({ operands, options, unknown }) =>
    unknown !== undefined ||
    (operands.length > 0 && !has(options, '-l', '--list', '--contains', '--merged', '--no-merged', '--points-at')),
  tag: ({ operands, options, unknown }) =>
    unknown !== undefined ||
    (operands.length > 0 && !has(options, '-l', '--list', '-n', '--contains', '--merged', '--points-at')),
  remote: ({ operands, unknown }) => unknown !== undefined || (operands.length > 0 && operands[0]?.text !== 'get-url'),
  stash: ({ operands }) => !['list', 'show'].includes(operands[0]?.text ?? ''),
  reflog: ({ operands }) => ['expire', 'delete', 'drop', 'write'].includes(operands[0]?.text ?? ''),
  worktree: ({ operands }) => operands[0]?.text !== 'list',
  submodule: ({ operands }) => !['status', 'summary'].includes(operands[0]?.text ?? ''),
  notes: ({ operands }) => !['list', 'show'].includes(operands[0]?.text ?? 'list'),
  bisect: ({ operands }) => !['log'].includes(operands[0]?.text ?? ''),
  apply: ({ options }) => !has(options, '--check', '--stat', '--numstat', '--summary') || has(options, '-3', '--3way'),
  config: writesConfig,
};

/** `config` reads with an option or a subcommand that says so, and with one name alone. */
function writesConfig({ operands, options, unknown }: ProgramArguments): boolean {
  if (unknown !== undefined || operands.some(({ isDynamic }) => isDynamic)) return true;
  if (has(options, '--get', '--get-all', '--get-regexp', '--get-urlmatch')) return false;
  if (has(options, '-l', '--list')) return operands.length > 0;
  const [first] = operands;
  if (first?.text === 'list') return operands.length > 1;
  if (first?.text === 'get') return false;
  return operands.length !== 1 || first?.text.includes('.') !== true;
}

function has(options: ProgramArguments['options'], ...names: readonly string[]): boolean {
  return options.some(({ name }) => names.includes(name));
}

/** A revision, a path, or both in one word such as `HEAD:src/a.ts`. */
function judgeOperand(name: string, word: ShellWord, place: CommandPlace): Objection {
  if (word.isDynamic) return doubt(place, `What git ${name} is given cannot be known.`);
  if (name === 'config') return judgeConfigName(word.text);
  const path = pathIn(word.text);
  const parts = path.split(/[/:]/);
  if (name === 'cat-file' && !word.text.includes(':'))
    return askProtected(
      `git cat-file ${word.text} may show a file with secrets; name it by its path, as in HEAD:src/a.ts.`,
    );
  if (mayLeadToSecret(parts) && (shownBy(name) || (name === 'rev-parse' && word.text.includes(':')))) {
    return refuse(`git ${name} ${word.text} is refused: it may show secrets or the session log.`);
  }
  if (shownBy(name) && mayHoldRegistryToken(path))
    return askProtected(`git ${name} ${word.text} may show the token of a registry.`);
  if (shownBy(name) && /[*?[]/.test(path) && mayReachSecrets(path))
    return askProtected(`git ${name} ${word.text} may show files that hold secrets.`);
  if (!/^[/~.]|\/\.\.?(?:\/|$)/.test(path) || /^\.{2,3}\w/.test(path)) return undefined;
  if (path !== word.text && !path.startsWith('..')) return undefined;
  return judgeWord({ ...word, text: path }, 'stat', place);
}

/** What of an operand is a path: all after `:` or a pathspec's magic, or all of it. */
function pathIn(text: string): string {
  if (text.startsWith(':(')) return text.slice(text.indexOf(')') + 1);
  if (text.startsWith(':')) return text.replace(/^:[!^/]*(?:\d:)?/, '');
  const at = text.indexOf(':');
  return at < 0 ? text : text.slice(at + 1);
}

const onlyNames: ReadonlySet<string> = new Set([
  ...[
    'ls-files',
    'ls-tree',
    'status',
    'rev-parse',
    'check-ignore',
    'check-attr',
    'branch',
    'tag',
    'remote',
    'describe',
  ],
  ...['merge-base', 'name-rev', 'for-each-ref', 'show-ref', 'worktree', 'submodule'],
]);

function shownBy(name: string): boolean {
  return !onlyNames.has(name);
}

function mayReachSecrets(path: string): boolean {
  const last = path.split('/').at(-1) ?? '';
  const examples = ['.env', 'a.pem', 'a.key', 'id_rsa', 'id_ed25519', 'session-log.yaml', 'credentials.json'];
  return /[^*?[\]]/.test(last) && examples.some((example) => mayBeNamed(last, example));
}

/** Settings that hold passwords, or the addresses that do. */
function judgeConfigName(text: string): Objection {
  return /credential|header|pass|token|insteadof|cookie|key|url|proxy|secret|[*?[\\^$]/i.test(text)
    ? askProtected(`git config ${text} may show a password.`)
    : undefined;
}
