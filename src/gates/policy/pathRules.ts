import { relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import { isWithin } from '../../base/paths.ts';
import { NameIndex, nameKeyOf } from './nameIndex.ts';
import type { PathRoot } from './ruleString.ts';
import { RuleTree } from './ruleTree.ts';

/** The folders that rules start from; absolute. */
export type PathRoots = Readonly<Record<PathRoot, string>>;

interface PathRule<R> {
  readonly rule: R;
  readonly root: PathRoot;
  readonly pattern: string;
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
  /** By root and the folders that the pattern names before its first wildcard. */
  readonly #trees: Readonly<Record<PathRoot, RuleTree<NameIndex<PathRule<R>>>>> = {
    absolute: new RuleTree(),
    home: new RuleTree(),
    project: new RuleTree(),
  };
  /** Rules for any folder. */
  readonly #anywhere = new NameIndex<PathRule<R>>();
  readonly #matchers = new Map<PathRule<R>, { readonly matcher: ReturnType<typeof ignore>; uses: number }>();

  constructor(folds: boolean) {
    this.#folds = folds;
  }

  add(root: PathRoot, given: string, rule: R): void {
    const pattern = this.#folds ? fold(given) : given;
    const { base, rest, isAnchored } = partsOf(pattern);
    const index = isAnchored ? this.#trees[root].valueAt(base, () => new NameIndex()) : this.#anywhere;
    index.add(nameKeyOf(rest), { rule, root, pattern });
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
        yield* rulesOf(this.#trees[root].near(segmentsOf(start, real)));
      } else if (isWithin(real, start)) yield* rulesOf(this.#trees[root].near([]));
    }
  }

  #fold(path: string): string {
    return this.#folds ? fold(path) : path;
  }

  *#candidates(path: string, roots: PathRoots): Generator<PathRule<R>> {
    // A pattern such as `secrets` covers what is below a folder of that name too.
    const names = new Set(path.split(sep));
    for (const root of Object.keys(this.#trees) as PathRoot[]) {
      const start = this.#fold(roots[root]);
      if (!isWithin(start, path)) continue;
      for (const index of this.#trees[root].along(segmentsOf(start, path))) yield* index.of(names);
    }
    yield* this.#anywhere.of(names);
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

function* rulesOf<R>(indexes: Iterable<NameIndex<PathRule<R>>>): Generator<R> {
  for (const index of indexes) for (const one of index.all()) yield one.rule;
}

interface PatternParts {
  /** The folders before the first wildcard; none for a pattern for any folder. */
  readonly base: readonly string[];
  readonly rest: readonly string[];
  readonly isAnchored: boolean;
}

function partsOf(pattern: string): PatternParts {
  const segments = pattern.split('/').filter((segment) => segment !== '');
  const isAnchored = pattern.replace(/\/$/, '').includes('/') && segments[0] !== '**';
  if (!isAnchored) return { base: [], rest: segments, isAnchored };
  const wild = segments.findIndex((segment) => /[*?[\\]/.test(segment));
  const length = wild < 0 ? segments.length : wild;
  return { base: segments.slice(0, length), rest: segments.slice(length), isAnchored };
}

/** Whether a pattern is tried on every path below its folder, since no name that it holds says which paths it is about. */
export function isTriedOnAll(pattern: string): boolean {
  const { rest } = partsOf(pattern);
  return rest.some((segment) => segment !== '**') && nameKeyOf(rest) === undefined;
}

/** Without case, with one form for each letter, and without marks that are not seen. */
function fold(path: string): string {
  return path
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toLowerCase();
}
