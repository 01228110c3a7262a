import { relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import { isWithin } from '../../base/paths.ts';
import type { PathRoot } from './ruleString.ts';
import { RuleTree } from './ruleTree.ts';

/** The folders that rules start from; absolute. */
export type PathRoots = Readonly<Record<PathRoot, string>>;

interface PathRule<R> {
  readonly rule: R;
  readonly root: PathRoot;
  readonly pattern: string;
  /** The folders that the pattern names before its first wildcard; absent for a pattern for any folder. */
  readonly base: readonly string[] | undefined;
}

/** A path as it is named and as it is on the disk; both absolute. */
export interface NamedPath {
  readonly named: string;
  readonly real: string;
}

/**
 * Rules on paths. `folds` compares names as file systems that fold names would: for rules that forbid. A matcher keeps
 * what it was asked, so another takes its place once in a while.
 */
export class PathRules<R> {
  readonly #folds: boolean;
  /** By root and the folders of the base. */
  readonly #trees: Readonly<Record<PathRoot, RuleTree<PathRule<R>>>> = {
    absolute: new RuleTree(),
    home: new RuleTree(),
    project: new RuleTree(),
  };
  /** Rules for any folder, by the name at their end; those that end in a wildcard by the ending of that name. */
  readonly #byName = new Map<string, PathRule<R>[]>();
  readonly #matchers = new Map<PathRule<R>, { readonly matcher: ReturnType<typeof ignore>; uses: number }>();

  constructor(folds: boolean) {
    this.#folds = folds;
  }

  add(root: PathRoot, given: string, rule: R): void {
    const pattern = this.#folds ? fold(given) : given;
    const segments = pattern.split('/').filter((segment) => segment !== '');
    const isAnchored = pattern.replace(/\/$/, '').includes('/') && segments[0] !== '**';
    const wild = segments.findIndex((segment) => /[*?[\\]/.test(segment));
    const base = isAnchored ? segments.slice(0, wild < 0 ? segments.length : wild) : undefined;
    const added: PathRule<R> = { rule, root, pattern, base };
    if (base !== undefined) this.#trees[root].add(base, added);
    else {
      const key = nameKey(segments.at(-1) ?? '');
      this.#byName.set(key, [...(this.#byName.get(key) ?? []), added]);
    }
  }

  /** The rules that match a path, in no particular order. `all`: its name and what it is on the disk have to match. */
  *matching(path: NamedPath, roots: PathRoots, needs: 'either' | 'both'): Generator<R> {
    const [named, real] = [this.#fold(path.named), this.#fold(path.real)];
    for (const one of new Set([...this.#candidates(named, roots), ...this.#candidates(real, roots)])) {
      const [first, second] = [
        this.#fits(one, named, roots),
        named === real ? undefined : this.#fits(one, real, roots),
      ];
      const matches = needs === 'either' ? first || second === true : first && second !== false;
      if (matches) yield one.rule;
    }
  }

  /** The rules that may match something below a folder. What rules for any folder match there is not known. */
  *below(folder: string, roots: PathRoots): Generator<R> {
    const real = this.#fold(folder);
    for (const root of Object.keys(this.#trees) as PathRoot[]) {
      const start = this.#fold(roots[root]);
      if (isWithin(start, real)) {
        for (const one of this.#trees[root].near(segmentsOf(start, real))) yield one.rule;
      } else if (isWithin(real, start)) for (const one of this.#trees[root].near([])) yield one.rule;
    }
  }

  #fold(path: string): string {
    return this.#folds ? fold(path) : path;
  }

  *#candidates(path: string, roots: PathRoots): Generator<PathRule<R>> {
    for (const root of Object.keys(this.#trees) as PathRoot[]) {
      const start = this.#fold(roots[root]);
      if (isWithin(start, path)) yield* this.#trees[root].along(segmentsOf(start, path));
    }
    // A pattern such as `secrets` covers what is below a folder of that name too.
    for (const name of new Set(path.split(sep)))
      for (const key of [name, endingOf(name)]) yield* this.#byName.get(key) ?? [];
    yield* this.#byName.get('') ?? [];
  }

  #fits(one: PathRule<R>, path: string, roots: PathRoots): boolean {
    const start = this.#fold(roots[one.root]);
    if (!isWithin(start, path) || start === path) return false;
    const known = this.#matchers.get(one);
    const kept =
      known !== undefined && known.uses < usesMax
        ? known
        : { matcher: ignore({ ignorecase: this.#folds }).add(one.pattern), uses: 0 };
    kept.uses += 1;
    this.#matchers.set(one, kept);
    return kept.matcher.ignores(segmentsOf(start, path).join('/'));
  }
}

const usesMax = 1000;

function segmentsOf(from: string, path: string): readonly string[] {
  return relative(resolve(from), path)
    .split(sep)
    .filter((segment) => segment !== '');
}

/** A name without a wildcard, the ending `.pem` of one such as `*.pem`, or nothing. */
function nameKey(segment: string): string {
  if (!/[*?[\\]/.test(segment)) return segment;
  const ending = /^\*(\.[^.*?[\\]+)$/.exec(segment)?.[1];
  return ending ?? '';
}

function endingOf(name: string): string {
  const at = name.lastIndexOf('.');
  return at < 0 ? ' ' : name.slice(at);
}

/** Without case, with one form for each letter, and without marks that are not seen. */
function fold(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toLowerCase();
}
