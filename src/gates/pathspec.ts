import { parsePathspec, pathspecProblem, segmentsOf } from '../model/pathspec.ts';
import { hasWildcard, matchesWildcard } from './wildcard.ts';

/** Folder of the project that holds its plans; commits of the source never name it. */
const plansFolder = 'ravel';

/** `covers` knows what an exclusion means, and of no other magic. */
const allowedMagic: readonly string[] = ['exclude'];

/** Why a session may not name this pathspec for a commit, as a clause; undefined when it may. */
export function commitPathProblem(spec: string): string | undefined {
  const problem = pathspecProblem(spec, allowedMagic);
  if (problem !== undefined) return problem;
  const [first] = segmentsOf(parsePathspec(spec).pattern) ?? [];
  if (first === plansFolder) return 'the plans are committed by code';
  return first === '.git' ? 'it lies in .git' : undefined;
}

/** Whether the specs together, exclusions considered, cover a changed path of the project. */
export function covers(specs: readonly string[], path: string): boolean {
  const matching = specs.map(parsePathspec).filter(({ pattern }) => matchesSpec(pattern, path));
  return matching.length > 0 && matching.every(({ magic }) => !magic.includes('exclude'));
}

export function isPlanPath(path: string): boolean {
  return path === plansFolder || path.startsWith(`${plansFolder}/`);
}

function matchesSpec(spec: string, path: string): boolean {
  const plain = (segmentsOf(spec) ?? []).join('/');
  if (plain === '') return true;
  if (path === plain || path.startsWith(`${plain}/`)) return true;
  return hasWildcard(plain) && (matchesWildcard(plain, path) || matchesWildcard(`${plain}/*`, path));
}
