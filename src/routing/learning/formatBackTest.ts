import { backTestSentence } from '../../model/ruleText.ts';
import { formatRule, ruleFields } from '../rules/ruleFile.ts';
import type { TestedSuggestion } from './suggestions.ts';

/** A suggestion for a person who decides: the rule, why, what it would have done, and what speaks against it. */
export function formatBackTest({ suggestion, backTest, objections }: TestedSuggestion): string {
  const { rule, reason, replaces } = suggestion;
  const place = replaces === undefined ? [] : [`It would replace the rule "${replaces}".`, ''];
  return [
    formatRule(ruleFields(rule, rule.id)),
    ...place,
    `Why: ${reason}`,
    '',
    backTestSentence(backTest),
    ...backTest.disagreements.map(({ to, excerpt }) => `  - “${excerpt}” went to ${to}`),
    ...(objections.length === 0 ? [] : ['', 'What speaks against it:']),
    ...objections.map(({ message }) => `- ${message}`),
  ].join('\n');
}
