import { afterOptions, judgeArguments, judgeWord } from './commandArguments.ts';
import { riskyVariables, scriptRule } from './commandRules.ts';
import { type CommandPlace, type Objection, refuse, strictest } from './objection.ts';
import type { ShellWord } from './shell.ts';

export function judgeShell(rest: readonly ShellWord[], place: CommandPlace, name: string): Objection {
  const at = afterOptions(rest, new Set(['-o', '-O']));
  const options = rest.slice(0, at);
  const operand = rest[at];
  if (operand === undefined) return refuse(`What ${name} would read cannot be seen; write the command itself.`);
  if (!options.some(({ text }) => /^-[a-zA-Z]*c/.test(text))) return judgeScript(rest.slice(at), place);
  if (operand.isDynamic) return refuse(`What ${name} -c would run cannot be known.`);
  return place.judgeText(operand.text, { ...place, depth: place.depth + 1 });
}

export function judgeEval(rest: readonly ShellWord[], place: CommandPlace): Objection {
  if (rest.some((word) => word.isDynamic)) return refuse('What eval would run cannot be known.');
  return place.judgeText(rest.map(({ text }) => text).join(' '), { ...place, depth: place.depth + 1 });
}

export function judgeScript([script, ...rest]: readonly ShellWord[], place: CommandPlace): Objection {
  if (script === undefined || script.isDynamic || script.isGlob)
    return refuse('Which script would run cannot be known.');
  return strictest([judgeWord(script, 'write', place), judgeArguments(rest, scriptRule, place)]);
}

export function judgeFolder(rest: readonly ShellWord[], place: CommandPlace): Objection {
  const target = rest.find((word) => !word.text.startsWith('-') || word.isDynamic);
  if (target === undefined) return refuse('It leaves the project; name a folder inside of it.');
  if (target.isDynamic || target.isGlob) return refuse('Where it leads cannot be known.');
  return judgeWord(target, 'read', place);
}

export function judgeDeclaration(rest: readonly ShellWord[]): Objection {
  return strictest(rest.map(({ text }) => judgeVariable(text.split('=', 1)[0] ?? '')));
}

export function judgeVariable(name: string): Objection {
  return riskyVariables.test(name)
    ? refuse(`A command may not change ${name}, which decides what else runs.`)
    : undefined;
}
