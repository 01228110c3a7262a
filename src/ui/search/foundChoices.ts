import { t } from '@vscode/l10n';
import type { RequestResults } from '../../model/protocol.ts';
import type { SearchHit, SearchPlace } from '../../model/requests/search.ts';
import { noMatchText, scorePartTexts, shownParts } from '../../model/searchText.ts';
import { plainChoice, sanitizeLabel } from '../sanitizeLabel.ts';

/** A row of the list, with all text of others as one honest line each. */
export interface FoundChoice {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly value: SearchHit;
}

/** Spaces at the beginning of a line stay, so that the numbers stand below each other. */
function sanitizeLine(line: string): string {
  const text = line.trimStart();
  return ' '.repeat(line.length - text.length) + sanitizeLabel(text, 400);
}

const icons: Readonly<Record<SearchPlace, string>> = {
  plans: '$(project)',
  memory: '$(lightbulb)',
  backlog: '$(checklist)',
  sessions: '$(history)',
  decisions: '$(law)',
  knowledge: '$(book)',
};

export function foundChoice(hit: SearchHit): FoundChoice {
  const { in: place, plan, id, title, line, kind, status } = hit;
  const labels = [kind, status].filter((label) => label !== undefined && label !== place);
  return {
    label: `${icons[place]} ${plainChoice(title === '' ? id : title)}`,
    description: plainChoice([plan ?? id, ...labels].join(', ')),
    detail: plainChoice(line === title ? '' : line),
    value: hit,
  };
}

/** What stands below the list if there is something to say. */
export function foundMessage({ hits, entries, isUpdating, diagnostics }: RequestResults['search']): string {
  const [problem] = diagnostics;
  if (problem !== undefined) return plainChoice(problem.message);
  if (hits.length === 0) return noMatchText(entries);
  return isUpdating ? t('Files that changed are being read…') : '';
}

/** A page that says what gave an entry its score, largest first. */
export function explanationText(query: string, { title, in: place, plan, id, score, parts }: SearchHit): string {
  const lines = shownParts(parts).map(
    ({ kind, name, score: part }) => `${part.toFixed(2).padStart(8)} ${scorePartTexts[kind]} ${name}`,
  );
  const head = [t`Search: ${query}`, t`Entry: ${title}`, t`Where: ${[place, plan, id].filter(Boolean).join(' ')}`];
  const all = [...head, '', ...lines, t`${score.toFixed(2).padStart(8)} in all`];
  return `${all.map((line) => sanitizeLine(line)).join('\n')}\n`;
}
