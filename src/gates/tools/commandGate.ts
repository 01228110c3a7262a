import { basename } from 'node:path';
import { afterOptions, judgeArguments, judgeWord } from './commandArguments.ts';
import { deniedPrograms, programRules, pythonModules, scriptRule } from './commandRules.ts';
import { judgeGit } from './gitGate.ts';
import { ask, type CommandPlace, type Objection, refuse, strictest } from './objection.ts';
import type { ShellWord } from './shell.ts';
import { judgeShell } from './shellBuiltins.ts';
import { judgeVariable } from './shellVariables.ts';
import { pathProblem } from './toolPath.ts';

/** Judges a program and its arguments. */
export function judgeWords(words: readonly ShellWord[], place: CommandPlace): Objection {
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
  find: judgeFind,
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
