import { defined } from '../../base/defined.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Candidate, Findings, RoutedMessage } from '../../model/routing.ts';
import { routedText } from '../facts/text.ts';
import { factsOf, type Vocabulary } from '../facts/vocabulary.ts';
import { decide, type RuleSet, type RuleVerdict } from '../rules/ruleSet.ts';

/** What is known at this moment about where messages go. */
export interface RoutingKnowledge {
  readonly rules: RuleSet;
  readonly vocabulary: Vocabulary;
  /** Whom a message could be for, the likeliest first; only of `within` if that is said. */
  score(message: RoutedMessage, facts: readonly string[], within: string | undefined): readonly Candidate[];
  /** The one that is clearly ahead of all others, as far as the settings allow that to decide. */
  clearLead(candidates: readonly Candidate[]): QualifiedId | undefined;
}

/** What is found out about a message without a model: by rules, then by scores. */
export interface LocalMatch extends Omit<Findings, 'consulted'> {
  readonly verdict: RuleVerdict;
  /** It decides if no rule does; an ambiguity does not decide. */
  readonly lead?: QualifiedId;
}

/** `given` are facts that a model found; if it said nothing, and was not asked, the words of the vault are looked for. */
export function matchWithoutModel(
  knowledge: RoutingKnowledge,
  message: RoutedMessage,
  within: string | undefined,
  given?: readonly string[],
): LocalMatch {
  const facts = given ?? factsOf(knowledge.vocabulary, routedText(message)).map(({ fact }) => fact);
  const { type: on, from } = message;
  const verdict = decide(knowledge.rules, { on, from, facts, ...defined({ within }) });
  const candidates = knowledge.score(message, facts, within).filter(({ recipient }) => recipient !== from);
  const lead = knowledge.clearLead(candidates);
  return {
    facts,
    extractor: given === undefined ? 'vocabulary' : 'model',
    rules: verdict.kind === 'none' ? [] : verdict.rules,
    verdict,
    candidates: candidates.slice(0, candidatesMax),
    ...defined({ lead }),
  };
}

/** Candidates that a decision keeps. */
const candidatesMax = 10;
