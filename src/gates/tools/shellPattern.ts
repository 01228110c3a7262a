import { matchesWildcard } from '../wildcard.ts';

/**
 * Whether a pattern of the shell may name something called `name`: case does not count, since file systems differ, and a
 * class such as `[[:alpha:]]` may be any character. A leading dot is reached only by a dot.
 */
export function mayName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !/^[.[]/.test(pattern)) return false;
  if (/\[[:=.]/.test(pattern)) return true;
  return matchesWildcard(pattern.toLowerCase(), name.toLowerCase());
}

/** As `mayName`, for a path: segment by segment, and `name` may lie above what the pattern names. */
export function mayPassThrough(pattern: readonly string[], path: readonly string[]): boolean {
  return path.length <= pattern.length && path.every((name, at) => mayName(pattern[at] ?? '', name));
}
