import { plural } from '../../base/text.ts';
import { type Code, failure } from '../../model/codes.ts';
import { nearestNames } from '../../model/nearest.ts';
import type { BackTest, Suggestion } from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import { replacedIndex } from '../rules/ruleFile.ts';
import { ruleKey, stemsOf } from '../rules/ruleKey.ts';

/** What speaks against accepting a suggestion, as a whole sentence. */
export interface RuleObjection {
  readonly code: Extract<Code, 'rule/contradicted' | 'rule/targetGone'>;
  readonly message: string;
}

export interface ObjectionGrounds {
  /** As they are, those that are off among them. */
  readonly rules: readonly Rule[];
  /** Every plan, project and expert that a rule can lead to. */
  readonly targets: ReadonlySet<string>;
  readonly backTest: BackTest;
}

/**
 * What speaks against a suggestion at this moment, the gravest first. What history contradicts, what other rules answer
 * already or make ambiguous needs an override; a target that is gone cannot be overridden.
 */
export function objectionsTo(
  { rule, replaces }: Pick<Suggestion, 'rule' | 'replaces'>,
  { rules, targets, backTest }: ObjectionGrounds,
): RuleObjection[] {
  const found: RuleObjection[] = [];
  const add = (message: string, code: RuleObjection['code'] = 'rule/contradicted') => found.push({ code, message });
  if (!targets.has(rule.target)) add(goneMessage(rule.target, targets), 'rule/targetGone');
  if (backTest.disagreed > 0) add(disagreedMessage(backTest));
  const isThere = replaces !== undefined && replacedIndex(rules, replaces) !== -1;
  const others = rules.filter(({ id, enabled }) => enabled && !(isThere && id === replaces));
  if (replaces !== undefined && !isThere) {
    add(`The rule "${replaces}", which it would replace, does not exist any more; it would be added as a new one.`);
  }
  const equal = others.find((other) => ruleKey(other) === ruleKey(rule));
  if (equal !== undefined) add(`The rule "${equal.id}" already says the same.`);
  if (stemsOf(rule.all).length + stemsOf(rule.any).length === 0) {
    add(
      `It names no fact that a message must have, so it takes every message${rule.from === undefined ? '' : ` of ${rule.from}`}.`,
    );
  }
  for (const { rule: id, messages } of backTest.shadowedBy) {
    const other = others.find((one) => one.id === id);
    if (other === undefined || other === equal) continue;
    if (other.target !== rule.target) {
      add(
        `Together with the rule "${id}", which leads to ${other.target}, it would leave ${plural(messages, 'message')} ambiguous.`,
      );
    } else if (messages >= backTest.matched) {
      add(`The rule "${id}" already decides every message that it would have matched.`);
    }
  }
  return found;
}

/** Throws what stands in the way; an override helps against everything but a target that is gone. */
export function assertAcceptable(subject: string, objections: readonly RuleObjection[], isOverridden: boolean): void {
  const gone = objections.find(({ code }) => code === 'rule/targetGone');
  if (gone !== undefined) throw failure(gone.code, subject, gone.message);
  if (isOverridden || objections.length === 0) return;
  throw failure('rule/contradicted', subject, objections.map(({ message }) => message).join(' '));
}

function goneMessage(target: string, targets: ReadonlySet<string>): string {
  const near = nearestNames(target, [...targets]);
  const help = near.length === 0 ? '' : ` There is ${near.map((name) => `"${name}"`).join(' or ')}.`;
  return `It leads to "${target}", which this vault does not have.${help}`;
}

function disagreedMessage({ matched, disagreed, disagreements }: BackTest): string {
  const [first] = disagreements;
  const example = first === undefined ? '' : ` “${first.excerpt}” went to ${first.to}.`;
  return `It contradicts ${disagreed} of the ${plural(matched, 'decision')} that it would have matched.${example}`;
}
