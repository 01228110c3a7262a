import { relative, sep } from 'node:path';
import { matchesWildcard } from '../wildcard.ts';

/**
 * What an option of a search says of files and folders. `only` takes what the pattern names, `without` leaves it out.
 * `name` patterns are held against names, as grep does; `path` patterns as gitignore has them: with a slash they are
 * relative to the folder in which the program runs, and they name folders too.
 */
export interface ScopeRule {
  readonly verb: 'only' | 'without';
  readonly kind: 'file' | 'folder' | 'path';
  readonly pattern: string;
  readonly foldsCase?: boolean;
}

/** Which files below a folder a search reads. */
export interface SearchScope {
  /** In the order of the options; the last one that fits decides. */
  readonly rules: readonly ScopeRule[];
  /** What happens to a file that no rule fits. */
  readonly others: 'read' | 'left out';
  /** Whether files and folders with a leading dot are read unless a rule names them. */
  readonly hidden: boolean;
  /** The folder that patterns with a slash are relative to, absolute; undefined if it cannot be known. */
  readonly root?: string;
}

/**
 * Whether a search of `start` may read `file`. A pattern counts as one that leaves a file out only if it surely names it,
 * and as one that takes a file if it may name it: case, sets and braces are not trusted.
 */
export function mayBeInScope(file: string, start: string, scope: SearchScope): boolean {
  const names = relative(start, file).split(sep);
  return names.every((_, at) => mayPass(file, names, at, scope));
}

function mayPass(file: string, names: readonly string[], at: number, scope: SearchScope): boolean {
  const isFile = at === names.length - 1;
  const above = names.length - 1 - at;
  const path = above === 0 ? file : file.split(sep).slice(0, -above).join(sep);
  for (const rule of scope.rules.toReversed()) {
    if (rule.kind === 'file' ? !isFile : rule.kind === 'folder' && isFile) continue;
    if (rule.verb === 'only' && mayName(rule, path, names[at] ?? '', scope.root)) return true;
    if (rule.verb === 'without' && surelyNames(rule, path, names[at] ?? '', isFile, scope.root)) return false;
  }
  if (!scope.hidden && (names[at] ?? '').startsWith('.')) return false;
  return !isFile || scope.others === 'read';
}

function mayName({ pattern }: ScopeRule, path: string, name: string, root: string | undefined): boolean {
  const choices = alternatives(pattern);
  if (choices === undefined) return true;
  return choices.some((choice) => {
    const [first = '', ...more] = choice.replace(/^\//, '').replace(/\/$/, '').split('/');
    const last = more.at(-1) ?? first;
    const from = root === undefined || more.length === 0 || !/^[\w-]+$/.test(first) ? undefined : first;
    const folder = relative(root ?? path, path).split(sep)[0];
    if (from !== undefined && folder !== '..' && folder?.toLowerCase() !== from.toLowerCase()) return false;
    return /[{}()]/.test(last) || last === '**' || mayBeNamed(last, name);
  });
}

/** Whether a pattern of names may fit a name as `fnmatch` reads it without the rule on leading dots; sets are not trusted. */
export function mayBeNamed(pattern: string, name: string): boolean {
  const plain = pattern.replaceAll('\\', '').replace(/\[[a-z\d]+\]/gi, '?');
  const at = plain.indexOf('[');
  const widest = at < 0 ? plain : `${plain.slice(0, at)}*${plain.slice(Math.max(at, plain.lastIndexOf(']')) + 1)}`;
  return matchesWildcard(widest.toLowerCase(), name.toLowerCase());
}

/** The words that one pair of braces stands for; undefined for what is harder to read. */
function alternatives(pattern: string): readonly string[] | undefined {
  const [, before, body, after] = /^([^{}[\]\\]*)\{([^{}[\]\\]*)\}([^{}[\]\\]*)$/.exec(pattern) ?? [];
  if (body === undefined) return /[{}]/.test(pattern) ? undefined : [pattern];
  return body.split(',').map((choice) => `${before ?? ''}${choice}${after ?? ''}`);
}

function surelyNames(
  { kind, pattern, foldsCase = false }: ScopeRule,
  path: string,
  name: string,
  isFile: boolean,
  root: string | undefined,
): boolean {
  if (/[[\]{}\\()]|\*\*\*|[^/]\*\*|\*\*[^/]/.test(pattern)) return false;
  const fold = (text: string) => (foldsCase ? text.toLowerCase() : text);
  const fits = (one: string, text: string) => matchesWildcard(fold(one), fold(text));
  if (kind !== 'path') return pattern !== '' && !pattern.includes('/') && fits(pattern, name);
  if (pattern.endsWith('/') && isFile) return false;
  const plain = pattern.replace(/\/$/, '');
  if (plain === '' || plain === '/') return false;
  if (!plain.includes('/')) return fits(plain, name);
  const given = plain.replace(/^\//, '').split('/');
  if (given[0] === '**') return surelyEnds(given.slice(1), path.split(sep), fits);
  if (root === undefined) return false;
  const below = relative(root, path).split(sep);
  return given.at(-1) === '**'
    ? below.length >= given.length && surelyIs(given.slice(0, -1), below.slice(0, given.length - 1), fits)
    : surelyIs(given, below, fits);
}

type Fits = (pattern: string, text: string) => boolean;

function surelyIs(patterns: readonly string[], names: readonly string[], fits: Fits): boolean {
  if (patterns.length !== names.length) return false;
  return patterns.every((pattern, at) => pattern !== '**' && fits(pattern, names[at] ?? ''));
}

/** After a leading `**`: the end of a path, or all that is below a folder with one name. */
function surelyEnds(patterns: readonly string[], names: readonly string[], fits: Fits): boolean {
  if (patterns.at(-1) !== '**') return surelyIs(patterns, names.slice(-patterns.length), fits);
  const [folder, ...more] = patterns;
  return (
    folder !== undefined && more.length === 1 && names.slice(0, -1).some((name) => surelyIs([folder], [name], fits))
  );
}
