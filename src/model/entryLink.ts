import { withoutEnd } from '../base/text.ts';

/** What a link between entries can hold between its brackets, in UTF-16 units. */
const linkLengthMax = 500;

/** `[[target]]`, `[[target#heading]]` or `[[target|label]]`; older entries have the target alone. */
const linkForm = /^\[\[([^[\]|#^\n\r]+)(?:[#^][^[\]|\n\r]*)?(?:\|[^[\]\n\r]*)?\]\]$/;

/** Whether a value of a frontmatter is a link to an entry. */
export function isEntryLink(value: unknown): boolean {
  return typeof value === 'string' && value.length <= linkLengthMax && targetOfLink(value) !== '';
}

/** A link without its quotes, `[[target]]`, which YAML reads as a list of lists; any other value as it is. */
export function withQuotes(value: unknown): unknown {
  const [inner, ...others] = Array.isArray(value) ? (value as unknown[]) : [];
  if (others.length > 0) return value;
  if (typeof inner === 'string') return `[[${inner}]]`;
  const [target, ...more]: unknown[] = Array.isArray(inner) ? inner : [];
  return typeof target === 'string' && more.length === 0 ? `[[${target}]]` : value;
}

/** What a link names: a title, an alias, an id, or the path of a file without its ending. Empty for any other text. */
export function targetOfLink(link: string): string {
  const trimmed = link.trim();
  const [, target] = linkForm.exec(trimmed) ?? [];
  // In a table of Obsidian, the bar before a label has a backslash before it.
  if (target !== undefined) return withoutEnd(target, '\\').trim().replace(/\.md$/i, '');
  return /[[\]|#^\n\r]/.test(trimmed) ? '' : trimmed.replace(/\.md$/i, '');
}

/** A link to a title or a path, as a value of a frontmatter; undefined if a link cannot hold the name. */
export function formatEntryLink(target: string): string | undefined {
  const link = `[[${target}]]`;
  return isEntryLink(link) && targetOfLink(link) === target ? link : undefined;
}
