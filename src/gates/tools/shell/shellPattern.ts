import { matchesWildcard } from '../../wildcard.ts';

/**
 * Whether a pattern of the shell may name something called `name`: case does not count, since file systems differ. What a
 * bracket expression holds depends on the language of the machine, so it may be any character. A leading dot is reached
 * only by a dot.
 */
export function mayName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !/^[.[]/.test(pattern)) return false;
  if (/\[[:=.]/.test(pattern)) return true;
  return matchesWildcard(withoutBrackets(pattern).toLowerCase(), name.toLowerCase());
}

/** The pattern with `?` for each bracket expression. */
function withoutBrackets(pattern: string): string {
  let plain = '';
  let at = 0;
  for (;;) {
    const start = pattern.indexOf('[', at);
    const end = start < 0 ? -1 : pattern.indexOf(']', start + (/[!^]/.test(pattern.charAt(start + 1)) ? 3 : 2));
    if (end < 0) return plain + pattern.slice(at);
    plain += `${pattern.slice(at, start)}?`;
    at = end + 1;
  }
}

/** As `mayName`, for a path: segment by segment, and `name` may lie above what the pattern names. */
export function mayPassThrough(pattern: readonly string[], path: readonly string[]): boolean {
  return path.length <= pattern.length && path.every((name, at) => mayName(pattern[at] ?? '', name));
}
