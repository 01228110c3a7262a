import { withoutEnd } from '../../base/text.ts';
import { isQualifiedId, isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';

/** What a link in a terminal leads to. A path is as it was printed; whether there is such a file is not known here. */
export type LinkTarget =
  | { readonly kind: 'file'; readonly path: string; readonly line?: number; readonly column?: number }
  | { readonly kind: 'plan'; readonly plan: QualifiedId }
  | { readonly kind: 'task'; readonly task: string }
  | { readonly kind: 'approval'; readonly approval: Ulid }
  | { readonly kind: 'session'; readonly session: Ulid };

export interface FoundLink {
  readonly start: number;
  readonly length: number;
  readonly target: LinkTarget;
}

/** What the vault knows by name. */
export interface KnownNames {
  readonly hasPlan: (id: string) => boolean;
  readonly hasTask: (id: string) => boolean;
  readonly hasApproval: (id: string) => boolean;
}

/** A line of a terminal is looked at no further than this, and has no more links. */
const lineCharactersMax = 2000;
const linksMax = 20;

/** What stands between blanks, quotes and brackets. */
const wordPattern = /[^\s"'`()[\]{}<>│|,;]+/g;
const ending = '.:!?';
const filePattern = /^((?:\.{0,2}\/)?[\w@.+~-]+(?:\/[\w@.+~-]+)*)(?::(\d+))?(?::(\d+))?$/;

/** Names of the vault first; what else looks like a path is one. */
export function linksIn(text: string, known: KnownNames): FoundLink[] {
  const links: FoundLink[] = [];
  for (const match of text.slice(0, lineCharactersMax).matchAll(wordPattern)) {
    const word = withoutEnd(match[0], ending);
    const target = targetOf(word, known);
    if (target !== undefined) links.push({ start: match.index, length: word.length, target });
    if (links.length === linksMax) break;
  }
  return links;
}

function targetOf(word: string, known: KnownNames): LinkTarget | undefined {
  if (isUlid(word)) {
    return known.hasApproval(word) ? { kind: 'approval', approval: word } : { kind: 'session', session: word };
  }
  if (isQualifiedId(word) && known.hasPlan(word)) return { kind: 'plan', plan: word };
  if (known.hasTask(word)) return { kind: 'task', task: word };
  const [, path, line, column] = filePattern.exec(word) ?? [];
  if (path === undefined || !looksLikeFile(path)) return undefined;
  return {
    kind: 'file',
    path,
    ...(line !== undefined && { line: Number(line) }),
    ...(column !== undefined && { column: Number(column) }),
  };
}

/** With a folder, or an ending that begins with a letter: a number with a point is none. */
function looksLikeFile(path: string): boolean {
  return /[\w.-]\/[\w.-]/.test(path) || path.startsWith('/') || /\w\.[A-Za-z]\w{0,9}$/.test(path);
}
