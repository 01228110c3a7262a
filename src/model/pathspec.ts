/** A pathspec of git, taken apart: `:(exclude,icase)a` has the magic `exclude` and `icase` and the pattern `a`. */
export interface Pathspec {
  readonly magic: readonly string[];
  readonly pattern: string;
}

const shortMagic: Readonly<Record<string, string>> = { '!': 'exclude', '^': 'exclude', '/': 'top' };

export function parsePathspec(spec: string): Pathspec {
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

/** Why a pathspec may reach beyond its directory, as a clause; undefined if it stays below. Only `allowed` magic is known. */
export function pathspecProblem(spec: string, allowed: readonly string[]): string | undefined {
  const { magic, pattern } = parsePathspec(spec);
  if (pattern === '') return 'it is empty';
  if (pattern.includes('\0')) return 'it holds a NUL';
  const foreign = magic.find((word) => !allowed.includes(word));
  if (foreign !== undefined) return `its magic "${foreign}" is not allowed, only ${allowed.join(', ')}`;
  if (pattern.startsWith('/') || /^[a-z]:[\\/]/i.test(pattern))
    return 'it is absolute, and not relative to its directory';
  return segmentsOf(pattern) === undefined ? 'it leads out of its directory' : undefined;
}

/** Segments of a relative path without `.` and `..`; undefined for one that climbs out. */
export function segmentsOf(path: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}
