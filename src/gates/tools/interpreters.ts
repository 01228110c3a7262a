import { basename } from 'node:path';
import { judgeByTable, judgeLikelyPaths, judgeOptions, judgeRole, marksOf } from './commandArguments.ts';
import { judgeNamedAfter } from './derivedNames.ts';
import { ask, type CommandPlace, doubt, type Objection, refuse, strictest } from './objection.ts';
import { type ProgramArguments, parseArguments } from './programArguments.ts';
import { pythonModules } from './programs/python.ts';
import { byNames, type ProgramTable, table, wordsOf } from './programs/table.ts';
import { isHarmlessAwk, isHarmlessFilter, isHarmlessSed } from './scriptText.ts';
import type { ShellWord } from './shell/shell.ts';
import { judgeVariable } from './shellVariables.ts';
import type { ProgramUse, Special } from './special.ts';
import { isCustomary, isSetting } from './tasks.ts';
import { pathProblem } from './toolPath.ts';

/** First operands that are not files: a debugger of node that takes commands from standard input. */
const debuggers: ReadonlySet<string> = new Set(['inspect', 'debug']);

/** What the table of an interpreter does not tell: other words that stand for a file, and files of variables. */
export function judgeInterpreter(known: ProgramTable): Special {
  return ({ name, rest, place, judgeDefault }) => {
    const given = parseArguments(rest, known);
    const [first] = given.operands;
    return strictest([
      judgeDefault(),
      first !== undefined && debuggers.has(first.text) && /^(?:node|tsx|ts-node)$/.test(name)
        ? doubt(place, `${name} ${first.text} takes commands and opens a port.`)
        : undefined,
      name === 'java' ? judgeClass(given, place) : undefined,
      judgeOwnShell(given.operands, place),
      ...given.options.flatMap(({ name: option, values }) =>
        option.startsWith('--env-file') ? values.map((value) => judgeVariables(value, place)) : [],
      ),
    ]);
  };
}

/** What the scripts of a framework are told to run code, or commands of a database, from standard input. */
const ownShells: ReadonlyMap<string, readonly string[]> = byNames({
  'manage.py': wordsOf('shell shell_plus dbshell runserver_plus'),
  artisan: wordsOf('tinker db'),
});

/** A script of the project that is told to take code. */
export function judgeOwnShell([script, ...words]: readonly ShellWord[], place: CommandPlace): Objection {
  const named = ownShells.get(basename(script?.text ?? '')) ?? [];
  const shell = words.find(({ text }) => named.includes(text));
  return shell === undefined ? undefined : doubt(place, `${shell.text} runs what it reads from standard input.`);
}

/** A class that comes with Java, such as one that runs what it reads, is not a file of the project. */
function judgeClass({ operands, options }: ProgramArguments, place: CommandPlace): Objection {
  const [first] = operands;
  if (first === undefined || first.text.endsWith('.java') || options.some((option) => option.name === '-jar'))
    return undefined;
  const className = first.text.replaceAll('/', '.');
  return /^\s*(?:javax?|jdk|sun|com\.sun|netscape|org\.(?:ietf|w3c|xml|jcp))\./i.test(className)
    ? doubt(place, `java ${first.text} runs a class of Java itself.`)
    : undefined;
}

/** A file of variables may set one that loads code, so what it holds must be seen. It may hold secrets: it is not shown. */
function judgeVariables({ text, isDynamic }: ShellWord, { folders, request }: CommandPlace): Objection {
  const unseen = folders.some(
    (folder) => pathProblem(request, text, 'run', folder)?.clause === 'what would run cannot be seen',
  );
  return !isDynamic && unseen ? refuse(`${text} may not be used: what it sets cannot be seen.`) : undefined;
}

/** An interpreter; with `-m` it runs a module that is a program of its own. */
export function judgePython(known: ProgramTable): Special {
  return (use) => judgePythonBy(known, use);
}

function judgePythonBy(known: ProgramTable, use: ProgramUse): Objection {
  const { name, rest, place } = use;
  let at = 0;
  for (; at < rest.length; at++) {
    const { text = '', isDynamic = false } = rest[at] ?? {};
    if (isDynamic) break;
    const module = /^-[BbdEIOqsSuvx]*m(.*)$/s.exec(text)?.[1];
    if (module !== undefined) return judgeModule(name, rest, at, module, place);
    if (/^-[WX]$/.test(text)) at += 1;
    else if (!/^-(?:[BbdEIOqsSuvx]+|[WX].+)$/.test(text)) break;
  }
  return judgeInterpreter(known)(use);
}

function judgeModule(
  name: string,
  rest: ProgramUse['rest'],
  at: number,
  attached: string,
  place: ProgramUse['place'],
): Objection {
  const module = attached === '' ? (rest[at + 1]?.text ?? '') : attached;
  const words = rest.slice(attached === '' ? at + 2 : at + 1);
  const known = pythonModules.get(module);
  if (known !== undefined) return judgeByTable(`${name} -m ${module}`, words, known, place);
  return strictest([judgeLikelyPaths(words, place), doubt(place, `${name} -m ${module} is not known to be harmless.`)]);
}

const sedTable = table(
  'text',
  'text read',
  `-nErsuz -l=text -i?text@write -e=text@script -f=ask --quiet --silent --regexp-extended --separate --unbuffered
   --null-data --zero-terminated --posix --debug --sandbox --line-length=text --in-place?text@write
   --expression=text@script --file=ask --follow-symlinks@ask --help --version`,
);
const awkTable = table(
  'text',
  'text read',
  '-F=text -v=text -f=ask -b -n -r --field-separator=text --assign=text --csv --re-interval --version --help',
);

/** Programs that are given a small script; it is read as far as it is simple. */
function judgeScripted(known: ProgramTable, isHarmless: (script: string) => boolean): Special {
  return ({ name, rest, place }) => {
    // On macOS the suffix of `-i` is a word of its own, and empty if no copy is wanted.
    const words = rest.filter(({ text, isDynamic }, at) => isDynamic || text !== '' || rest[at - 1]?.text !== '-i');
    const given = parseArguments(words, known);
    const options = judgeOptions(name, given, words, known, place);
    if (given.unknown !== undefined) return options;
    const marks = marksOf(given);
    const scripts = given.options.flatMap(({ option, values }) => (option.mark === 'script' ? values : []));
    const operands = marks.has('script') ? given.operands : given.operands.slice(1);
    const [first] = given.operands;
    const all = marks.has('script') || first === undefined ? scripts : [first];
    const unclear = all.find((word) => word.isDynamic || !isHarmless(word.text));
    const question =
      unclear === undefined
        ? undefined
        : doubt(place, `This script of ${name} may write files or start programs, as far as it can be read.`);
    const copies = given.options.find(
      ({ option, values }) => option.mark === 'write' && /[/*]/.test(values[0]?.text ?? ''),
    );
    const role = marks.has('write') ? 'write' : 'read';
    const elsewhere = copies === undefined ? undefined : ask(`Where ${name} puts its copies cannot be told.`);
    const suffix = given.options.find(({ option }) => option.mark === 'write')?.values[0]?.text ?? '';
    return strictest([
      options,
      question,
      elsewhere,
      ...operands.map((word) => judgeRole(name, word, role, place)),
      ...(suffix === '' ? [] : operands.map((word) => judgeNamedAfter(word, (text) => text + suffix, place))),
    ]);
  };
}

export const judgeSed = judgeScripted(sedTable, isHarmlessSed);
export const judgeAwk = judgeScripted(awkTable, isHarmlessAwk);

/** `jq` and `yq`, whose filters can show the environment and read files. */
export function judgeFilter(known: ProgramTable): Special {
  return ({ name, rest, place, judgeDefault }) => {
    const given = parseArguments(rest, known);
    const [first, second] = given.operands;
    // The filter of yq may follow the name of a subcommand.
    const filter = name === 'yq' && /^(?:e|ea|eval|eval-all)$/.test(first?.text ?? '') ? second : first;
    const unclear = filter !== undefined && (filter.isDynamic || !isHarmlessFilter(filter.text)) ? filter : undefined;
    return strictest([
      judgeDefault(),
      unclear === undefined ? undefined : doubt(place, `This filter of ${name} may read more than its input.`),
    ]);
  };
}

/** `coverage run -m pytest` runs a module as Python does. */
export const judgeCoverage: Special = ({ rest, place, judgeDefault }) => {
  const at = rest.findIndex(({ text }) => /^-[A-Za-z]*m$/.test(text));
  if (rest[0]?.text !== 'run' || at < 0) return judgeDefault();
  const options = judgeLikelyPaths(rest.slice(1, at), place);
  return strictest([options, judgeModule('coverage', rest, at, '', place)]);
};

/** `c8 npm test` starts what follows its options. */
export function judgeMeasured(known: ProgramTable): Special {
  return ({ name, rest, place, judgeWords }) => {
    const given = parseArguments(rest, known);
    const options = judgeOptions(name, { ...given, operands: [] }, rest, known, place);
    const [first] = given.operands;
    if (given.unknown !== undefined || first?.text === 'report' || first?.text === 'check-coverage') return options;
    return strictest([options, judgeWords(given.operands, place)]);
  };
}

/** The scripts of a package manager; one of them shows the environment without being written down. */
export function judgePackageManager(known: ProgramTable): Special {
  return ({ name, rest, place, judgeDefault, judgeWords }) => {
    const showsEnvironment = rest.slice(0, 4).some(({ text }) => text === 'env');
    const at = name === 'npm' ? -1 : scriptAt(rest, known);
    return strictest([
      judgeDefault(),
      showsEnvironment ? ask(`${name} env shows the environment.`) : undefined,
      at < 0 ? undefined : judgeWords(rest.slice(at), place),
    ]);
  };
}

/** Where the name of a script stands that may be a program instead; -1 if there is none. */
function scriptAt(rest: readonly ShellWord[], known: ProgramTable): number {
  let awaitsName = false;
  for (let at = 0; at < rest.length; at++) {
    const { text, isDynamic } = rest[at] ?? { text: '', isDynamic: true };
    if (text.startsWith('-') && text !== '-') {
      if (known.options.get(text)?.takes === 'value') at += 1;
    } else if (!awaitsName && /^(?:run|run-script)$/.test(text)) {
      awaitsName = true;
    } else if (!awaitsName && text === 'workspace') {
      at += 1;
      awaitsName = true;
    } else {
      const isCommand = !awaitsName && text !== '*' && known.subcommands?.has(text) === true;
      return isCommand || (!isDynamic && isCustomary(text)) ? -1 : at;
    }
  }
  return -1;
}

/** What follows `--` goes to the tool that builds. */
export function judgeCmake(known: ProgramTable): Special {
  return ({ rest, place, judgeDefault }) => {
    const { operands } = parseArguments(rest, known);
    const passed = operands.find(
      ({ text }) => /^-|^\w+=/.test(text) && !/^-(?:[jkl]\d*|[ksv])$|^VERBOSE=1$/.test(text),
    );
    return strictest([
      judgeDefault(),
      passed === undefined ? undefined : doubt(place, `What cmake passes on with ${passed.text} cannot be checked.`),
    ]);
  };
}

/** A variable given to make decides what its rules run. */
export const judgeMake: Special = ({ rest, place, judgeDefault }) => {
  const assigned = rest.flatMap((word) => {
    const match = /^([A-Za-z_.]\w*)[:+?!]*=(.*)$/s.exec(word.text);
    return match === null ? [] : [{ word, name: match[1] ?? '', value: match[2] ?? '' }];
  });
  const objections = assigned.map(({ word, name, value }) =>
    word.isDynamic || !isSetting(name, value)
      ? doubt(place, `A rule may run what ${name} says, or remove what it names.`)
      : judgeVariable(name, place),
  );
  return strictest([judgeDefault(), ...objections]);
};
