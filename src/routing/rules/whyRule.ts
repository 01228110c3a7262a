import type { Rule } from '../../model/rule.ts';
import { factKey, parseTerm } from '../facts/terms.ts';
import { isFrom, type RuledMessage } from './ruleSet.ts';

/** Whether a rule matches a message, and which of its conditions says so, as a clause for people. */
export interface RuleReason {
  readonly rule: Rule;
  readonly matches: boolean;
  readonly because: string;
  /** Conditions that hold, as a share of all; what nearly matches stands near 1. */
  readonly met: number;
}

interface Condition {
  readonly holds: boolean;
  readonly text: string;
}

/** Of each of the rules, those that are off among them, in their order. */
export function whyRules(rules: readonly Rule[], message: RuledMessage): RuleReason[] {
  const facts = new Set(message.facts.flatMap((fact) => parseTerm(fact)?.key ?? []));
  return rules.map((rule) => whyRule(rule, message, facts));
}

function whyRule(rule: Rule, message: RuledMessage, facts: ReadonlySet<string>): RuleReason {
  const conditions = [...conditionsOf(rule, message), ...factConditions(rule, facts)];
  const failed = conditions.filter(({ holds }) => !holds);
  const held = conditions.length - failed.length;
  const relevant = failed.length > 0 ? failed : conditions;
  const because = relevant.length === 0 ? 'it has no conditions' : relevant.map(({ text: said }) => said).join('; ');
  return { rule, matches: failed.length === 0, because, met: conditions.length === 0 ? 1 : held / conditions.length };
}

function conditionsOf(rule: Rule, { on, from }: RuledMessage): Condition[] {
  const conditions: Condition[] = [];
  if (!rule.enabled) conditions.push({ holds: false, text: 'it is off' });
  if (rule.target === from) conditions.push({ holds: false, text: 'it leads to the sender itself' });
  if (rule.on !== undefined) {
    const holds = rule.on === on;
    conditions.push({ holds, text: holds ? `it is a ${on}` : `it is for a ${rule.on} and this is a ${on}` });
  }
  if (rule.from !== undefined) {
    const holds = isFrom(rule, from);
    conditions.push({ holds, text: holds ? `it is from ${rule.from}` : `it is not from ${rule.from}` });
  }
  return conditions;
}

function factConditions({ all, any, none }: Rule, facts: ReadonlySet<string>): Condition[] {
  const has = (fact: string) => facts.has(factKey(fact));
  const conditions = (all ?? []).map((fact): Condition => {
    const holds = has(fact);
    return { holds, text: holds ? `it is about ${quoted([fact])}` : `it is not about ${quoted([fact])}` };
  });
  if (any != null && any.length > 0) {
    const held = any.filter(has);
    const text = held.length > 0 ? `it is about ${quoted(held)}` : `it is about none of ${quoted(any)}`;
    conditions.push({ holds: held.length > 0, text });
  }
  const forbidden = (none ?? []).filter(has);
  if (forbidden.length > 0)
    conditions.push({ holds: false, text: `it is about ${quoted(forbidden)}, which it must not be` });
  return conditions;
}

function quoted(facts: readonly string[]): string {
  return facts.map((fact) => `“${fact}”`).join(', ');
}
