import { resolve } from 'node:path';
import { type ShellWord, type SimpleCommand, UnparsableShell } from './shell/shell.ts';
import type { ShellState, ShellValue } from './shell/shellState.ts';
import type { ShellEffect } from './shell/shellVisitor.ts';
import { builtinJudge, folderOperand, readNames, wrappedWords } from './shellBuiltins.ts';

/** What a command of the shell itself does to it. What its judge refuses is not worked out. */
export function effectOf(
  { words }: SimpleCommand,
  state: ShellState,
  resolvePath: (path: string) => string,
): ShellEffect {
  const [program, ...rest] = words;
  if (program === undefined || program.isDynamic || builtinJudge(program.text) === undefined) return undefined;
  switch (program.text) {
    case 'cd':
      return folderAfter(rest, state, resolvePath);
    case 'command':
    case 'builtin':
    case 'exec': {
      const wrapped = wrappedWords(program.text, rest) ?? [];
      return wrapped.length === 0 ? undefined : { kind: 'run', words: wrapped, ends: program.text === 'exec' };
    }
    case 'eval':
      return { kind: 'eval', text: rest.map(({ text }) => text).join(' ') };
    case 'source':
    case '.':
      return { kind: 'forget' };
    case 'exit':
      return { kind: 'exit', isCertain: isPlainLeave(rest) };
    case 'return':
    case 'break':
    case 'continue':
      return {
        ...{ kind: 'leave', isAgain: program.text === 'continue', isCertain: isPlainLeave(rest) },
        leaves: program.text === 'return' ? 'function' : 'loop',
      };
    default:
      return variablesAfter(program.text, rest);
  }
}

function variablesAfter(name: string, rest: readonly ShellWord[]): ShellEffect {
  switch (name) {
    case 'read':
    case 'mapfile':
    case 'readarray':
      return unknown((readNames(name, rest) ?? []).map(({ text }) => text));
    case 'getopts':
      return unknown([rest[1]?.text ?? '']);
    case 'printf':
      return unknown(rest[0]?.text.startsWith('-v') === true ? [rest[0].text.slice(2), rest[1]?.text ?? ''] : []);
    case 'unset':
      return unknown(rest.map(({ text }) => text));
    case 'export':
    case 'declare':
    case 'typeset':
    case 'local':
    case 'readonly':
      return {
        ...{ kind: 'set', variables: new Map(rest.flatMap((word) => declared(name, word))) },
        locks: name === 'readonly' || rest.some(({ text }) => /^-\w*r/.test(text)) ? rest.flatMap(nameIn) : [],
      };
    default:
      return undefined;
  }
}

function nameIn({ text }: ShellWord): readonly string[] {
  return /^[A-Za-z_]\w*/.exec(text) ?? [];
}

/** With other operands they fail, and the shell may go on. */
function isPlainLeave(rest: readonly ShellWord[]): boolean {
  return rest.length === 0 || (rest.length === 1 && /^[1-9]\d{0,2}$|^0$/.test(rest[0]?.text ?? ''));
}

function declared(name: string, word: ShellWord): [string, ShellValue | undefined][] {
  const [, variable, operator] = /^([A-Za-z_]\w*)(\+?=)?/.exec(word.text) ?? [];
  if (variable === undefined) return [];
  // `local x` hides the value outside, `export x` keeps it.
  return operator === undefined && name === 'export' ? [] : [[variable, undefined]];
}

function unknown(names: readonly string[]): ShellEffect {
  return { kind: 'set', variables: new Map(names.map((name) => [name, undefined])) };
}

/**
 * A shell remembers the name it came by, a program sees the real folder: `..` can mean either, so both are kept.
 */
function folderAfter(
  rest: readonly ShellWord[],
  state: ShellState,
  resolvePath: (path: string) => string,
): ShellEffect {
  const operand = folderOperand(rest);
  if (operand === undefined) return undefined;
  if (operand.text === '-' && state.previous === undefined) throw new UnparsableShell('where cd - leads is not known');
  const named =
    operand.text === '-' ? (state.previous ?? []) : state.folders.map((folder) => resolve(folder, operand.text));
  return { kind: 'move', folders: [...new Set([...named, ...named.map(resolvePath)])] };
}
