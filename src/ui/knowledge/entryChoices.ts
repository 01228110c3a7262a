import { t } from '@vscode/l10n';
import type { EntryRow } from '../../model/requests/knowledge.ts';
import type { Choice } from '../choice.ts';
import { plainChoice } from '../sanitizeLabel.ts';
import { joinParts } from '../trees/treeRow.ts';

/** Entries to choose from by title, the axis or project beside it; without those that cannot be meant. */
export function entryChoices(entries: readonly EntryRow[], without: readonly string[] = []): Choice<EntryRow>[] {
  const sorted = [...entries].sort((a, b) => (a.title.toLowerCase() < b.title.toLowerCase() ? -1 : 1));
  return sorted
    .filter(({ entry }) => !without.includes(entry))
    .map((row) => ({
      label: plainChoice(row.title, 120),
      description: plainChoice(placeAndKind(row)),
      detail: plainChoice(row.entry),
      value: row,
    }));
}

function placeAndKind({ project, axis, kind, status, confidence }: EntryRow): string {
  const place = project === '' ? axis || 'knowledge' : t`project ${project}`;
  return joinParts([place, kind, status === 'consolidated' ? '' : status, t`${confidence} confidence`]);
}

/** The statements of an entry to choose from, by the headings of their sections. */
export function statementChoices(statements: readonly string[]): Choice<string>[] {
  return statements.map((heading) => ({
    label: heading === '' ? t('The text before the first heading') : plainChoice(heading, 120),
    value: heading,
  }));
}
