import { assert } from '../../../base/assert.ts';
import { defined } from '../../../base/defined.ts';

/**
 * What becomes of a word that a program is given.
 *
 * - `text`: it is only text.
 * - `stat`: a path of which only name, size and the like are shown.
 * - `read`, `write`, `remove`: a path, and what happens to it.
 * - `tree`: a path that is read with all that is below it.
 * - `follow`: the same, and links below it are followed.
 * - `copy`: a path that is read and whose content stays under the same name.
 * - `run`: a file of the project that runs.
 * - `into`: a folder in which the program then works.
 * - `fix`: a file, a folder or a pattern of the program's own; with the mark `write` it changes the sources that it names.
 * - `format`: as `fix`, and the program formats texts of every kind, so a folder stands for all that is below it.
 * - `task`: the name of something that a build or a script of the project does.
 * - `setting`: `NAME=value`, which decides what a build does.
 * - `likely`: text that may hold a path, which the program may write.
 * - `ask`: it may run, read or write anything.
 */
const readingRoles = ['text', 'stat', 'read', 'tree', 'follow', 'copy'] as const;
const roles = [
  ...readingRoles,
  'write',
  'remove',
  'run',
  'into',
  'fix',
  'format',
  'task',
  'setting',
  'likely',
  'ask',
] as const;
export type Role = (typeof roles)[number];

/**
 * How an option changes what the operands are: `script` says that the first operand, a script or pattern, is not there;
 * `tree`, `write`, `stat` and `text` say what becomes of the files that the program reads otherwise; `clear` that it empties
 * the folder that it writes to; `alone` that a program that reads code from standard input reads none.
 */
const marks = ['script', 'tree', 'write', 'stat', 'text', 'clear', 'ask', 'network', 'target', 'alone'] as const;
export type Mark = (typeof marks)[number];

export interface ProgramOption {
  /** A `flag` takes no value, a `pair` two words; an `optional` value stands in the same word. */
  readonly takes: 'flag' | 'value' | 'optional' | 'pair';
  readonly role: Role;
  readonly mark?: Mark;
}

/**
 * What a program does without operands.
 *
 * - `text`: it tells something, reads text from standard input, or fails.
 * - `project`: it does what files of the project say, as a build does.
 * - `code`: it runs what it reads from standard input.
 * - `network`: it fetches something, or installs it.
 * - the others: it does to the folder in which it stands what this role says.
 */
export type Bare = 'text' | 'stat' | 'tree' | 'write' | 'fix' | 'project' | 'code' | 'network' | 'ask';

/** What a program does with its arguments. What is not in its table is asked about. */
export interface ProgramTable {
  readonly options: ReadonlyMap<string, ProgramOption>;
  /** Beginnings of options without a value, such as `-W` of a compiler. */
  readonly families: readonly string[];
  /** The roles of the operands in their order; the last one goes for all that follow. */
  readonly operands: readonly Role[];
  /** `getopt`: `-xvf file` is three options; `words`: `-name` is one, with the value in the next word or after
   * `=`; `raw`: every word is an operand.
   */
  readonly style: 'getopt' | 'words' | 'raw';
  /** Options end where the operands begin. */
  readonly stops: boolean;
  readonly bare: Bare;
  /** What it does whatever it is given: it uses the network, it may do anything, or it has the mark `write`. */
  readonly always?: 'network' | 'ask' | 'write';
  /** What the first operand may be, each with a table of its own; `*` stands for every other name. */
  readonly subcommands?: ReadonlyMap<string, ProgramTable>;
}

export interface TableOptions {
  readonly style?: 'words' | 'raw';
  readonly stops?: true;
  readonly always?: 'network' | 'ask' | 'write';
  readonly subcommands?: Readonly<Record<string, ProgramTable>>;
}

/**
 * A table in short. `bare` says what happens without operands, `operands` are roles. `options` are words: `-ab` two flags,
 * `-o=write` an option with a value, `--arg==text` with two, `-i?text` one whose value stands in the same word, `-r@tree`
 * one with a mark, `-#` a number such as `-20`, and `-W*` all flags that begin so.
 */
export function table(bare: Bare, operands: string, options = '', more: TableOptions = {}): ProgramTable {
  const { style = 'getopt', stops = false, always, subcommands } = more;
  const [families, single] = [wordsOf(options).filter(isFamily), wordsOf(options).filter((word) => !isFamily(word))];
  return {
    options: new Map(single.flatMap((word) => optionsIn(word, style))),
    families: families.map((word) => word.slice(0, -1)),
    operands: wordsOf(operands).map(roleNamed),
    bare,
    style,
    stops,
    ...defined({ always }),
    ...(subcommands !== undefined && { subcommands: byNames(subcommands) }),
  };
}

function isFamily(word: string): boolean {
  return word.endsWith('*');
}

/** One entry for each of the names that stand in a key, separated by blanks. */
export function byNames<T>(entries: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(
    Object.entries(entries).flatMap(([names, entry]) => wordsOf(names).map((name) => [name, entry] as const)),
  );
}

/** Programs that a person is asked about whatever they are given. */
export const network = table('network', 'likely', '', { always: 'network' });
export const unknown = table('ask', 'likely', '', { always: 'ask' });

/** Options of whole words, and operands that may be paths. */
export function words(bare: Bare, options: string): ProgramTable {
  return table(bare, 'likely', options, { style: 'words' });
}

/** What reads sources as code of the project. */
export function compilers(options: string): ProgramTable {
  return table('text', 'run', options, { style: 'words' });
}

export function wordsOf(text: string): readonly string[] {
  return text.split(/\s/).filter((word) => word !== '');
}

const takesBySign: Readonly<Record<string, ProgramOption['takes']>> = { '=': 'value', '==': 'pair', '?': 'optional' };

function optionsIn(word: string, style: ProgramTable['style']): readonly (readonly [string, ProgramOption])[] {
  const [spelled = '', markName] = word.split('@', 2);
  const at = spelled.search(/[=?]/);
  const names = at < 0 ? spelled : spelled.slice(0, at);
  const sign = at < 0 ? '' : (/^(?:\?|==?)/.exec(spelled.slice(at))?.[0] ?? '');
  const role = at < 0 ? 'text' : roleNamed(spelled.slice(at + sign.length));
  const option = {
    takes: takesBySign[sign] ?? 'flag',
    role,
    ...(markName !== undefined && { mark: markNamed(markName) }),
  } as const;
  if (names.startsWith('--') || style === 'words' || names === '-#') return [[names, option]];
  assert(names.length === 2 || at < 0, `A table of programs gives ${names} one value; name each option by itself.`);
  return [...names.slice(1)].map((letter) => [`-${letter}`, option] as const);
}

function roleNamed(name: string): Role {
  const role = roles.find((known) => known === name);
  assert(role !== undefined, `A table of programs names the role ${name}, which does not exist.`);
  return role;
}

function markNamed(name: string): Mark {
  const mark = marks.find((known) => known === name);
  assert(mark !== undefined, `A table of programs names the mark ${name}, which does not exist.`);
  return mark;
}
