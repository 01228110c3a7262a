import { defined } from '../../base/defined.ts';
import type { Range } from '../../base/errors.ts';
import { withoutEnd } from '../../base/text.ts';
import type { DocumentRecord } from '../../model/document.ts';
import type { SuggestionRow } from '../../model/requests/routing.ts';

/** Where a rule stands in the text as it is shown; lines count from 0. */
export interface RuleLines {
  readonly id?: string;
  readonly first: number;
  readonly last: number;
}

export function ruleLines(records: readonly Pick<DocumentRecord, 'kind' | 'id' | 'range'>[]): RuleLines[] {
  return records
    .filter(({ kind }) => kind === 'rule')
    .map(({ id, range }) => ({ ...defined({ id }), first: range.start.line, last: lastLine(range) }));
}

/** A range that ends where a line begins does not hold that line. */
function lastLine({ start, end }: Range): number {
  return end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
}

type Placed = Pick<SuggestionRow, 'place'> & { readonly suggestion: Pick<SuggestionRow['suggestion'], 'replaces'> };

/**
 * The line that a suggestion is about: the last one of the rule that it would stand behind, or of the rule that it would
 * take the place of. It follows from the rules as they are typed, so it is right after any edit.
 */
export function anchorOf({ place, suggestion }: Placed, rules: readonly RuleLines[], lineCount: number): number {
  const replaced = suggestion.replaces === undefined ? undefined : rules.find(({ id }) => id === suggestion.replaces);
  const before = replaced ?? rules[Math.min(place.index, rules.length) - 1];
  const first = rules[0];
  const line = before?.last ?? (first === undefined ? place.line : Math.max(0, first.first - 1));
  return Math.max(0, Math.min(line, lineCount - 1));
}

/** The line that a suggested rule would be inserted before, or would take the place of with others. */
function spliceOf(
  row: Placed,
  rules: readonly RuleLines[],
  lineCount: number,
): { readonly line: number; readonly removed: number } {
  const { replaces } = row.suggestion;
  const replaced = replaces === undefined ? undefined : rules.find(({ id }) => id === replaces);
  if (replaced !== undefined) return { line: replaced.first, removed: replaced.last - replaced.first + 1 };
  const before = rules[Math.min(row.place.index, rules.length) - 1];
  const line = before === undefined ? (rules[0]?.first ?? row.place.line) : before.last + 1;
  return { line: Math.max(0, Math.min(line, lineCount)), removed: 0 };
}

/** The text of `routing.yaml` as it would be with the rule, for a person to look at: what is written is made by the owner. */
export function withRule(text: string, row: Placed & Pick<SuggestionRow, 'yaml'>, rules: readonly RuleLines[]): string {
  const lines = text.split('\n');
  const rule = withoutEnd(row.yaml, '\n').split('\n');
  if (rules.length === 0) return withFirstRule(lines, rule);
  const { line, removed } = spliceOf(row, rules, lines.length);
  return lines.toSpliced(line, removed, ...rule).join('\n');
}

/** A file without rules has none of the lines that a rule could stand among. */
function withFirstRule(lines: readonly string[], rule: readonly string[]): string {
  const at = lines.findIndex((line) => /^rules:/.test(line));
  if (at >= 0) return lines.toSpliced(at, 1, 'rules:', ...rule).join('\n');
  const kept = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  return [...kept, 'rules:', ...rule, ''].join('\n');
}

/** The suggestion that stands after the one that is shown, in the order of their places; from the last on to the first. */
export function nextOf<T extends { readonly approval: string }>(
  inOrder: readonly T[],
  shown: string | undefined,
  step: 1 | -1 = 1,
): T | undefined {
  const at = inOrder.findIndex(({ approval }) => approval === shown);
  if (at < 0) return step === 1 ? inOrder[0] : inOrder.at(-1);
  return inOrder[(at + step + inOrder.length) % inOrder.length];
}
