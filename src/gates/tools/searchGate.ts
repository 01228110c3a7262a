import { basename, relative, resolve, sep } from 'node:path';
import { changedRole, foldersAfter, judgeOptions, judgeRole, judgeWord, marksOf } from './commandArguments.ts';
import { ask, type CommandPlace, doubt, type Objection, strictest } from './objection.ts';
import { type ProgramArguments, parseArguments } from './programArguments.ts';
import type { ProgramTable } from './programs/table.ts';
import type { ShellWord } from './shell.ts';
import { mayName } from './shellPattern.ts';
import type { Special } from './special.ts';
import { mayHoldSecrets, pathProblem } from './toolPath.ts';

/** Which files below a folder a search reads. */
export interface SearchScope {
  /** Patterns of which one fits the file's name, if there are any. */
  readonly only: readonly string[];
  readonly without: readonly string[];
  readonly withoutFolders: readonly string[];
  /** Whether files and folders with a leading dot are read. */
  readonly hidden: boolean;
}

/** `grep -r` and `rg` over a folder read every file below it, unless their options leave some out. */
export function judgeSearch(known: ProgramTable): Special {
  return ({ name, rest, place }) => {
    const given = parseArguments(rest, known);
    const options = judgeOptions(name, given, rest, known, place);
    if (given.unknown !== undefined) return options;
    const marks = marksOf(given);
    const role = changedRole(known.operands.at(-1) ?? 'read', marks);
    const hasPattern = marks.has('script') || marks.has('look');
    const paths = hasPattern ? given.operands : given.operands.slice(1);
    const here = { ...place, folders: foldersAfter(given, place) };
    if (role !== 'tree') return strictest([options, ...paths.map((word) => judgeRole(name, word, role, here))]);
    const scope = name === 'rg' ? ripgrepScope(given) : grepScope(given);
    const folders: readonly ShellWord[] =
      paths.length > 0 ? paths : [{ text: '.', isDynamic: false, isGlob: false, isHome: false }];
    return strictest([options, ...folders.map((word) => judgeTree(name, word, scope, here))]);
  };
}

function judgeTree(name: string, word: ShellWord, scope: SearchScope, place: CommandPlace): Objection {
  if (word.isDynamic || word.isGlob) return judgeWord(word, 'tree', place);
  const base = judgeWord(word, 'look', place) ?? judgeWord(word, 'read', place);
  if (base !== undefined || place.request.confinement === 'confined') return base;
  return strictest(
    place.folders.map((folder) => {
      const start = place.request.resolvePath(resolve(folder, word.text));
      const found = place.request.secretFilesBelow(start);
      if (found === 'tooMany')
        return doubt(place, `${word.text} holds too many files to know whether one holds secrets.`);
      const first = secretInScope(found, start, scope, place);
      return first === undefined
        ? undefined
        : ask(
            `${name} would also read ${relative(start, first)}, which may hold secrets; name the files, or leave it out.`,
          );
    }),
  );
}

/** The first of the files that a search of `start` reads. */
export function secretInScope(
  files: readonly string[],
  start: string,
  { only, without, withoutFolders, hidden }: SearchScope,
  { request }: Pick<CommandPlace, 'request'>,
): string | undefined {
  return files.find((file) => {
    const path = relative(start, file).split(sep);
    const folders = path.slice(0, -1);
    // Links are not followed; their own names are harmless.
    if (!mayHoldSecrets(basename(file)) || pathProblem(request, file, 'read') === undefined) return false;
    if (!hidden && path.some((part) => part.startsWith('.'))) return false;
    if (folders.some((folder, at) => withoutFolders.some((pattern) => leavesOut(pattern, folder, at)))) return false;
    if (without.some((pattern) => mayOnlyName(pattern, basename(file)))) return false;
    return (
      only.length === 0 ||
      only.some((pattern) => mayName(pattern.replaceAll('**/', ''), basename(file)) || /[{,/]/.test(pattern))
    );
  });
}

/** A pattern with `/` at its beginning counts for the first folder alone. */
function leavesOut(pattern: string, folder: string, at: number): boolean {
  return pattern.startsWith('/') ? at === 0 && mayOnlyName(pattern.slice(1), folder) : mayOnlyName(pattern, folder);
}

/** For what is left out the doubt goes the other way: classes and sets leave nothing out. */
function mayOnlyName(pattern: string, name: string): boolean {
  return !/[[{\\]/.test(pattern) && (pattern === name || (pattern.includes('*') && mayName(pattern, name)));
}

function valuesOf({ options }: ProgramArguments, ...names: readonly string[]): readonly string[] {
  return options.flatMap(({ name, values }) => (names.includes(name) ? values.map(({ text }) => text) : []));
}

function grepScope(given: ProgramArguments): SearchScope {
  const excluded = valuesOf(given, '--exclude-dir');
  return {
    only: valuesOf(given, '--include'),
    without: valuesOf(given, '--exclude'),
    withoutFolders: excluded.map((folder) => folder.replace(/\/$/, '')),
    hidden: true,
  };
}

/** File types of ripgrep that never include a file that may hold secrets. */
const sourceTypes: ReadonlySet<string> = new Set(
  'ts js py python rust go c cpp h java kotlin swift ruby php cs csharp html css lua perl scala elixir haskell zig md markdown vue svelte dart r jl julia tf asm objc'.split(
    ' ',
  ),
);

function ripgrepScope(given: ProgramArguments): SearchScope {
  return scopeOfGlobs(
    valuesOf(given, '-g', '--glob'),
    valuesOf(given, '-t', '--type'),
    given.options.some(({ name }) => name === '-.' || name === '--hidden'),
  );
}

/** `!` at the beginning of a glob leaves out what it names, a folder with all that is below. */
export function scopeOfGlobs(globs: readonly string[], types: readonly string[], hidden: boolean): SearchScope {
  const left = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const folders = left.map((glob) => {
    const folder = glob.replace(/\/(?:\*\*?)?$/, '');
    return folder.startsWith('**/') ? folder.slice(3) : folder === glob ? folder : `/${folder.replace(/^\//, '')}`;
  });
  const byType = types.length > 0 && types.every((type) => sourceTypes.has(type)) ? ['*.source'] : [];
  return {
    only: [...globs.filter((glob) => !glob.startsWith('!')), ...byType],
    without: left.map((glob) => glob.replace(/^\*\*\//, '')),
    withoutFolders: folders.filter((folder) => !folder.slice(1).includes('/')),
    hidden,
  };
}
