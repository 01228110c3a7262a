import { liesInScopes } from '../../knowledge/search/knowledgeScope.ts';
import type { IngestionCandidate } from '../../model/ingestion.ts';
import type { DeclaredExpert } from '../../vault/expertStore.ts';
import { scopesOf } from '../expertScope.ts';

/** Experts that are asked about one candidate. */
const expertsMax = 4;

/**
 * The experts that something concerns: those with one of its tags or named by one, and those that know an entry close to it.
 * Code decides that, in the order of the declarations.
 */
export function matchingExperts(
  experts: readonly DeclaredExpert[],
  { tags, near }: Pick<IngestionCandidate, 'tags' | 'near'>,
): readonly DeclaredExpert[] {
  const wanted = new Set(tags);
  const fitting = experts.filter(({ expert }) => {
    const isNamed = [...expert.tags, expert['expert-id']].some((tag) => wanted.has(tag));
    return isNamed || near.some(({ path }) => isInScope(expert, path));
  });
  return fitting.slice(0, expertsMax);
}

function isInScope(expert: DeclaredExpert['expert'], path: string): boolean {
  const [, project = '', inside = ''] = /^(?:projects\/([^/]+)\/)?knowledge\/(.+)$/.exec(path) ?? [];
  return liesInScopes(scopesOf(expert), { project, path: inside });
}
