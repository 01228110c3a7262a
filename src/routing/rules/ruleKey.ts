import type { Rule } from '../../model/rule.ts';
import { type RoutedType, routedTypes } from '../../model/rule.ts';
import { parseTerm } from '../facts/terms.ts';

/** What a rule says: its conditions, and where it leads. */
export interface RuleKeyParts extends Pick<Rule, 'on' | 'from' | 'target'> {
  readonly all?: readonly string[] | null | undefined;
  readonly any?: readonly string[] | null | undefined;
  readonly none?: readonly string[] | null | undefined;
}

/** Equal for rules that say the same, however they order and inflect their words, and whatever they are called. */
export function ruleKey({ on, from, all, any, none, target }: RuleKeyParts): string {
  return JSON.stringify([on ?? '', from ?? '', target, stemsOf(all), stemsOf(any), stemsOf(none)]);
}

/** The stems of a condition, in order and each once. */
export function stemsOf(facts: readonly string[] | null | undefined): string[] {
  const stems = (facts ?? []).map((fact) => parseTerm(fact)?.key ?? fact.toLowerCase());
  return [...new Set(stems)].sort();
}

/** Whether two rules could both decide about one message, and alike: they overlap in type, target and words. */
export function isKindred(left: RuleKeyParts, right: RuleKeyParts): boolean {
  if (left.target !== right.target || !shareType(left.on, right.on)) return false;
  const words = new Set(wanted(left));
  return words.size === 0 || wanted(right).length === 0 || wanted(right).some((stem) => words.has(stem));
}

function wanted({ all, any }: RuleKeyParts): string[] {
  return [...stemsOf(all), ...stemsOf(any)];
}

function shareType(left: RoutedType | undefined, right: RoutedType | undefined): boolean {
  return routedTypes.some((type) => (left ?? type) === type && (right ?? type) === type);
}
