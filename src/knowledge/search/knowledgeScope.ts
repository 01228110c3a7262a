import { parseJson } from '../../base/json.ts';
import { hasWildcard, matchesWildcard } from '../../gates/wildcard.ts';
import { placeOfEntry } from './entryDocument.ts';

/** Notes of the vault, of a project or of every project: a folder, or a glob in which `*` also stands for slashes. */
export interface KnowledgeScope {
  /** Empty for the vault itself, `*` for every project. */
  readonly project: string;
  /** Below the knowledge folder, with `/`. */
  readonly glob: string;
}

/** Whether the entry of an id is a note in one of these places. */
export function inKnowledgeScopes(scopes: readonly KnowledgeScope[]): (id: string) => boolean {
  return (id) => {
    const [place, project = '', quoted = ''] = placeOfEntry(id).key.split('\t');
    if (place !== 'knowledge') return false;
    const path = parseJson(quoted);
    return typeof path === 'string' && liesInScopes(scopes, { project, path });
  };
}

/** Whether a note is in one of these places; its path is below the knowledge folder. */
export function liesInScopes(
  scopes: readonly KnowledgeScope[],
  { project, path }: { readonly project: string; readonly path: string },
): boolean {
  const own = scopes.filter((scope) => scope.project === project || (scope.project === '*' && project !== ''));
  return own.some(({ glob }) => holds(glob, path));
}

function holds(glob: string, path: string): boolean {
  if (path.startsWith(`${glob}/`) || path === glob || path === `${glob}.md`) return true;
  return hasWildcard(glob) && (matchesWildcard(glob, path) || matchesWildcard(`${glob}/*`, path));
}
