import { judgeLikelyPaths, judgeWord } from './commandArguments.ts';
import { ask, type CommandPlace, type Objection, refuse, strictest } from './objection.ts';
import { knownStart, type ShellWord } from './shell/shell.ts';
import { judgeExported, judgeVariable } from './shellVariables.ts';
import { pathProblem } from './toolPath.ts';

type Judge = (rest: readonly ShellWord[], place: CommandPlace, name: string) => Objection;

const harmless: Judge = () => undefined;

/** The commands of the shell itself. They run in it, so they can change where it is and what its words mean. */
const builtins: Readonly<Record<string, Judge>> = {
  ':': harmless,
  true: harmless,
  false: harmless,
  echo: harmless,
  pwd: harmless,
  exit: harmless,
  return: harmless,
  break: harmless,
  continue: harmless,
  shift: harmless,
  times: harmless,
  umask: harmless,
  jobs: judgeJobs,
  type: harmless,
  // What they start is judged by itself.
  command: judgeRun,
  builtin: judgeRun,
  exec: judgeRun,
  eval: judgeEval,
  source: judgeScript,
  '.': judgeScript,
  cd: judgeFolder,
  test: judgeTest,
  '[': judgeTest,
  printf: judgePrintf,
  read: judgeRead,
  mapfile: judgeRead,
  readarray: judgeRead,
  getopts: judgeGetopts,
  export: judgeDeclaration,
  declare: judgeDeclaration,
  typeset: judgeDeclaration,
  local: judgeDeclaration,
  readonly: judgeDeclaration,
  unset: judgeUnset,
  set: judgeSet,
  wait: judgeWait,
  ...Object.fromEntries(
    ['pushd', 'popd', 'dirs'].map((name): [string, Judge] => [
      name,
      () => refuse(`Where ${name} leads is not followed; write (cd folder && command).`),
    ]),
  ),
  ...Object.fromEntries(
    'alias bg bind caller compgen complete compopt enable fc fg hash help history let logout shopt suspend trap ulimit unalias'
      .split(' ')
      .map((name): [string, Judge] => [
        name,
        () => refuse(`${name} changes how the shell reads or runs what follows.`),
      ]),
  ),
};

/** Undefined if the shell has no such built-in command. */
export function builtinJudge(name: string): Judge | undefined {
  return Object.hasOwn(builtins, name) ? builtins[name] : undefined;
}

/** The words that `command`, `builtin` or `exec` runs, undefined for an unusual form; none if it runs nothing. */
export function wrappedWords(name: string, rest: readonly ShellWord[]): readonly ShellWord[] | undefined {
  let at = 0;
  for (; at < rest.length; at++) {
    const word = rest[at];
    if (word === undefined || word.isDynamic || word.isGlob) break;
    if (word.text === '--') {
      at += 1;
      break;
    }
    if (!word.text.startsWith('-')) break;
    if (name === 'command' && /^-[vV]$/.test(word.text)) return [];
    if (name === 'exec' && word.text === '-a') at += 1;
    else if (!(name === 'command' ? /^-p$/ : name === 'exec' ? /^-[cl]+$/ : /^$/).test(word.text)) return undefined;
  }
  return rest.slice(at);
}

function judgeRun(rest: readonly ShellWord[], _place: CommandPlace, name: string): Objection {
  const words = wrappedWords(name, rest);
  if (words === undefined) return refuse(`This use of ${name} cannot be judged.`);
  const [program] = words;
  if (name === 'builtin' && program !== undefined && builtinJudge(program.text) === undefined)
    return refuse(`${program.text} is not a command of the shell.`);
  return undefined;
}

export function judgeShell(rest: readonly ShellWord[], place: CommandPlace, name: string): Objection {
  if (name !== 'bash' && name !== 'sh' && name !== 'dash') return refuse(`What ${name} reads differs from bash.`);
  let runsText = false;
  let at = 0;
  for (; at < rest.length; at++) {
    const word = rest[at];
    if (word === undefined || isUnknown(word)) return refuse(`What ${name} would run cannot be known.`);
    const { text } = word;
    if (/^[-+]o$/.test(text)) {
      at += 1;
      if (!/^(?:errexit|nounset|xtrace|pipefail|verbose)$/.test(rest[at]?.text ?? ''))
        return refuse(`This use of ${name} cannot be judged.`);
    } else if (/^-[ceuxlv]+$/.test(text)) {
      runsText ||= text.includes('c');
    } else if (/^[-+]/.test(text) && !/^(?:\+[eux]+|--norc|--noprofile|--login)$/.test(text)) {
      return refuse(`This use of ${name} cannot be judged.`);
    } else if (!/^[-+]/.test(text)) {
      break;
    }
  }
  const operand = rest[at];
  if (operand === undefined) return refuse(`What ${name} would read cannot be seen; write the command itself.`);
  if (!runsText) return judgeScript(rest.slice(at), place);
  const dialect = name === 'bash' ? 'bash' : 'posix';
  return place.judgeText(operand.text, { ...place, depth: place.depth + 1 }, dialect);
}

/** The text itself is judged where it runs. */
function judgeEval(rest: readonly ShellWord[]): Objection {
  if (rest.some(isUnknown)) return refuse('What eval would run cannot be known.');
  return rest[0]?.text.startsWith('-') === true ? refuse('This use of eval cannot be judged.') : undefined;
}

function judgeScript(words: readonly ShellWord[], place: CommandPlace): Objection {
  const [script, ...rest] = words[0]?.text === '--' ? words.slice(1) : words;
  if (script === undefined || isUnknown(script) || script.text.startsWith('-'))
    return refuse('Which script would run cannot be known.');
  return strictest([judgeWord(script, 'run', place), judgeLikelyPaths(rest, place)]);
}

/** Where `cd` goes, undefined for an unusual form; `-` is the folder before. */
export function folderOperand(rest: readonly ShellWord[]): ShellWord | undefined {
  const options = rest.findIndex(({ text, isDynamic }) => isDynamic || text === '-' || !/^-(?:[LPe]+|-)$/.test(text));
  const operands = options < 0 ? [] : rest.slice(options);
  const [operand] = operands;
  if (operand === undefined || operands.length > 1 || isUnknown(operand) || operand.text === '') return undefined;
  return operand.text.startsWith('-') && operand.text !== '-' ? undefined : operand;
}

/**
 * Commands run where they may write: not outside the project, and not among the plans or git's own files. A folder that
 * only a failure leads to is judged at the commands that would run there.
 */
function judgeFolder(rest: readonly ShellWord[], place: CommandPlace): Objection {
  const operand = folderOperand(rest);
  if (operand === undefined) return refuse('Where cd leads cannot be known; name a folder inside the project.');
  if (operand.text === '-') return undefined;
  const problems = place.folders.map((folder) => pathProblem(place.request, operand.text, 'write', folder));
  const [problem] = problems;
  return problem !== undefined && problems.every((each) => each !== undefined)
    ? refuse(`Commands may not run in ${operand.text}: ${problem.clause}.`)
    : undefined;
}

/** `-v` evaluates the subscript of what it tests. */
function judgeTest(rest: readonly ShellWord[]): Objection {
  for (const [index, word] of rest.entries()) {
    const next = rest[index + 1];
    const isTest = word.isDynamic || word.isGlob || word.text === '-v' || word.text === '-R';
    if (isTest && next !== undefined && (next.isDynamic || next.isGlob || next.text.includes('[')) && next.text !== '[')
      return word.text.startsWith('-') ? refuse('What test -v evaluates cannot be known.') : unquotedTest;
    if (word.isMany === true) return unquotedTest;
  }
  return undefined;
}

const unquotedTest = ask('What is tested cannot be known; put variables in double quotes.');

function judgePrintf([first, second, ...others]: readonly ShellWord[]): Objection {
  if (first === undefined) return undefined;
  const mayBeOption = /^-?$/.test(knownStart(first)) && /^[-\w]*$/.test(first.text);
  if (first.isDynamic && (first.isMany === true || second !== undefined) && mayBeOption)
    return ask('Whether printf sets a variable cannot be known.');
  if (!first.text.startsWith('-v')) return undefined;
  const name = first.text === '-v' ? second : { ...first, text: first.text.slice(2) };
  return others.some(({ isMany }) => isMany) && name === undefined
    ? refuse('Which variable is set cannot be known.')
    : judgeName(name);
}

/** `jobs -x` runs what follows. */
function judgeJobs(rest: readonly ShellWord[]): Objection {
  return rest.every(({ text, isDynamic }) => !isDynamic && /^-[lnprs]+$/.test(text))
    ? undefined
    : refuse('This use of jobs cannot be judged; write jobs -l.');
}

function judgeRead(rest: readonly ShellWord[], _place: CommandPlace, name: string): Objection {
  const names = readNames(name, rest);
  if (names === undefined) return refuse(`This use of ${name} cannot be judged.`);
  return strictest(names.map(judgeName));
}

/** The variables that `read` and `mapfile` set, undefined for an unusual form. */
export function readNames(name: string, rest: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const flags = name === 'read' ? /^-[rs]*(?<valued>[pnNtdua])?$/ : /^-[t]*(?<valued>[nOsud])?$/;
  const arrays: ShellWord[] = [];
  let at = 0;
  for (; at < rest.length; at++) {
    const word = rest[at];
    if (word === undefined || word.isDynamic || !word.text.startsWith('-') || word.text === '-') break;
    if (word.text === '--') {
      at += 1;
      break;
    }
    const found = flags.exec(word.text);
    if (found === null) return undefined;
    const valued = found.groups?.['valued'];
    if (valued === undefined) continue;
    at += 1;
    const value = rest[at];
    if (value === undefined || value.isMany === true || value.isGlob) return undefined;
    if (valued === 'a') arrays.push(value);
  }
  return [...arrays, ...rest.slice(at)];
}

function judgeGetopts([options, name, ...rest]: readonly ShellWord[]): Objection {
  if (options === undefined || isUnknown(options)) return refuse('This use of getopts cannot be judged.');
  return rest.some(({ text }) => text.includes('['))
    ? refuse('This use of getopts cannot be judged.')
    : judgeName(name);
}

function judgeDeclaration(rest: readonly ShellWord[], place: CommandPlace, name: string): Objection {
  const isArray = rest.some(({ text, isDynamic }) => !isDynamic && /^-\w*[aA]/.test(text));
  const isExport = name === 'export' || rest.some(({ text }) => /^-\w*x/.test(text));
  const objections = rest.map((word): Objection => {
    const start = knownStart(word);
    const [head, variable] = /^([A-Za-z_]\w*)\+?=/.exec(start) ?? [];
    if (head === undefined && /^-/.test(word.text) && !word.isDynamic) {
      return /^-[xgraA]+$/.test(word.text) || word.text === '--'
        ? undefined
        : refuse(`${name} ${word.text} cannot be judged.`);
    }
    if (head === undefined || variable === undefined) return judgeName(word);
    // Bash expands what stands in the brackets of such a value once more, quoted or not.
    const value = start.slice(head.length);
    if (value.startsWith('(') || (word.isDynamic && isArray && value === ''))
      return refuse(`${name} may run what the value of ${variable} holds; write ${variable}=(…).`);
    // The value after the name may be unknown, the name may not.
    return judgeName({ ...word, text: variable, isDynamic: false, isGlob: false });
  });
  const exported = isExport ? rest.flatMap((word) => /^[A-Za-z_]\w*/.exec(knownStart(word)) ?? []) : [];
  objections.push(...exported.map((each) => judgeExported(each, undefined, place)));
  if (!rest.some(({ text, isDynamic }) => isDynamic || !text.startsWith('-')))
    objections.push(ask(`${name} alone shows the environment.`));
  return strictest([
    ...objections,
    rest.some(splitsName) ? refuse('Which variable is set cannot be known.') : undefined,
  ]);
}

/** `export X=$Y` is one word for bash, `export $Y` any number. */
function splitsName(word: ShellWord): boolean {
  return word.isMany === true && !/^[A-Za-z_]\w*\+?=/.test(knownStart(word));
}

function judgeUnset(rest: readonly ShellWord[]): Objection {
  const names = rest[0]?.text === '-v' || rest[0]?.text === '--' ? rest.slice(1) : rest;
  return strictest(names.map(judgeName));
}

/** The name of a variable that a command changes: a plain one, known, and not one that decides what else runs. */
function judgeName(word: ShellWord | undefined): Objection {
  if (word === undefined || isUnknown(word) || !/^[A-Za-z_]\w*$/.test(word.text))
    return refuse('Which variable is changed cannot be known; name it plainly.');
  return judgeVariable(word.text);
}

function judgeSet(rest: readonly ShellWord[]): Objection {
  if (rest.length === 0) return ask('set alone shows the environment.');
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at];
    if (word === undefined || word.isDynamic) return refuse('What set changes cannot be known; write set -- first.');
    if (word.text === '--' || word.text === '-' || !/^[-+]/.test(word.text)) return undefined;
    const options = /^[-+]([euxv]*)(o?)$/.exec(word.text);
    if (options === null || word.isGlob) return refuse(`set ${word.text} changes how the shell reads.`);
    if (options[2] === 'o' && !/^(?:errexit|nounset|xtrace|pipefail|verbose)$/.test(rest[++at]?.text ?? ''))
      return refuse('set -o changes how the shell reads.');
  }
  return undefined;
}

function judgeWait(rest: readonly ShellWord[]): Objection {
  return rest.some((word) => !/^(?:-n|-f|%?\d+)$/.test(word.text) && !(word.isDynamic && word.text === ''))
    ? refuse('This use of wait cannot be judged.')
    : undefined;
}

export function isUnknown({ isDynamic, isGlob, isHome }: ShellWord): boolean {
  return isDynamic || isGlob || isHome;
}
