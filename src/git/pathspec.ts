import { posix } from 'node:path';
import { failure } from '../model/codes.ts';
import { parsePathspec, pathspecProblem } from '../model/pathspec.ts';

/** What changes which names match, and not where. */
const allowedMagic: readonly string[] = ['exclude', 'glob', 'literal', 'icase'];

/** Throws `git/badPathspec` for one that could reach beyond the directory. */
export function assertPathspec(spec: string, subject: string): void {
  const problem = pathspecProblem(spec, allowedMagic);
  if (problem === undefined) return;
  throw failure('git/badPathspec', subject, `The path ${JSON.stringify(spec)} is refused: ${problem}.`);
}

export function isExclusion(spec: string): boolean {
  return parsePathspec(spec).magic.includes('exclude');
}

/** A path as itself, whatever characters it holds. */
export function literalPathspec(path: string): string {
  return `:(literal)${path}`;
}

export function literalExclusion(path: string): string {
  return `:(exclude,literal)${path}`;
}

/** The path of a pathspec that matches this path and all below it, and nothing else; undefined for a pattern. */
export function plainPath(spec: string): string | undefined {
  const { magic, pattern } = parsePathspec(spec);
  if (magic.length === 1 && magic[0] === 'literal') return pattern;
  return magic.length === 0 && !/[*?[\\]/.test(pattern) ? pattern : undefined;
}

/** Whether `path` is one of `roots` or lies below one; a `/` at a root's end and a `./` before it mean nothing. */
export function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const normal = posix.normalize(root).replace(/\/$/, '');
    return normal === '.' || path === normal || path.startsWith(`${normal}/`);
  });
}
