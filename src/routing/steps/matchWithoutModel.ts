import { defined } from '../../base/defined.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Candidate, Findings, RoutedMessage, WeighedLead } from '../../model/routing.ts';
import { routedText } from '../facts/text.ts';
import { factsOf, type Vocabulary } from '../facts/vocabulary.ts';
import { decide, type RuleSet, type RuleVerdict } from '../rules/ruleSet.ts';

/** What is known at this moment about where messages go. */
export interface RoutingKnowledge {
  readonly rules: RuleSet;
  readonly vocabulary: Vocabulary;
  /** Whom a message could be for, the likeliest first; only of `within` if that is said. */
  score(message: RoutedMessage, facts: readonly string[], within: string | undefined): readonly Candidate[];
  /** How far the first is ahead, and how far it has to be to decide; undefined if scores decide nothing. */
  weighLead(candidates: readonly Candidate[], within: string | undefined): Promise<WeighedLead | undefined>;
}

/** What is found out about a message without a model: by rules, then by scores. */
export interface LocalMatch extends Omit<Findings, 'consulted'> {
  readonly verdict: RuleVerdict;
  /** The best candidate, if its lead is enough: it decides if no rule does. */
  readonly leader?: QualifiedId;
}

/** What of it is kept with the message, and with the decision about it. */
export function findingsOf({
  facts,
  extractor,
  rules,
  candidates,
  scoreLead,
}: Omit<Findings, 'consulted'>): Omit<Findings, 'consulted'> {
  return { facts, extractor, rules, candidates, ...defined({ scoreLead }) };
}

/** `given` are facts that a model found; if it said nothing, and was not asked, the words of the vault are looked for. */
export async function matchWithoutModel(
  knowledge: RoutingKnowledge,
  message: RoutedMessage,
  within: string | undefined,
  given?: readonly string[],
): Promise<LocalMatch> {
  const facts = given ?? factsOf(knowledge.vocabulary, routedText(message)).map(({ fact }) => fact);
  const { type: on, from } = message;
  const verdict = decide(knowledge.rules, { on, from, facts, ...defined({ within }) });
  const candidates = knowledge.score(message, facts, within).filter(({ recipient }) => recipient !== from);
  const scoreLead = await knowledge.weighLead(candidates, within);
  const isEnough = scoreLead?.threshold !== undefined && scoreLead.ahead >= scoreLead.threshold;
  const leader = isEnough ? candidates[0]?.recipient : undefined;
  return {
    facts,
    extractor: given === undefined ? 'vocabulary' : 'model',
    rules: verdict.kind === 'none' ? [] : verdict.rules,
    verdict,
    candidates: candidates.slice(0, candidatesMax),
    ...defined({ scoreLead, leader }),
  };
}

/** Candidates that a decision keeps. */
const candidatesMax = 10;
