import { basename, resolve } from 'node:path';
import type { ToolRequest } from '../../model/verdict.ts';
import { judgeArguments, judgeWord } from './commandArguments.ts';
import { deniedPrograms, programRules, pythonModules, riskyVariables } from './commandRules.ts';
import { judgeGit } from './gitGate.ts';
import { ask, type CommandPlace, type Objection, refuse, strictest } from './objection.ts';
import { parseShell, type ShellItem, type ShellWord, type SimpleCommand, UnparsableShell } from './shell.ts';
import { pathProblem } from './toolPath.ts';

/** Judges a whole command line; the strictest verdict on one of its commands decides. */
export function judgeCommandLine(request: ToolRequest, text: string): Objection {
  return judgeText(text, { request, folders: [request.projectDirectory], depth: 0 });
}

const depthMax = 5;

function judgeText(text: string, place: CommandPlace): Objection {
  if (place.depth > depthMax) return refuse('Shells are nested too deeply.');
  try {
    return judgeItems(parseShell(text), place);
  } catch (error) {
    if (error instanceof UnparsableShell)
      return refuse(`The command cannot be judged: ${error.message}. Write it plainly.`);
    throw error;
  }
}

function judgeItems(items: readonly ShellItem[], place: CommandPlace): Objection {
  return strictest(objectionsOf(items, place));
}

/**
 * Follows `cd`: right after `cd x &&` the commands run in x, and after any other operator in x or where they were, since
 * the `cd` may have failed. A subshell's folder ends with it.
 */
function* objectionsOf(items: readonly ShellItem[], place: CommandPlace): Generator<Objection> {
  const stack: (readonly string[])[] = [];
  let folders = place.folders;
  let fallback: readonly string[] = [];
  for (const item of items) {
    if (item.kind === 'open') {
      stack.push(folders);
    } else if (item.kind === 'close') {
      folders = stack.pop() ?? folders;
    } else {
      const here = { ...place, folders };
      yield judgeSimple(item, here);
      const target = folderAfter(item, here);
      if (target !== undefined) {
        fallback = [...new Set([...fallback, ...folders])];
        folders = target;
      }
      if (item.after !== '&&' && fallback.length > 0) {
        folders = [...new Set([...folders, ...fallback])];
        fallback = [];
      }
    }
  }
}

function folderAfter({ words }: SimpleCommand, { request, folders }: CommandPlace): readonly string[] | undefined {
  const [program, ...rest] = words;
  if (program?.text !== 'cd' && program?.text !== 'pushd') return undefined;
  const target = rest.find((word) => !word.text.startsWith('-'));
  if (target === undefined) return [request.projectDirectory];
  // A shell remembers the name it came by, a program sees the real folder: `..` can mean either.
  const named = folders.map((folder) => resolve(folder, target.text));
  return [...new Set([...named, ...named.map((folder) => request.resolvePath(folder))])];
}

function judgeSimple(command: SimpleCommand, place: CommandPlace): Objection {
  const redirections = command.redirections.map(({ target, writes }) => {
    if (target.isDynamic || target.isGlob) return refuse('A redirection to a file that cannot be known is refused.');
    return judgeWord(target, writes ? 'write' : 'read', place);
  });
  const assignments = command.assignments.map(({ name }) => judgeVariable(name));
  return strictest([...redirections, ...assignments, judgeWords(command.words, place)]);
}

function judgeVariable(name: string): Objection {
  return riskyVariables.test(name)
    ? refuse(`A command may not change ${name}, which decides what else runs.`)
    : undefined;
}

function judgeWords(words: readonly ShellWord[], place: CommandPlace): Objection {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  if (program.isDynamic || program.isGlob || program.isHome) return refuse('Which program would run cannot be known.');
  const found = programName(program.text, place);
  if (typeof found !== 'string') return found.objection ?? judgeArguments(rest, scriptRule, place);
  const special = Object.hasOwn(specials, found) ? specials[found] : undefined;
  if (special !== undefined) return special(rest, place, found);
  const denied = deniedPrograms.get(found);
  if (denied !== undefined) return refuse(`${found} is refused: ${denied}.`);
  const rule = programRules.get(found);
  if (rule !== undefined) return judgeProgram(found, rest, place);
  if (place.request.allowedCommands.includes(found)) return judgeArguments(rest, scriptRule, place);
  return ask(`${found} is not on the list of programs that a session may run.`);
}

/** A program of the project itself: like a test, it is trusted as far as its arguments can be checked. */
const scriptRule = { access: 'write', operands: 'likely' } as const;
const systemFolder = /^\/(?:usr\/(?:local\/)?|opt\/homebrew\/)?s?bin\/[^/]+$/;

/** The name by which the rules know a program; a path into the project is a program of its own. */
function programName(text: string, { request, folders }: CommandPlace): string | { readonly objection: Objection } {
  if (!text.includes('/')) return text;
  if (systemFolder.test(text)) return basename(text);
  const problem = folders
    .map((folder) => pathProblem(request, text, 'write', folder))
    .find((found) => found !== undefined);
  return { objection: problem === undefined ? undefined : refuse(`The program ${text} may not run: ${problem}.`) };
}

function judgeProgram(name: string, rest: readonly ShellWord[], place: CommandPlace): Objection {
  const rule = programRules.get(name);
  if (rule === undefined) return undefined;
  const risky = rest.find(({ text }) => rule.askOptions?.test(text) === true);
  if (risky !== undefined)
    return strictest([judgeArguments(rest, rule, place), ask(`${name} ${risky.text} can run anything.`)]);
  if (rule.allowedSubcommands !== undefined) {
    const subcommand = rest.find(({ text }) => !text.startsWith('-'));
    if (subcommand?.isDynamic === true) return refuse(`What ${name} would do cannot be known.`);
    const word = subcommand?.text ?? '';
    if (rule.deniedSubcommands?.has(word) === true) return refuse(`${name} ${word} reaches beyond the project.`);
    if (word !== '' && !rule.allowedSubcommands.has(word)) return ask(`${name} ${word} is not on the list.`);
  }
  return judgeArguments(rest, rule, place);
}

type Special = (rest: readonly ShellWord[], place: CommandPlace, name: string) => Objection;

const specials: Readonly<Record<string, Special>> = {
  env: judgeEnv,
  command: judgeWrapped,
  builtin: judgeWrapped,
  exec: judgeWrapped,
  nohup: judgeWrapped,
  nice: judgeWrapped,
  stdbuf: judgeWrapped,
  timeout: judgeWrapped,
  xargs: judgeXargs,
  npx: judgeNpx,
  bash: judgeShell,
  sh: judgeShell,
  zsh: judgeShell,
  dash: judgeShell,
  ksh: judgeShell,
  eval: judgeEval,
  source: judgeScript,
  '.': judgeScript,
  find: judgeFind,
  cd: judgeFolder,
  pushd: judgeFolder,
  popd: () => ask('Where popd leads cannot be known.'),
  export: judgeDeclaration,
  declare: judgeDeclaration,
  local: judgeDeclaration,
  readonly: judgeDeclaration,
  set: () => undefined,
  unset: judgeDeclaration,
  python: judgePython,
  python3: judgePython,
  sed: judgeStreamEditor,
  awk: judgeStreamEditor,
  gawk: judgeStreamEditor,
  mawk: judgeStreamEditor,
  git: judgeGit,
};

function judgeEnv(rest: readonly ShellWord[], place: CommandPlace): Objection {
  let at = 0;
  const objections: Objection[] = [];
  for (; at < rest.length; at++) {
    const text = rest[at]?.text ?? '';
    const name = /^([A-Za-z_]\w*)=/.exec(text)?.[1];
    if (name !== undefined) objections.push(judgeVariable(name));
    else if (text === '-u') objections.push(judgeVariable(rest[++at]?.text ?? ''));
    else if (text.startsWith('-')) return refuse('This use of env cannot be judged.');
    else break;
  }
  if (at === rest.length) return strictest([...objections, ask('env alone shows the environment.')]);
  return strictest([...objections, judgeWords(rest.slice(at), place)]);
}

/** Programs that only start another one; `timeout` first takes a duration, `nice -n` a number. */
function judgeWrapped(rest: readonly ShellWord[], place: CommandPlace, name: string): Objection {
  if (name === 'command' && /^-[vV]$/.test(rest[0]?.text ?? '')) return undefined;
  const valued = new Set(
    name === 'timeout' ? ['-k', '-s'] : name === 'nice' ? ['-n'] : name === 'stdbuf' ? ['-i', '-o', '-e'] : [],
  );
  const at = afterOptions(rest, valued);
  return judgeWords(rest.slice(name === 'timeout' ? at + 1 : at), place);
}

/** The operands come from elsewhere, so the command is judged with one that is unknown. */
function judgeXargs(rest: readonly ShellWord[], place: CommandPlace): Objection {
  const at = afterOptions(rest, new Set(['-I', '-n', '-P', '-L', '-d', '-a', '-s', '-E']));
  if (at === rest.length) return undefined;
  return judgeWords([...rest.slice(at), unknownWord], place);
}

const unknownWord: ShellWord = { text: '', isDynamic: true, isGlob: false, isHome: false };

function afterOptions(words: readonly ShellWord[], valued: ReadonlySet<string>): number {
  let at = 0;
  while (at < words.length && (words[at]?.text ?? '').startsWith('-')) at += valued.has(words[at]?.text ?? '') ? 2 : 1;
  return Math.min(at, words.length);
}

/** A tool that is on the list runs; anything else would be fetched first. */
function judgeNpx(rest: readonly ShellWord[], place: CommandPlace): Objection {
  const at = afterOptions(rest, new Set());
  const tool = rest[at]?.text ?? '';
  const rule = programRules.get(tool);
  if (at > 0 && rest.slice(0, at).some(({ text }) => text !== '--no-install' && text !== '--no')) {
    return ask('npx with options may fetch and run anything.');
  }
  if (rule === undefined || rule.operands !== 'likely') return ask(`npx ${tool} may fetch a program and run it.`);
  return judgeWords(rest.slice(at), place);
}

function judgeShell(rest: readonly ShellWord[], place: CommandPlace, name: string): Objection {
  const at = afterOptions(rest, new Set(['-o', '-O']));
  const options = rest.slice(0, at);
  const operand = rest[at];
  if (operand === undefined) return refuse(`What ${name} would read cannot be seen; write the command itself.`);
  if (!options.some(({ text }) => /^-[a-zA-Z]*c/.test(text))) return judgeScript(rest.slice(at), place);
  if (operand.isDynamic) return refuse(`What ${name} -c would run cannot be known.`);
  return judgeText(operand.text, { ...place, depth: place.depth + 1 });
}

function judgeEval(rest: readonly ShellWord[], place: CommandPlace): Objection {
  if (rest.some((word) => word.isDynamic)) return refuse('What eval would run cannot be known.');
  return judgeText(rest.map(({ text }) => text).join(' '), { ...place, depth: place.depth + 1 });
}

function judgeScript([script, ...rest]: readonly ShellWord[], place: CommandPlace): Objection {
  if (script === undefined || script.isDynamic || script.isGlob)
    return refuse('Which script would run cannot be known.');
  return strictest([judgeWord(script, 'write', place), judgeArguments(rest, scriptRule, place)]);
}

function judgeFolder(rest: readonly ShellWord[], place: CommandPlace): Objection {
  const target = rest.find((word) => !word.text.startsWith('-') || word.isDynamic);
  if (target === undefined) return refuse('It leaves the project; name a folder inside of it.');
  if (target.isDynamic || target.isGlob) return refuse('Where it leads cannot be known.');
  return judgeWord(target, 'read', place);
}

function judgeDeclaration(rest: readonly ShellWord[]): Objection {
  return strictest(rest.map(({ text }) => judgeVariable(text.split('=', 1)[0] ?? '')));
}

function judgePython(rest: readonly ShellWord[], place: CommandPlace, name: string): Objection {
  const at = rest.findIndex(({ text }) => text === '-m');
  if (at >= 0 && pythonModules.has(rest[at + 1]?.text ?? ''))
    return judgeArguments(rest.slice(at + 2), scriptRule, place);
  if (at >= 0) return ask(`${name} -m ${rest[at + 1]?.text ?? ''} is not on the list.`);
  if (rest.length === 0) return ask(`What ${name} would read cannot be seen.`);
  return judgeProgram(name, rest, place);
}

/** Scripts of sed and awk can write files and start programs. */
function judgeStreamEditor(rest: readonly ShellWord[], place: CommandPlace, name: string): Objection {
  const runs =
    name === 'sed' ? /(?:^|[;{}\d$/,!\n]\s*)[ewWrR](?:\s|$)|[/|#,]\w*[ew]\w*(?:\s|;|\}|$)/ : /system\s*\(|getline|[|>]/;
  const script = rest.find(({ text, isDynamic }) => isDynamic || (!text.startsWith('-') && runs.test(text)));
  const question = script === undefined ? undefined : ask(`This script of ${name} may write files or start programs.`);
  return strictest([judgeProgram(name, rest, place), question]);
}

const findStarters: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const findWriters = /^-(?:delete|fprint0?|fprintf|fls)$/;

function judgeFind(rest: readonly ShellWord[], place: CommandPlace): Objection {
  const objections: Objection[] = [];
  const first = rest.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = first < 0 ? rest : rest.slice(0, first);
  objections.push(...starts.map((word) => judgeWord(word, 'read', place)));
  for (let at = starts.length; at < rest.length; at++) {
    const text = rest[at]?.text ?? '';
    if (findWriters.test(text))
      objections.push(refuse(`find ${text} changes files that cannot be checked; name them.`));
    if (!findStarters.has(text)) continue;
    const end = rest.findIndex((word, index) => index > at && (word.text === ';' || word.text === '+'));
    const inner = rest.slice(at + 1, end < 0 ? undefined : end);
    objections.push(
      judgeWords(
        inner.map((word) => (word.text.includes('{}') ? unknownWord : word)),
        place,
      ),
    );
    at += inner.length;
  }
  return strictest(objections);
}
