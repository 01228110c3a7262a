import { resolve } from 'node:path';
import type { ToolRequest } from '../../model/verdict.ts';
import { judgeWord } from './commandArguments.ts';
import { judgeWords } from './commandGate.ts';
import { type CommandPlace, type Objection, refuse, strictest } from './objection.ts';
import { parseShell, type ShellItem, type SimpleCommand, UnparsableShell } from './shell.ts';
import { judgeVariable } from './shellBuiltins.ts';

/** Judges a whole command line; the strictest verdict on one of its commands decides. */
export function judgeCommandLine(request: ToolRequest, text: string): Objection {
  return judgeText(text, { request, folders: [request.projectDirectory], depth: 0, judgeText });
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
