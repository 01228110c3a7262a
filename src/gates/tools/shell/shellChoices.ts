import type { Redirection } from './shell.ts';
import { UnparsableShell } from './shell.ts';
import { expandTarget, expandWords, type Values } from './shellExpand.ts';
import { isWholeNumber, type ShellState, type ShellValue } from './shellState.ts';
import {
  bareText,
  type CommandNode,
  type CommandWord,
  type CommandWordPart,
  type WordRedirection,
} from './shellTree.ts';

/** Texts that the words of one command can come to; with more of them its judgement would take long. */
const choicesMax = 64;

/** Every combination of the values that the variables of a command may have; with too many they count as unknown. */
export function choices(node: CommandNode, state: ShellState): readonly Values[] {
  const words = [
    ...node.words,
    ...node.assignments.flatMap(({ value }) => valueWords(value)),
    ...node.redirections.map(({ target }) => target),
  ];
  const names = new Set(words.flatMap(({ parts }) => parts.flatMap((part) => variableOf(part) ?? [])));
  let found: Map<string, ShellValue>[] = [new Map(state.variables)];
  for (const name of names) {
    const value = state.variables.get(name);
    if (value === undefined || value === 'number' || value.texts.length === 1) continue;
    if (found.length * value.texts.length > choicesMax) {
      found = found.map((values) => new Map([...values].filter(([other]) => other !== name)));
      continue;
    }
    found = found.flatMap((values) =>
      value.texts.map((text) => new Map([...values, [name, { texts: [text], isGlob: value.isGlob }]])),
    );
  }
  return found;
}

function variableOf(part: CommandWordPart): string | undefined {
  return part.kind === 'expansion' && typeof part.gives === 'object' ? part.gives.variable : undefined;
}

export function listValue(words: readonly CommandWord[], state: ShellState): ShellValue | undefined {
  const single = new Map([...state.variables].filter(([, value]) => value === 'number' || value.texts.length === 1));
  const expanded = expandWords(words, single);
  if (expanded.some(({ isDynamic, isHome }) => isDynamic || isHome)) return undefined;
  return { texts: [...new Set(expanded.map(({ text }) => text))], isGlob: expanded.some(({ isGlob }) => isGlob) };
}

export function isNumeric(word: CommandWord, state: ShellState): boolean {
  const bare = bareText(word);
  if (bare !== undefined) return /^-?\d{1,15}$/.test(bare);
  const [part, ...others] = word.parts.filter((each) => each.kind !== 'text' || each.text !== '');
  if (part === undefined || others.length > 0) return false;
  if (part.kind === 'text') return /^-?\d{1,15}$/.test(part.text);
  if (part.gives === 'number') return true;
  return part.gives !== 'unknown' && isWholeNumber(state.variables.get(part.gives.variable));
}

export function withVariable(values: Values, name: string, value: ShellValue | undefined): Values {
  const next = new Map(values);
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return next;
}

export function expandRedirection({ access, target }: WordRedirection, values: Values): readonly Redirection[] {
  return access === 'none' ? [] : [{ writes: access === 'write', target: expandTarget(target, values) }];
}

export function valueWords(value: CommandWord | { readonly array: readonly CommandWord[] }): readonly CommandWord[] {
  return 'parts' in value ? [value] : value.array;
}

/** `X= Y=${X:=a}` sets X twice. */
export function assertSetOnce({ words, assignments }: CommandNode): void {
  const all = [...words, ...assignments.flatMap(({ value }) => valueWords(value))];
  const set = all.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'expansion' ? (part.sets ?? []) : [])));
  if (assignments.some(({ name }) => set.includes(name)))
    throw new UnparsableShell('an expansion may set a variable that has a value');
}
