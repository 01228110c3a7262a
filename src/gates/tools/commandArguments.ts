import { basename, join, relative, resolve, sep } from 'node:path';
import { isWithin } from '../../base/paths.ts';
import { hasWildcard } from '../wildcard.ts';
import { guardedByGlob } from './guardedPaths.ts';
import {
  ask,
  type CommandPlace,
  doubt,
  type Objection,
  objectionOfRule,
  reaches,
  refuse,
  strictest,
} from './objection.ts';
import { type ProgramArguments, parseArguments } from './programArguments.ts';
import { type Mark, type ProgramTable, type Role, wordsOf } from './programs/table.ts';
import type { ShellWord } from './shell/shell.ts';
import { mayName, mayPassThrough } from './shell/shellPattern.ts';
import { judgeSetting, judgeTask } from './tasks.ts';
import { type Access, guardedNames, isSecretFile, mayHoldSecrets, type PathProblem, pathProblem } from './toolPath.ts';

/** Judges what a program is given by its table; what the table does not know is asked about. */
export function judgeByTable(
  name: string,
  words: readonly ShellWord[],
  table: ProgramTable,
  place: CommandPlace,
): Objection {
  if (table.subcommands !== undefined) return judgeSubcommand(name, words, table, place);
  const given = parseArguments(words, table);
  return strictest([
    judgeAlways(name, words, table, place),
    judgeOptions(name, given, words, table, place),
    ...judgeOperands(name, given, table, place),
  ]);
}

function judgeAlways(
  name: string,
  words: readonly ShellWord[],
  { always }: ProgramTable,
  place: CommandPlace,
): Objection {
  if (always === undefined || always === 'write') return undefined;
  return always === 'network' && !words.some(({ text }) => offline.has(text))
    ? reaches(place, `${name} may fetch something from the network.`)
    : doubt(place, `${name} may do more than can be checked.`);
}

/** Options by which programs that fetch take only what they have already. */
const offline: ReadonlySet<string> = new Set(['--offline', '--no-index']);

function judgeSubcommand(
  name: string,
  words: readonly ShellWord[],
  table: ProgramTable,
  place: CommandPlace,
): Objection {
  const given = parseArguments(words, { ...table, stops: true });
  const options = judgeOptions(name, given, words, table, place);
  const [subcommand, ...rest] = given.operands;
  if (given.unknown !== undefined) return options;
  if (subcommand === undefined) return strictest([options, judgeBare(name, table, marksOf(given), place)]);
  if (subcommand.isDynamic || subcommand.isGlob)
    return strictest([options, ask(`What ${name} would do cannot be known.`)]);
  const isName = /^[\w:.-]+$/.test(subcommand.text);
  const inner = table.subcommands?.get(subcommand.text) ?? (isName ? table.subcommands?.get('*') : undefined);
  const full = `${name} ${subcommand.text}`;
  const judged =
    inner === undefined
      ? strictest([judgeLikelyPaths(rest, place), doubt(place, `${full} is not known to be harmless.`)])
      : judgeByTable(full, rest, inner, { ...place, folders: foldersAfter(given, place) });
  return strictest([options, judged]);
}

/** The folders in which a program works after an option such as `-C`. */
export function foldersAfter({ options }: ProgramArguments, { folders, request }: CommandPlace): readonly string[] {
  const into = options.flatMap(({ option, values }) => (option.role === 'into' ? values : []));
  return into.reduce<readonly string[]>(
    (here, { text }) => [...new Set(here.map((folder) => request.resolvePath(resolve(folder, text))))],
    folders,
  );
}

/** What is unknown about the options, and what their values are. */
export function judgeOptions(
  name: string,
  given: ProgramArguments,
  words: readonly ShellWord[],
  table: ProgramTable,
  place: CommandPlace,
): Objection {
  const objections = given.options.flatMap(({ name: option, option: { role, mark }, values }) => [
    ...(mark === 'ask' ? [doubt(place, `${name} ${option} may do more than can be checked.`)] : []),
    ...(mark === 'network' ? [reaches(place, `${name} ${option} uses the network.`)] : []),
    ...values.map((value) => judgeRole(`${name} ${option}`, value, role, place)),
  ]);
  if (given.unknown !== undefined) {
    const { text, isDynamic } = given.unknown;
    const reason = isDynamic
      ? `What ${name} is given cannot be known.`
      : `${name} ${text} is not an option that is known.`;
    objections.push(judgeLikelyPaths(words, place), doubt(place, reason));
  }
  if (given.unsettled !== undefined && mayHarm(name, table, given.unsettled)) {
    const { text, isDynamic } = given.unsettled;
    const advice = isDynamic ? 'write out what it stands for' : `write ./${text}`;
    objections.push(doubt(place, `What ${name} is given may turn out to be an option; ${advice}.`));
  }
  return strictest(objections);
}

function judgeOperands(
  name: string,
  given: ProgramArguments,
  table: ProgramTable,
  place: CommandPlace,
): readonly Objection[] {
  if (given.unknown !== undefined) return [];
  const here = { ...place, folders: foldersAfter(given, place) };
  const given_ = new Set([...marksOf(given), ...(table.always === 'write' ? (['write'] as const) : [])]);
  const operandRoles = rolesAfter(table.operands, given_);
  const objections = given.operands.map((word, at) => {
    const role = operandRoles[at] ?? operandRoles.at(-1);
    if (role === undefined) return doubt(place, `What ${name} does with ${word.text} is not known.`);
    return judgeRole(name, word, role, here);
  });
  const needed = operandRoles.length > 1 && operandRoles[0] === 'text' ? 2 : 1;
  return given.operands.length < needed ? [...objections, judgeBare(name, table, given_, here)] : objections;
}

/** What a program does without operands. */
function judgeBare(name: string, { bare }: ProgramTable, given: ReadonlySet<Mark>, place: CommandPlace): Objection {
  switch (bare) {
    case 'text':
    case 'project':
      return undefined;
    case 'ask':
      return doubt(place, `What ${name} reads from standard input cannot be checked.`);
    case 'code':
      return given.has('alone') ? undefined : doubt(place, `${name} would run what it reads from standard input.`);
    case 'network':
      return given.has('alone') ? undefined : doubt(place, `${name} may fetch something from the network.`);
    default:
      return judgeRole(name, hereWord, changedRole(bare, given), place);
  }
}

const hereWord: ShellWord = { text: '.', isDynamic: false, isGlob: false, isHome: false };

export function marksOf({ options }: ProgramArguments): ReadonlySet<Mark> {
  return new Set(options.flatMap(({ option: { mark } }) => mark ?? []));
}

function rolesAfter(operands: readonly Role[], given: ReadonlySet<Mark>): readonly Role[] {
  const present = given.has('script') && operands.length > 1 ? operands.slice(1) : operands;
  return present.map((role) => changedRole(role, given));
}

export function changedRole(role: Role, given: ReadonlySet<Mark>): Role {
  if (role === 'write') return given.has('clear') ? 'remove' : role;
  if (role === 'fix' || role === 'format') return given.has('write') ? role : 'likely';
  if (role !== 'read' && role !== 'tree' && role !== 'follow' && role !== 'copy') return role;
  if (given.has('text')) return 'text';
  if (given.has('stat')) return 'stat';
  if (given.has('write')) return 'write';
  return given.has('tree') && role !== 'follow' ? 'tree' : role;
}

/** Programs of which no option at all reads a file, writes one or shows the environment. */
const harmlessPrograms: ReadonlySet<string> = new Set(
  'ls stat realpath readlink basename dirname pathchk seq sleep expr tput groups id whoami nproc uname tr cal'.split(
    ' ',
  ),
);

/** Whether a word may turn out to be an option, or a path, that does harm. */
function mayHarm(name: string, known: ProgramTable, word: ShellWord): boolean {
  const options = [...known.options.values()];
  // A file that a pattern names has no slash in its name, and ends as the pattern does.
  if (!word.isDynamic) {
    const hasEnding = /[\w]\.\w+$|[*?]\.\w+$/.test(word.text);
    return options.some(({ takes, role, mark }) =>
      takes === 'flag' ? !hasEnding && mark !== undefined : role === 'ask' || role === 'run' || role === 'into',
    );
  }
  return !harmlessPrograms.has(name);
}

/** Judges one word by what becomes of it. */
export function judgeRole(name: string, word: ShellWord, role: Role, place: CommandPlace): Objection {
  if (role === 'ask') {
    return strictest([
      judgeLikelyPaths([word], place),
      doubt(place, `What ${name} does with ${word.text} cannot be checked.`),
    ]);
  }
  if (role === 'task') return strictest([judgeTask(programOf(name), word, place), judgeLikelyPaths([word], place)]);
  if (role === 'setting') return strictest([judgeSetting(name, word, place), judgeLikelyPaths([word], place)]);
  if (role === 'text') return word.isGlob || word.isHome ? judgeWord(word, 'stat', place) : undefined;
  if (role === 'likely' || role === 'fix' || role === 'format') {
    if (word.text.startsWith('@') && readsArgumentFiles.has(name.split(' ').at(-1) ?? ''))
      return doubt(place, `${word.text} names a file of further arguments.`);
    return strictest([judgeLikelyPaths([word], place), role === 'likely' ? undefined : judgeFixed(word, role, place)]);
  }
  if (word.text === '-' && !word.isDynamic) {
    return role === 'run' ? doubt(place, `${name} would run what it reads from standard input.`) : undefined;
  }
  if ((role === 'run' || role === 'read') && word.text.startsWith('@'))
    return doubt(place, `${word.text} names a file of further arguments.`);
  if (role === 'run' && fetched.test(word.text)) return doubt(place, `${name} would fetch ${word.text} and run it.`);
  if (role === 'run' && /^[{[]/.test(word.text)) return doubt(place, `${name} would run what ${word.text} says.`);
  const access = role === 'copy' ? 'read' : role === 'into' ? 'write' : role;
  return judgeWord(word, access, place);
}

/** `name` may hold a subcommand or an option as well. */
function programOf(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}

/** Programs that take `@file` for the arguments in that file. */
const readsArgumentFiles: ReadonlySet<string> = new Set(
  wordsOf(`tsc vue-tsc mypy javac java javadoc kotlinc kotlin rustc gcc g++ cc c++ clang clang++ c99 ld scalac scala swiftc ghc
    ocamlfind ocamlopt ocamlc esbuild pytest pylint csc dotnet msbuild`),
);

/**
 * Files that a program changes: each word is a path, also one without a slash, or a pattern that the program reads. The whole
 * project stands for its sources if the program changes those alone.
 */
function judgeFixed(word: ShellWord, role: 'fix' | 'format', place: CommandPlace): Objection {
  const { text, isDynamic } = word;
  if (isDynamic || text.startsWith('!')) return undefined;
  const isPattern = /[*?[\]{}()\\]/.test(text);
  if (role === 'fix' && /^[./]*$/.test(text)) return judgeWord(word, 'write', place);
  const reached = place.folders
    .map((folder) => guardedByGlob(place.request, text, folder))
    .find((path) => path !== undefined);
  return strictest([
    isPattern ? undefined : judgeWord(word, 'write', place),
    reached === undefined
      ? undefined
      : doubt(place, `${text} also names ${relative(place.request.projectDirectory, reached)}; name sources alone.`),
  ]);
}

/** Judges a word that is a path. */
export function judgeWord(word: ShellWord, access: Access, place: CommandPlace): Objection {
  if (word.isDynamic) {
    if (access === 'remove') return ask('What would be removed cannot be known.');
    return access === 'stat' ? undefined : doubt(place, 'A path cannot be known beforehand.');
  }
  if (word.isHome || word.text.startsWith('~')) {
    return refuse(`${word.text} may not be used: it lies outside the project.`);
  }
  return strictest(place.folders.map((folder) => judgePath(word, folder, access, place)));
}

/** What a program of the project, or one that a person allowed, is given: all that may be a path. */
export function judgeLikelyPaths(words: readonly ShellWord[], place: CommandPlace): Objection {
  return strictest(words.map((word) => judgeLikelyWord(word, place)));
}

function judgeLikelyWord(word: ShellWord, place: CommandPlace): Objection {
  return strictest([
    ...pathsIn(word, place).map((path) => judgeLikelyPath(path, place)),
    everyAddress.test(word.text) ? doubt(place, `${word.text} may serve the project to the network.`) : undefined,
  ]);
}

/** What an interpreter or a compiler would fetch: an address, a package of a registry, a path that begins with a host. */
const fetched = /^(?:[a-z][a-z\d+.-]+:|[\w-]+\.[\w-]+(?:\.[\w-]+)*\/)|@(?:latest|v?\d)/i;

/** A package with its version, such as `example.org/tool@latest`. */
const version = /^[\w./-]+@(?:latest|next|main|master|v?\d[\w.-]*)$/;
const address = /^[a-z][a-z\d+.-]*:\/\//i;

/** Every address of the machine, which a server of the project is told to listen at. `--host` alone means the same. */
const everyAddress = /^--host(?:name)?$|(?:^|=)(?:0\.0\.0\.0|::|\[::\])(?::\d+)?$/;

function judgeLikelyPath(word: ShellWord, place: CommandPlace): Objection {
  if (word.text.includes('://') || version.test(word.text)) {
    return doubt(place, `${word.text} may be fetched from the network.`);
  }
  if (place.folders.some((folder) => isInput(resolve(folder, word.text))))
    return doubt(place, 'What standard input holds cannot be seen.');
  return judgeWord(word, 'write', place);
}

function isInput(path: string): boolean {
  return path === '/dev/stdin' || path === '/dev/tty';
}

/** The parts of a word that may be paths: what follows `=`, `:`, `,` or `@`, or the letter of an option. */
function pathsIn(word: ShellWord, { request }: CommandPlace): readonly ShellWord[] {
  const { text, isDynamic, isHome } = word;
  if (text === '-' || text === '--') return [];
  if (isDynamic || isHome) return [word];
  if (address.test(text) || version.test(text)) return [word];
  const attached = /^-[a-zA-Z]([/~.].*)$/s.exec(text)?.[1];
  const parts = attached === undefined ? text.split(/[=:,@]/) : [attached];
  const [whole] = text.startsWith('-') ? [] : [text];
  const candidates = new Set([...(whole === undefined ? [] : [whole]), ...parts]);
  const plans = basename(request.ravelDirectory);
  // An address within a word is asked about whole; what follows its scheme is not a path.
  const hasAddress = text.includes('://');
  const paths = [...candidates]
    .filter((path) => looksLikePath(path) || path === plans || path === '.git')
    .filter((path) => !(hasAddress && (path.startsWith('//') || path.includes('://'))))
    .map((path) => ({ ...word, text: path }));
  return hasAddress ? [...paths, word] : paths;
}

function looksLikePath(text: string): boolean {
  if (text === '' || /^-[a-zA-Z-]/.test(text)) return false;
  return /^(?:~|\.{1,2}$)|[/\\]/.test(text) || mayHoldSecrets(text);
}

function judgePath(word: ShellWord, folder: string, access: Access, place: CommandPlace): Objection {
  return strictest([judgeWithoutArrivals(word, folder, access, place), judgeArrived(word, folder, access, place)]);
}

function judgeArrived({ text }: ShellWord, folder: string, access: Access, place: CommandPlace): Objection {
  return access !== 'stat' && place.arrivals.mayLeadThrough(text, folder)
    ? doubt(place, `Where ${text} leads is not known while the same line links or moves it; use a command of its own.`)
    : undefined;
}

function judgeWithoutArrivals(word: ShellWord, folder: string, access: Access, place: CommandPlace): Objection {
  const { text } = word;
  if (!word.isGlob || !hasWildcard(text)) return objectionTo(text, pathProblem(place.request, text, access, folder));
  const segments = text.split('/');
  const at = segments.findIndex(hasWildcard);
  const prefix = at === 0 ? '.' : segments.slice(0, at).join('/') || '/';
  const base = pathProblem(
    place.request,
    prefix,
    access === 'remove' ? 'write' : isTree(access) ? 'read' : access,
    folder,
  );
  if (base !== undefined) return objectionTo(text, base);
  if (segments.slice(at).includes('..')) return ask(`Where ${text} leads cannot be known.`);
  return strictest([
    ...guardedByPattern(segments, folder, access, place),
    ...secretsByPattern(text, { prefix, at }, folder, access, place),
    rulesByPattern(text, resolve(folder, prefix), access, place),
  ]);
}

/** A pattern can name all that is below its folder, so a rule about something there makes it a question. */
function rulesByPattern(text: string, folder: string, access: Access, { request }: CommandPlace): Objection {
  if (access === 'stat') return undefined;
  const use = access === 'write' || access === 'remove' ? 'Edit' : 'Read';
  const ruled = request.policy?.below(use, request.resolvePath(folder));
  return objectionOfRule(`What the pattern ${text} can name`, ruled && { ...ruled, action: 'ask' });
}

/** Judges the pattern with each name put in that it must not reach by accident, and with none. */
function* guardedByPattern(
  segments: readonly string[],
  folder: string,
  access: Access,
  place: CommandPlace,
): Generator<Objection> {
  const filled = segments.map((segment) => (hasWildcard(segment) ? segment.replace(/[*?[\]]/g, 'x') : segment));
  yield objectionTo(
    segments.join('/'),
    pathProblem(place.request, filled.join('/'), isTree(access) ? 'read' : access, folder),
  );
  for (const [at, segment] of segments.entries()) {
    if (!hasWildcard(segment)) continue;
    for (const name of guardedNames(place.request)) {
      if (!mayName(segment, name)) continue;
      const path = filled.with(at, name).join('/');
      yield objectionTo(
        segments.join('/'),
        pathProblem(place.request, path, isTree(access) ? 'read' : access, folder),
        name,
      );
    }
  }
}

function* secretsByPattern(
  text: string,
  { prefix, at }: { readonly prefix: string; readonly at: number },
  folder: string,
  access: Access,
  place: CommandPlace,
): Generator<Objection> {
  if (access === 'stat') return;
  const { request } = place;
  const start = request.resolvePath(resolve(folder, prefix));
  if (!isWithin(request.projectDirectory, start)) return;
  const pattern = text.split('/').slice(at);
  const found = request.secretFilesBelow(start);
  if (found === 'tooMany')
    return yield doubt(place, `What ${text} names cannot be known: the folder holds too many files.`);
  for (const file of found) {
    const path = relative(start, file).split(sep);
    const reached = isTree(access) ? path.slice(0, pattern.length) : path;
    if (!mayPassThrough(pattern, reached)) continue;
    if (reached.length === pattern.length || !isSecretFile(request, file))
      yield refuse(
        `The pattern ${text} also names ${join(prefix, path.join('/'))}, which may hold secrets or lead out.`,
      );
  }
}

function isTree(access: Access): boolean {
  return access === 'tree' || access === 'follow';
}

function objectionTo(text: string, problem: PathProblem | undefined, name?: string): Objection {
  if (problem === undefined) return undefined;
  const { decision, clause, ...of } = problem;
  const subject = name === undefined ? `${text} may not be used` : `The pattern ${text} also names ${name}`;
  if (decision === 'deny') return { decision, reason: `${subject}: ${clause}.`, ...of };
  return { decision, reason: `${text} needs your approval: ${clause}.`, ...of };
}

/** Where the words after the options begin; `valued` options take the next word. */
export function afterOptions(words: readonly ShellWord[], valued: ReadonlySet<string>): number {
  let at = 0;
  while (at < words.length && (words[at]?.text ?? '').startsWith('-')) at += valued.has(words[at]?.text ?? '') ? 2 : 1;
  return Math.min(at, words.length);
}
