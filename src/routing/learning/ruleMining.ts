import { runToEnd } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import { plural } from '../../base/text.ts';
import { allocateSlug } from '../../model/id.ts';
import type { BackTest, Recipient, SuggestedRule, Suggestion } from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import { type PreparedRecipients, prepareRecipients } from '../facts/preparedRecipients.ts';
import { parseTerm } from '../facts/terms.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import { distinctPart } from '../rules/ruleFile.ts';
import { type RuleKeyParts, ruleKey, stemsOf } from '../rules/ruleKey.ts';
import { createPausingBackTester, type PausingBackTest, type TestedRule } from './backTest.ts';
import type { Split } from './decisionLabels.ts';
import { byStrength, draftRules, type RuleDraft, type RuleDraftOptions, secondWords } from './ruleDrafts.ts';
import { distinctWords, gatherEvidence, type HistoryEvidence } from './wordEvidence.ts';

/** A rule that Ravel found in the history by itself, before a person was asked about it. */
export interface RuleProposal {
  readonly suggestion: Suggestion;
  /** Messages of the history that speak for it. */
  readonly support: number;
}

export interface ProposalOptions {
  /** As they are, those that are off among them. */
  readonly rules: readonly Rule[];
  readonly recipients: readonly Recipient[];
  readonly prepared?: PreparedRecipients;
  /** What people refused: it is not proposed again, and neither is a part of it. */
  readonly refused: readonly RuleKeyParts[];
  /** Proposals at a time; a person reads each of them. */
  readonly most?: number;
}

/** Messages that have to speak for a word before a rule names it; descriptions that expect it count as some of them. */
const supportMin = 3;
const proposalsMax = 20;
/** Drafts that are held against the history at a time; what is left comes next time. */
const draftsMax = 40;
const triesMax = 4;
const messagesMax = 20;
const noneMax = 5;
const secondsMax = 12;
/** Messages with a word that are looked at for what else they have. */
const newestMax = 2000;

/**
 * Rules that the history speaks for, those with most support first: words whose messages always went to one recipient, by
 * themselves or together with a second word. A recipient that has a rule gets a wider one in its stead, and a rule that the
 * history contradicts a narrower one, so that the file stays short. Nothing is proposed that a recorded decision
 * contradicts, that was refused, or that would free no message. The same history gives the same proposals. The time grows
 * with the words of the history and with `most`.
 */
export function proposeRules(index: HistoryIndex, options: ProposalOptions): RuleProposal[] {
  return runToEnd(proposing(index, options));
}

/** The same, with pauses every few milliseconds: a long history is never looked through in one go. */
export function* proposing(index: HistoryIndex, options: ProposalOptions): Generator<undefined, RuleProposal[]> {
  const { rules, recipients, refused, most = proposalsMax } = options;
  const prepared = options.prepared ?? prepareRecipients(recipients);
  const evidence = yield* gatherEvidence(index, { recipients, prepared, leastMessages: supportMin });
  const draftOptions: RuleDraftOptions = { rules, refused, evidence, supportMin };
  const test = createPausingBackTester(index, { rules, recipients, prepared });
  const settler = new DraftNarrower(index, evidence, test);
  const unwanted = new Set([...refused, ...rules].map(ruleKey));
  const taken = new Set(rules.map(({ id }) => id));
  const replaced = new Set<string>();
  const proposals: RuleProposal[] = [];
  const covering: RuleDraft[] = [];
  const drafts = yield* draftRules(index, draftOptions);
  for (const draft of drafts.slice(0, draftsMax)) {
    if (proposals.length >= most) break;
    // A rule that was corrected is widened only after people have seen the result.
    if (draft.replaces !== undefined && replaced.has(draft.replaces.id)) continue;
    const settled = yield* settler.settle(draft);
    if (settled === undefined || unwanted.has(ruleKey(toRule(settled.draft, '')))) continue;
    if (yield* settler.isCovered(settled.draft, covering)) continue;
    covering.push(settled.draft);
    const id = draft.replaces?.id ?? allocateSlug(`to ${distinctPart(draft.target)}`, taken, 'rule');
    taken.add(id);
    if (draft.replaces !== undefined) replaced.add(id);
    proposals.push(proposalOf(index, { ...settled, id }));
  }
  return proposals;
}

interface Settled {
  readonly draft: RuleDraft;
  readonly backTest: BackTest;
}

/** Makes of a draft what no recorded decision contradicts, or nothing. */
class DraftNarrower {
  private readonly index: HistoryIndex;
  private readonly evidence: HistoryEvidence;
  private readonly test: (tested: TestedRule) => PausingBackTest;

  constructor(index: HistoryIndex, evidence: HistoryEvidence, test: DraftNarrower['test']) {
    this.index = index;
    this.evidence = evidence;
    this.test = test;
  }

  *settle(first: RuleDraft): Generator<undefined, Settled | undefined> {
    let draft = first;
    for (let tries = 0; tries < triesMax; tries += 1) {
      if (draft.any.length === 0) return undefined;
      const backTest = yield* this.test({
        rule: toRule(draft, draft.replaces?.id ?? '(proposed)'),
        ...defined({ replaces: draft.replaces?.id }),
      });
      if (backTest.disagreed === 0) return this.isWorthIt(draft, backTest) ? { draft, backTest } : undefined;
      draft = yield* this.narrowed(draft, backTest);
    }
    return undefined;
  }

  /** Whether another draft alone leads all messages that support this one to its target: a copy would be useless. */
  *isCovered(draft: RuleDraft, others: readonly RuleDraft[]): Generator<undefined, boolean> {
    if (draft.support.length === 0) return false;
    for (const other of others) {
      if (other.target !== draft.target || other.none.some((fact) => !draft.none.includes(fact))) continue;
      const led = yield* this.agreeingDecisions(other);
      const firsts = other.all.map((fact) => new Set(this.split(fact, other.target).agreeing));
      if (draft.support.every((number) => led.has(number) && firsts.every((first) => first.has(number)))) return true;
    }
    return false;
  }

  /** A rule that only corrects another does not free new messages; it stops wrong decisions. */
  private isWorthIt(draft: RuleDraft, { freed }: BackTest): boolean {
    return draft.corrects
      ? draft.replaces === undefined || ruleKey(toRule(draft, '')) !== ruleKey(draft.replaces)
      : freed > 0;
  }

  /** Without the messages that contradict it: by a word that only they have, or else without the words that they have. */
  private *narrowed(draft: RuleDraft, { disagreements }: BackTest): Generator<undefined, RuleDraft> {
    const none = new Set(draft.none);
    const dropped = new Set<string>();
    const mine = yield* this.agreeingDecisions(draft);
    for (const { message, facts } of disagreements) {
      yield;
      const keys = new Set(facts.map((fact) => parseTerm(fact)?.key ?? fact));
      const offending = draft.any.filter((fact) => keys.has(parseTerm(fact)?.key ?? fact));
      const excuse =
        none.size < noneMax && this.isEstablished(draft, offending)
          ? this.foreignWord(draft, message, mine)
          : undefined;
      if (excuse !== undefined) none.add(excuse);
      else for (const fact of offending) dropped.add(fact);
    }
    const kept = draft.any.filter((fact) => !dropped.has(fact));
    if (kept.length === 0 && draft.corrects && draft.all.length === 0) return this.withSecondWords(draft);
    return { ...draft, any: kept, none: [...none] };
  }

  /** The most telling of its words, now together with another one of the messages that it was right about. */
  private withSecondWords(draft: RuleDraft): RuleDraft {
    const words = draft.any
      .map((fact) => ({ fact, ...this.split(fact, draft.target) }))
      .sort((a, b) => b.agreeing.length - a.agreeing.length);
    const [first] = words;
    if (first === undefined) return { ...draft, any: [] };
    const { lexicon } = this.index;
    const word = lexicon.find(parseTerm(first.fact)?.key ?? '');
    const seconds = secondWords(this.index, this.evidence, { recipient: draft.target, anchor: first })
      .filter((second) => second.word !== word)
      .sort(byStrength)
      .slice(0, secondsMax);
    return { ...draft, all: [first.fact], any: seconds.map((second) => lexicon.formOf(second.word)) };
  }

  /** Whether enough messages support the words to keep them despite an exception. */
  private isEstablished({ target }: RuleDraft, facts: readonly string[]): boolean {
    return facts.every((fact) => {
      const { agreeing, against } = this.split(fact, target);
      return agreeing.length >= supportMin && agreeing.length >= 3 * against.length;
    });
  }

  /** A word of the message that belongs to another recipient, and that none of the messages `mine` has. */
  private foreignWord(draft: RuleDraft, message: string, mine: ReadonlySet<number>): string | undefined {
    const decision = this.index.find(message);
    if (decision?.to === undefined || decision.to === draft.target) return undefined;
    const theirs = this.evidence.byRecipient.get(decision.to) ?? [];
    const words = new Set(distinctWords(decision));
    const [found] = theirs
      .filter(({ word, opposed }) => opposed === 0 && words.has(word))
      .filter(({ word }) => !this.index.decisionsWith(word).some((number) => mine.has(number)))
      .sort(byStrength);
    return found === undefined ? undefined : this.index.lexicon.formOf(found.word);
  }

  /** The messages for the target that the draft's words are in. */
  private *agreeingDecisions({ any, target }: RuleDraft): Generator<undefined, Set<number>> {
    const decisions = new Set<number>();
    for (const fact of any) {
      yield;
      for (const number of this.split(fact, target).agreeing.slice(-newestMax)) decisions.add(number);
    }
    return decisions;
  }

  private split(fact: string, target: string): Split {
    return this.evidence.labels.split(this.numbersWith(fact), target);
  }

  private numbersWith(fact: string): readonly number[] {
    const stem = parseTerm(fact)?.phrases[0]?.[0] ?? '';
    return this.index.decisionsWith(this.index.lexicon.find(stem));
  }
}

function toRule({ on, all, any, none, target }: RuleDraft, id: string): SuggestedRule {
  return {
    id,
    ...defined({ on }),
    ...(all.length > 0 && { all: [...all] }),
    any: [...any],
    ...(none.length > 0 && { none: [...none] }),
    target,
  };
}

function proposalOf(index: HistoryIndex, { draft, backTest, id }: Settled & { readonly id: string }): RuleProposal {
  const decisions = draft.support.flatMap((number) => index.decisions[number] ?? []);
  const support = decisions.length;
  const senders = new Set(decisions.map(({ from }) => from));
  return {
    suggestion: {
      rule: toRule(draft, id),
      ...defined({ replaces: draft.replaces?.id }),
      by: 'history',
      reason: reasonOf(draft, { support, senders: senders.size, freed: backTest.freed }),
      messages: decisions.slice(-messagesMax).map(({ message }) => message),
    },
    support,
  };
}

function reasonOf(
  { any, target, replaces, corrects }: RuleDraft,
  { support, senders, freed }: { readonly support: number; readonly senders: number; readonly freed: number },
): string {
  if (corrects) return `What became of messages contradicts the rule ${replaces?.id}; without its exceptions it holds.`;
  const before = new Set(stemsOf(replaces?.any));
  const fresh = any.filter((fact) => !before.has(stemsOf([fact])[0] ?? fact));
  const words = fresh.slice(0, wordsShownMax).join(', ');
  const more = fresh.length > wordsShownMax ? ` and ${plural(fresh.length - wordsShownMax, 'more word')}` : '';
  const from = senders === 1 ? 'one sender' : `${senders} senders`;
  const what = support === 1 ? 'One message' : `${support} messages`;
  const freeing = freed === 1 ? 'one of them' : `${freed} of them`;
  return `${what} of ${from} with ${words}${more} went to ${target}, and none elsewhere; ${freeing} would have needed no model.`;
}

/** Words that the reason of a suggestion names. */
const wordsShownMax = 8;
