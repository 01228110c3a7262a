import type { ToolRequest } from '../../model/verdict.ts';
import { Arrivals } from './arrivals.ts';
import { judgeWord } from './commandArguments.ts';
import { judgeWords } from './commandGate.ts';
import { ask, type CommandPlace, type Objection, objectionOfRule, refuse, strictest } from './objection.ts';
import { type Dialect, type ShellWord, type SimpleCommand, UnparsableShell } from './shell/shell.ts';
import { walkShell } from './shell/shellWalk.ts';
import { ShellArrays } from './shellArrays.ts';
import { builtinJudge, isUnknown } from './shellBuiltins.ts';
import { effectOf } from './shellEffects.ts';
import { judgeExported, judgeRead, judgeVariable } from './shellVariables.ts';
import { pathProblem } from './toolPath.ts';

/** Judges a whole command line; the strictest verdict on one of its commands decides. */
export function judgeCommandLine(request: ToolRequest, text: string): Objection {
  const place = {
    ...{ request, folders: [request.projectDirectory], depth: 0, judgeText },
    ...{ arrivals: new Arrivals(), exported: new Set<string>() },
  };
  const objection = judgeText(text, place);
  return place.arrivals.mayComeEarlier ? strictest([objection, judgeText(text, place)]) : objection;
}

/** Shells inside of each other, as in `bash -c "sh -c …"`. No honest command needs more. */
const depthMax = 5;
/** Each pattern is looked up on disk. */
const listedMax = 300;

function judgeText(text: string, place: CommandPlace, dialect?: Dialect): Objection {
  if (place.depth > depthMax) return refuse('Shells are nested too deeply.');
  const objections: Objection[] = [];
  const set = new Set<string>();
  const arrays = new ShellArrays();
  try {
    walkShell(
      text,
      place.folders,
      {
        visitCommand: (command, folders) => {
          arrays.record(command);
          place.arrivals.begin(command.words.map(({ text }) => text).join(' '));
          const objection = judgeSimple(command, { ...place, folders });
          if (objection !== undefined) objections.push(objection);
        },
        visitUnordered: () => place.arrivals.setUnordered(),
        visitVariable: (name, exported) => {
          set.add(name);
          objections.push(exported === undefined ? judgeVariable(name, place) : judgeExported(name, exported, place));
        },
        visitRead: (name) => {
          if (!set.has(name)) objections.push(judgeRead(name));
        },
        visitFunction: (name) => {
          if (builtinJudge(name) !== undefined || name === 'command_not_found_handle')
            objections.push(refuse(`A function may not take the name ${name}.`));
        },
        effectOf: (command, state) => effectOf(command, state, place.request.resolvePath),
      },
      dialect,
    );
  } catch (error) {
    if (!(error instanceof UnparsableShell)) throw error;
    objections.push(refuse(`The command cannot be judged: ${error.message}. Write it plainly.`));
  }
  return strictest([...objections, arrays.objection()]);
}

function judgeSimple(command: SimpleCommand, place: CommandPlace): Objection {
  const redirections = command.redirections.map(({ target, writes }) => {
    if (target.isDynamic || target.isGlob) return refuse('A redirection to a file that cannot be known is refused.');
    return judgeWord(target, writes ? 'write' : 'read', place);
  });
  return strictest([...redirections, withAllowed(command.words, place, judgeProgram(command.words, place))]);
}

/**
 * A rule that allows this command as a whole answers its questions: not those about what is protected or about other rules,
 * not for the network of a sandbox, which opens to everything, and none of a command with values that are not known.
 */
function withAllowed(words: readonly ShellWord[], { request }: CommandPlace, objection: Objection): Objection {
  if (objection?.decision !== 'ask' || objection.gate === 'protected' || objection.gate === 'policy') return objection;
  if (objection.needsNetwork === true || objection.isUnknown === true) return objection;
  // A star of the rule would stand for a value that no one has seen.
  if (words.some(({ isDynamic, isMany }) => isDynamic || isMany)) return objection;
  return request.policy?.command(words)?.action === 'allow' ? undefined : objection;
}

function judgeProgram(words: readonly ShellWord[], place: CommandPlace): Objection {
  const [program, ...rest] = words;
  if (program === undefined) return undefined;
  if (isUnknown(program)) return refuse('Which program would run cannot be known.');
  const builtin = builtinJudge(program.text);
  if (builtin !== undefined) {
    // A pattern lists the names of files, whatever the command does with them.
    const listed = rest.filter(({ isGlob, isDynamic }) => isGlob && !isDynamic);
    if (listed.length > listedMax) return refuse('It has more patterns than can be judged.');
    const ruled = objectionOfRule(`The command ${program.text}`, place.request.policy?.command(words));
    return strictest([
      ruled,
      builtin(rest, place, program.text),
      ...listed.map((word) => judgeWord(word, 'read', place)),
    ]);
  }
  return strictest([judgeWhere(program.text, place), judgeWords(words, place), judgeSplitting(rest)]);
}

/** A program may write where it runs, whatever its arguments are. */
function judgeWhere(program: string, { request, folders }: CommandPlace): Objection {
  if (folders.length === 1 && folders[0] === request.projectDirectory) return undefined;
  for (const folder of folders) {
    const problem = pathProblem(request, folder, 'write');
    if (problem !== undefined)
      return refuse(`${program} might run in ${folder}: ${problem.clause}. Write (cd folder && command).`);
  }
  return undefined;
}

function judgeSplitting(rest: readonly ShellWord[]): Objection {
  return rest.some(({ isMany }) => isMany)
    ? ask('How many arguments an expansion gives cannot be known; put it in double quotes.')
    : undefined;
}
