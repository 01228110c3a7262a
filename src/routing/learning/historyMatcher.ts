import { factsMax } from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import { FactSelection } from '../facts/factSelection.ts';
import type { PreparedRecipients } from '../facts/preparedRecipients.ts';
import { TermMatcher } from '../facts/termMatcher.ts';
import { type parseTerm, termsOfRules } from '../facts/terms.ts';
import type { HistoryIndex, PastDecision } from '../history/historyIndex.ts';
import { compileRules } from '../rules/ruleSet.ts';

/** Rules that are asked about messages of the past, whose words are numbers of the history's lexicon. */
export interface HistoryMatcher {
  /** Those that match, in their order. With `only`, none unless that one is among them: all others are then not asked. */
  matching(decision: PastDecision, only?: Rule): readonly Rule[];
  /** The facts of the message as far as rules speak of them. */
  facts(decision: PastDecision): readonly string[];
}

const none: readonly Rule[] = [];

/** Good until the history has new words. */
export function createPastRules(options: {
  readonly rules: readonly Rule[];
  readonly index: HistoryIndex;
  readonly prepared: PreparedRecipients;
  readonly parse: typeof parseTerm;
}): HistoryMatcher {
  const { rules, index, prepared, parse } = options;
  const ruleSet = compileRules(rules, parse);
  const terms = termsOfRules(rules, prepared, parse);
  const matcher = new TermMatcher(terms, index.lexicon);
  const numbers = Uint32Array.from(terms, ({ key }) => ruleSet.numberOfKey(key));
  const selection = new FactSelection(
    Uint32Array.from(terms, ({ weight }) => weight),
    factsMax,
  );
  const indexes = new Map(ruleSet.rules.map(({ rule }, index) => [rule, index]));
  const indexOf = (rule: Rule) => indexes.get(rule) ?? -1;
  const note = (term: number, at: number) => selection.add(term, at);
  const facts: number[] = [];
  const isSettled = () => selection.isSettled;
  const select = ({ words }: PastDecision) => {
    selection.clear();
    matcher.match(words, note, isSettled);
    return selection.chosen;
  };
  return {
    matching: (decision, only) => {
      // Most decisions end here: what they cost is what a back-test costs.
      facts.length = 0;
      for (const term of select(decision)) facts.push(numbers[term] ?? 0);
      if (only !== undefined && !ruleSet.isMatched(indexOf(only), decision, facts)) return none;
      return ruleSet.matchingNumbers(decision, facts).flatMap((at) => ruleSet.rules[at]?.rule ?? []);
    },
    facts: (decision) => select(decision).map((term) => terms[term]?.term ?? ''),
  };
}
