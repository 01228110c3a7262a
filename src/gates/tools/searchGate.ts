import { relative, resolve } from 'node:path';
import { changedRole, foldersAfter, judgeOptions, judgeRole, judgeWord, marksOf } from './commandArguments.ts';
import { askProtected, type CommandPlace, doubt, type Objection, objectionOfRule, strictest } from './objection.ts';
import { type ProgramArguments, parseArguments } from './programArguments.ts';
import type { ProgramTable } from './programs/table.ts';
import { mayBeInScope, type ScopeRule, type SearchScope } from './searchScope.ts';
import type { ShellWord } from './shell/shell.ts';
import type { Special } from './special.ts';
import { isGitConfigFile, isSecretFile, mayHoldRegistryToken, pathProblem, secretsToGuard } from './toolPath.ts';

/** `grep -r` and `rg` over a folder read every file below it, unless their options leave some out. */
export function judgeSearch(known: ProgramTable): Special {
  return ({ name, rest, place }) => {
    const given = parseArguments(rest, known);
    const options = judgeOptions(name, given, rest, known, place);
    if (given.unknown !== undefined) return options;
    const marks = marksOf(given);
    const role = changedRole(known.operands.at(-1) ?? 'read', marks);
    const hasPattern = marks.has('script') || marks.has('stat');
    const paths = hasPattern ? given.operands : given.operands.slice(1);
    const here = { ...place, folders: foldersAfter(given, place) };
    if (role !== 'tree') return strictest([options, ...paths.map((word) => judgeRole(name, word, role, here))]);
    const scope = name === 'rg' ? ripgrepScope(given, here) : grepScope(given);
    const folders: readonly ShellWord[] =
      paths.length > 0 ? paths : [{ text: '.', isDynamic: false, isGlob: false, isHome: false }];
    return strictest([options, ...folders.map((word) => judgeTree(name, word, scope, here))]);
  };
}

/** `name` reads the files below a folder that are in its scope. */
export function judgeTree(name: string, word: ShellWord, scope: SearchScope, place: CommandPlace): Objection {
  if (word.isDynamic || word.isGlob) return judgeWord(word, 'tree', place);
  const base = judgeWord(word, 'stat', place) ?? judgeWord(word, 'read', place);
  if (base !== undefined) return base;
  return strictest(
    place.folders.map((folder) => {
      const start = place.request.resolvePath(resolve(folder, word.text));
      const ruled = place.request.policy?.below('Read', start);
      if (ruled !== undefined)
        return objectionOfRule(`What ${name} reads below ${word.text}`, { ...ruled, action: 'ask' });
      const found = secretsToGuard(place.request, start);
      if (found === 'tooMany')
        return doubt(place, `${word.text} holds too many files to know whether one holds secrets.`);
      const [first] = secretsInScope(found, start, scope, place);
      return first === undefined
        ? undefined
        : askProtected(
            `${name} would also read ${relative(start, first)}, which may hold secrets; name the files, or leave it out.`,
          );
    }),
  );
}

/** The files of a list that a search of `start` may read. */
export function secretsInScope(
  files: readonly string[],
  start: string,
  scope: SearchScope,
  { request }: Pick<CommandPlace, 'request'>,
): readonly string[] {
  return files.filter((file) => {
    // Links are not followed; their own names are harmless.
    const mayMatter = isSecretFile(request, file) || isGitConfigFile(file) || mayHoldRegistryToken(file);
    return mayMatter && pathProblem(request, file, 'read') !== undefined && mayBeInScope(file, start, scope);
  });
}

interface GivenRule {
  readonly name: string;
  readonly pattern: string;
  readonly isKnown: boolean;
}

function valuesOf({ options }: ProgramArguments, ...names: readonly string[]): readonly GivenRule[] {
  return options.flatMap(({ name, values }) =>
    names.includes(name) ? values.map(({ text, isDynamic }) => ({ name, pattern: text, isKnown: !isDynamic })) : [],
  );
}

/** The last option that fits a file decides; the first one says what happens to files that none fits. */
function grepScope(given: ProgramArguments): SearchScope {
  const rules = valuesOf(given, '--include', '--exclude', '--exclude-from', '--exclude-dir').map(
    ({ name, pattern, isKnown }): ScopeRule => {
      if (name === '--include') return { verb: 'only', kind: 'file', pattern: isKnown ? pattern : '*' };
      const excluded = isKnown && name !== '--exclude-from' ? pattern : '';
      return name === '--exclude-dir'
        ? { verb: 'without', kind: 'folder', pattern: excluded.replace(/\/$/, '') }
        : { verb: 'without', kind: 'file', pattern: excluded };
    },
  );
  const first = rules.find(({ kind }) => kind === 'file');
  return { rules, others: first?.verb === 'only' ? 'left out' : 'read', hidden: true };
}

/** File types of ripgrep that never include a file that may hold secrets, beside those with a rule below. */
const sourceTypes: ReadonlySet<string> = new Set(
  'ts js py python rust go c cpp h java kotlin swift ruby php cs csharp html css lua perl scala elixir haskell zig md markdown vue svelte dart r jl julia tf asm objc'.split(
    ' ',
  ),
);
const filesOfTypes: ReadonlyMap<string, string> = new Map([
  ['java', '*.properties'],
  ['md', '*.md'],
  ['markdown', '*.md'],
  ['tf', '*'],
]);

function ripgrepScope(given: ProgramArguments, place: CommandPlace): SearchScope {
  // ripgrep puts the globs that fold case behind the others.
  const globs = [...valuesOf(given, '-g', '--glob'), ...valuesOf(given, '--iglob')];
  const [folder] = place.folders;
  return scopeOfGlobs(
    globs.map(({ name, pattern, isKnown }) => ({ glob: isKnown ? pattern : '**', foldsCase: name === '--iglob' })),
    valuesOf(given, '-t', '--type').map(({ pattern }) => pattern),
    {
      hidden: given.options.some(({ name }) => name === '-.' || name === '--hidden'),
      ...(place.folders.length === 1 && folder !== undefined && { root: folder }),
    },
  );
}

interface Glob {
  readonly glob: string;
  readonly foldsCase: boolean;
}

/** `!` at the beginning of a glob leaves out what it names, a folder with all that is below; any other glob takes it. */
export function scopeOfGlobs(
  globs: readonly Glob[],
  types: readonly string[],
  more: Pick<SearchScope, 'hidden' | 'root'>,
): SearchScope {
  const rules = globs.map(({ glob, foldsCase }): ScopeRule => {
    const isExclusion = glob.startsWith('!');
    const pattern = isExclusion ? glob.slice(1) : glob;
    return { verb: isExclusion ? 'without' : 'only', kind: 'path', pattern, foldsCase };
  });
  // ripgrep skips blanks and comments, and what is left may be no rule at all.
  const takes = rules.some(
    ({ verb, pattern }) => verb === 'only' && /^[\w*?.[{/]\S*$/.test(pattern) && /[\w*]/.test(pattern),
  );
  const byType = types.length > 0 && types.every((type) => sourceTypes.has(type));
  const ofTypes = types.flatMap((type): ScopeRule[] => {
    const pattern = filesOfTypes.get(type);
    return pattern === undefined ? [] : [{ verb: 'only', kind: 'file', pattern }];
  });
  return { rules: [...ofTypes, ...rules], others: takes || byType ? 'left out' : 'read', ...more };
}
