import { t } from '@vscode/l10n';
import { counted } from '../../base/text.ts';
import type { RuleRow, SuggestionRow } from '../../model/requests/routing.ts';
import type { RuleLines } from './suggestionPlaces.ts';
import { ruleStatistics, suggestionTitle } from './suggestionText.ts';

/** What stands above a line of `routing.yaml`, and what a click does. */
export interface RuleLens {
  readonly line: number;
  readonly title: string;
  readonly tooltip: string;
  readonly command: string;
  readonly arguments: readonly unknown[];
}

export interface RuleLensFacts {
  readonly suggestions: readonly { readonly row: SuggestionRow; readonly line: number }[];
  readonly rules: readonly RuleRow[];
  readonly lines: readonly RuleLines[];
  readonly lineCount: number;
}

/**
 * Suggestions stand between the rules that theirs would stand between. What a rule did stands above it, but where a
 * suggestion already does.
 */
export function routingLenses({ suggestions, rules, lines, lineCount }: RuleLensFacts, now: number): RuleLens[] {
  const byLine = new Map<number, SuggestionRow[]>();
  for (const { row, line } of suggestions) {
    const at = Math.min(line + 1, lineCount - 1);
    byLine.set(at, [...(byLine.get(at) ?? []), row]);
  }
  const ofRules = lines.flatMap(({ id, first }): RuleLens[] => {
    const row = id === undefined ? undefined : rules.find((one) => one.id === id);
    if (row === undefined || byLine.has(first)) return [];
    const tooltip = t('Show where this rule comes from and what it led to');
    return [{ line: first, title: ruleStatistics(row, now), tooltip, command: 'ravel.why', arguments: [row.id] }];
  });
  return [...[...byLine].flatMap(([line, rows]) => lensesAt(line, rows)), ...ofRules];
}

function lensesAt(line: number, rows: readonly SuggestionRow[]): RuleLens[] {
  const [row, ...others] = rows;
  if (row === undefined) return [];
  const at = { line, arguments: [row.approval] };
  if (others.length > 0) {
    const title = t`${counted(rows.length, t('{0} rule'), t('{0} rules'))} suggested here · Review`;
    return [{ ...at, title, tooltip: t('Show the first of them'), command: 'ravel.reviewSuggestion' }];
  }
  const isClear = row.objections.length === 0;
  return [
    {
      ...at,
      title: suggestionTitle(row),
      tooltip: t('Show the reasons and the objections'),
      command: 'ravel.reviewSuggestion',
    },
    {
      ...at,
      title: isClear ? t('Accept') : t('Accept Anyway…'),
      tooltip: t('Put the rule here and commit the change'),
      command: 'ravel.acceptSuggestion',
    },
    { ...at, title: t('Edit'), tooltip: t('Edit the rule before it is put here'), command: 'ravel.editSuggestion' },
    {
      ...at,
      title: t('Reject'),
      tooltip: t('Give a reason. The same rule is not suggested again'),
      command: 'ravel.rejectSuggestion',
    },
    {
      ...at,
      title: t('Preview'),
      tooltip: t('Compare the file with and without the rule'),
      command: 'ravel.previewSuggestion',
    },
  ];
}
