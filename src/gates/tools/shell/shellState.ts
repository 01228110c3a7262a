import { UnparsableShell } from './shell.ts';

/**
 * What a variable holds: one of a few texts, or a whole number. With `isGlob` the texts are patterns, and it holds the name
 * of a file that one of them matches.
 */
export type ShellValue = { readonly texts: readonly string[]; readonly isGlob: boolean } | 'number';

/** What is known of a shell at one point of a text, over all the ways that lead there. */
export interface ShellState {
  /** Every folder that it may be in. */
  readonly folders: readonly string[];
  /** Where `cd -` leads; undefined if that is not known. */
  readonly previous: readonly string[] | undefined;
  /** Values that a variable has on every way. What has no entry is unknown. */
  readonly variables: ReadonlyMap<string, ShellValue>;
  /** Functions that are defined on every way. */
  readonly functions: ReadonlySet<string>;
  /** Variables that `readonly` may have locked, so that setting one may fail. Their values are unknown. */
  readonly locked: ReadonlySet<string>;
  /** No way leads here, as after `exit`. What stands here is judged all the same. */
  readonly isDead: boolean;
}

/**
 * Folders in which a command can run, and variables with the texts of each, that are followed. What has more is not
 * understood.
 */
const foldersMax = 16;
const valuesMax = 64;

/** Values that bash changes by itself, or does not let anyone change. */
const special =
  /^(?:_|PWD|OLDPWD|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w+|PPID|UID|EUID|GROUPS|DIRSTACK|FUNCNAME|PIPESTATUS|HISTCMD|SHLVL|OPT\w+|BASH\w*|COMP_\w+|SHELLOPTS|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|REPLY|MAPFILE|READLINE\w*|LINES|COLUMNS)$/;

/** The state on all ways that lead to one of these. */
export function join(a: ShellState, b: ShellState): ShellState {
  if (a.isDead || a === b) return b;
  if (b.isDead) return a;
  const variables = new Map<string, ShellValue>();
  if (a.variables !== b.variables) {
    for (const [name, value] of a.variables) {
      const joined = joinValues(value, b.variables.get(name));
      if (joined !== undefined) variables.set(name, joined);
    }
  }
  return {
    folders: inFolders([...a.folders, ...b.folders]),
    previous:
      a.previous === undefined || b.previous === undefined ? undefined : inFolders([...a.previous, ...b.previous]),
    variables: a.variables === b.variables ? a.variables : variables,
    functions:
      a.functions === b.functions ? a.functions : new Set([...a.functions].filter((name) => b.functions.has(name))),
    locked: a.locked === b.locked ? a.locked : new Set([...a.locked, ...b.locked]),
    isDead: false,
  };
}

/** Whether `b` knows no more than `a`, so that what was judged for `a` need not be judged again. */
export function subsumes(a: ShellState, b: ShellState): boolean {
  return (
    b.isDead ||
    (b.folders.every((folder) => a.folders.includes(folder)) &&
      (a.previous === undefined || b.previous?.every((folder) => a.previous?.includes(folder)) === true) &&
      [...a.functions].every((name) => b.functions.has(name)) &&
      [...b.locked].every((name) => a.locked.has(name)) &&
      [...a.variables].every(([name, value]) => coversValue(value, b.variables.get(name))))
  );
}

export function setVariable(state: ShellState, name: string, value: ShellValue | undefined): ShellState {
  const isKnown =
    value !== undefined &&
    !special.test(name) &&
    !state.locked.has(name) &&
    (value === 'number' || (value.texts.length > 0 && value.texts.length <= valuesMax));
  if (!isKnown && !state.variables.has(name)) return state;
  const variables = new Map(state.variables);
  if (isKnown && (variables.has(name) || variables.size < valuesMax)) variables.set(name, value);
  else variables.delete(name);
  return { ...state, variables };
}

/** What `readonly` leaves known: setting the variable may fail from here on, whatever it holds. */
export function lockVariable(state: ShellState, name: string): ShellState {
  const { locked } = setVariable(state, name, undefined);
  return { ...setVariable(state, name, undefined), locked: new Set([...locked, name]) };
}

/** A bounded set of folders. */
export function inFolders(folders: readonly string[]): readonly string[] {
  const all = [...new Set(folders)];
  if (all.length > foldersMax) throw new UnparsableShell('it may run in too many folders');
  return all;
}

/** Written in decimal: bash takes a leading zero for octal, and fails at `08`. */
export function isWholeNumber(value: ShellValue | undefined): boolean {
  return (
    value === 'number' ||
    (value !== undefined && !value.isGlob && value.texts.every((text) => /^-?(?:0|[1-9]\d{0,14})$/.test(text)))
  );
}

function joinValues(a: ShellValue, b: ShellValue | undefined): ShellValue | undefined {
  if (b === undefined || a === b) return b;
  if (a !== 'number' && b !== 'number') {
    const texts = [...new Set([...a.texts, ...b.texts])];
    return a.isGlob === b.isGlob && texts.length <= valuesMax ? { texts, isGlob: a.isGlob } : undefined;
  }
  return isWholeNumber(a) && isWholeNumber(b) ? 'number' : undefined;
}

function coversValue(a: ShellValue, b: ShellValue | undefined): boolean {
  if (b === undefined) return false;
  if (a === 'number') return isWholeNumber(b);
  return b !== 'number' && a.isGlob === b.isGlob && b.texts.every((text) => a.texts.includes(text));
}
