import { compareText } from '../../base/text.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Sender } from '../../model/message.ts';
import type { Candidate } from '../../model/routing.ts';
import type { RoutedType } from '../../model/rule.ts';
import type { ContentScore } from '../content/contentIndex.ts';
import type { PreparedRecipients } from '../facts/preparedRecipients.ts';
import { parseTerm } from '../facts/terms.ts';
import { readWords } from '../facts/text.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import { pastReceivers } from '../history/pastReceivers.ts';
import { isExpert } from '../learning/decisionLabels.ts';
import { liesIn } from '../rules/ruleSet.ts';

/** What a recipient is scored for. */
export interface ScoredMessage {
  readonly on: RoutedType;
  readonly from: Sender;
  readonly facts: readonly string[];
  /** See `routedText`. */
  readonly text: string;
  /** Only recipients of this project. */
  readonly within?: string | undefined;
}

export interface ScoringOptions {
  readonly prepared: PreparedRecipients;
  readonly index?: HistoryIndex;
  /** How much the texts of each recipient speak of the message, by its id. */
  readonly content?: ReadonlyMap<string, ContentScore>;
  /** How many candidates are told. */
  readonly limit?: number;
  /** Other weights than the usual ones, to compare them. */
  readonly weights?: ScoreWeights;
}

/** What each part of a score counts for; together 1. */
export type ScoreWeights = Readonly<Record<'description' | 'facts' | 'content' | 'outcomes', number>>;

export const scoreWeights: ScoreWeights = { description: 0.02, facts: 0.01, content: 0.74, outcomes: 0.23 };

/**
 * Recipients that a message can be for, the most likely first, without a model: how much of its words the description, the
 * id and the tags have (`description`), how many of its facts (`facts`), how much its texts speak of the message
 * (`content`), and how much of it earlier messages said that it kept (`outcomes`). The sender is left out, and so are experts
 * if the message is a task, since experts are asked. Recipients with equal scores are in the order of their ids.
 */
export function scoreCandidates(message: ScoredMessage, options: ScoringOptions): Candidate[] {
  const { prepared, index, content, limit = 5, weights = scoreWeights } = options;
  const stems = stemsOf(message.text);
  const described = describedScores(stems, prepared);
  const named = factScores(message.facts, prepared);
  const outcomes = index === undefined ? undefined : pastReceivers(index, stems);
  const candidates: Candidate[] = [];
  for (const { id } of prepared.recipients) {
    if (id === message.from || (message.within !== undefined && !liesIn(id, message.within))) continue;
    if (message.on === 'dispatch' && isExpert(id)) continue;
    const texts = content?.get(id);
    const past = outcomes?.get(id);
    const raw = {
      ...{ description: described.get(id) ?? 0, facts: named.get(id) ?? 0 },
      ...{ content: texts?.share ?? 0, outcomes: past?.share ?? 0 },
    };
    const words = Math.max(texts?.words ?? 0, past?.words ?? 0);
    const candidate = { ...candidateOf(id, raw, weights), words };
    if (candidate.score > 0) candidates.push(candidate);
  }
  return candidates
    .sort((a, b) => b.score - a.score || compareText(a.recipient, b.recipient))
    .slice(0, limit)
    .map((candidate, at) =>
      withLines(candidate, at < quotedMax ? content?.get(candidate.recipient)?.lines : undefined),
    );
}

/** Candidates of which the lines are told that speak for them: those that a session or a person weighs. */
const quotedMax = 3;

function withLines(candidate: Candidate, lines: Candidate['lines'] = []): Candidate {
  return lines.length === 0 ? candidate : { ...candidate, lines };
}

function candidateOf(recipient: QualifiedId, raw: ScoreWeights, weights: ScoreWeights): Candidate {
  const parts = {
    description: rounded(raw.description * weights.description),
    facts: rounded(raw.facts * weights.facts),
    content: rounded(raw.content * weights.content),
    outcomes: rounded(raw.outcomes * weights.outcomes),
  };
  const score = parts.description + parts.facts + parts.content + parts.outcomes;
  return { recipient, score: rounded(score), parts };
}

/** People read them, and files hold them. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function stemsOf(text: string): Set<string> {
  const { sequence, joined } = readWords(text);
  return new Set([...sequence, ...joined].map(({ stem }) => stem));
}

/** Cosine of the message's words and the recipient's, each by how few recipients have it; 0 to 1. */
function describedScores(stems: ReadonlySet<string>, prepared: PreparedRecipients): Map<string, number> {
  const scores = new Map<string, number>();
  const count = prepared.recipients.length;
  let whole = 0;
  for (const stem of stems) {
    const having = prepared.recipientsWith(stem);
    if (having.length === 0) continue;
    const rarity = Math.log(1 + count / having.length) ** 2;
    whole += rarity;
    for (const number of having) {
      const id = prepared.recipients[number]?.id;
      if (id !== undefined) scores.set(id, (scores.get(id) ?? 0) + rarity);
    }
  }
  for (const [id, score] of scores) scores.set(id, score / whole);
  return scores;
}

/** Share of the facts that a recipient says, the first facts more; 0 to 1. */
function factScores(facts: readonly string[], prepared: PreparedRecipients): Map<string, number> {
  const scores = new Map<string, number>();
  let whole = 0;
  for (const [at, fact] of facts.entries()) {
    const weight = 1 / (at + 1);
    whole += weight;
    const phrase = parseTerm(fact)?.phrases[0] ?? [];
    const sets = phrase.map((stem) => prepared.recipientsWith(stem));
    const [rarest = []] = [...sets].sort((a, b) => a.length - b.length);
    for (const number of rarest) {
      const id = prepared.recipients[number]?.id;
      if (id !== undefined && sets.every((set) => set.includes(number))) scores.set(id, (scores.get(id) ?? 0) + weight);
    }
  }
  for (const [id, score] of scores) scores.set(id, score / whole);
  return scores;
}
