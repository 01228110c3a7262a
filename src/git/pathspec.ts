import { posix } from 'node:path';
import { failure } from '../model/codes.ts';

/** Why a pathspec may not be used, as the end of a sentence; undefined when it stays below the directory. */
export function pathspecProblem(spec: string): string | undefined {
  const { magic, pattern } = parsePathspec(spec);
  if (pattern === '') return 'it is empty';
  if (pattern.includes('\0')) return 'it holds a NUL';
  const foreign = magic.find((word) => !allowedMagic.includes(word));
  if (foreign !== undefined) return `its magic "${foreign}" can leave the directory`;
  if (pattern.startsWith('/') || /^[a-z]:[\\/]/i.test(pattern)) return 'it is absolute';
  const normal = posix.normalize(pattern);
  if (normal === '..' || normal.startsWith('../')) return 'it leads out of the directory';
  return undefined;
}

/** Throws `git/badPathspec` for one that could reach beyond the directory. */
export function assertPathspec(spec: string, subject: string): void {
  const problem = pathspecProblem(spec);
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

const allowedMagic: readonly string[] = ['exclude', 'glob', 'literal', 'icase'];
const shortMagic: Readonly<Record<string, string>> = { '!': 'exclude', '^': 'exclude', '/': 'top' };

function parsePathspec(spec: string): { magic: readonly string[]; pattern: string } {
  const long = /^:\(([^)]*)\)([\s\S]*)$/.exec(spec);
  if (long !== null) {
    const words = (long[1] ?? '').split(',').filter((word) => word !== '');
    return { magic: words, pattern: long[2] ?? '' };
  }
  if (!spec.startsWith(':')) return { magic: [], pattern: spec };
  const short = /^:([!^/]*):?([\s\S]*)$/.exec(spec);
  const magic = [...(short?.[1] ?? '')].map((letter) => shortMagic[letter] ?? letter);
  // A lone colon, or letters that git may give a meaning one day.
  if (magic.length === 0) return { magic: [':'], pattern: spec.slice(1) || ':' };
  return { magic, pattern: short?.[2] ?? '' };
}
