import { genericWords } from '../../src/base/words/stopWords.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import { toFields } from '../../src/model/namedTarget.ts';
import type {
  BackTest,
  Recipient,
  RoutedMessage,
  RoutingDecision,
  RoutingStep,
  Suggestion,
} from '../../src/model/routing.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { ContentIndex } from '../../src/routing/content/contentIndex.ts';
import { type PreparedRecipients, prepareRecipients } from '../../src/routing/facts/preparedRecipients.ts';
import { parseTerm } from '../../src/routing/facts/terms.ts';
import { readWords, routedText, rowOf } from '../../src/routing/facts/text.ts';
import { createVocabulary, factsOf } from '../../src/routing/facts/vocabulary.ts';
import { HistoryIndex } from '../../src/routing/history/historyIndex.ts';
import { createBackTester, withSuggestion } from '../../src/routing/learning/backTest.ts';
import { proposeRules } from '../../src/routing/learning/ruleMining.ts';
import { type RuleKeyParts, stemsOf } from '../../src/routing/rules/ruleKey.ts';
import { compileRules } from '../../src/routing/rules/ruleSet.ts';
import { calibrate, labelledDecisions, weighedLead } from '../../src/routing/scores/calibration.ts';
import { scoreCandidates } from '../../src/routing/scores/scoring.ts';
import { TaskLeads } from '../../src/routing/scores/taskLeads.ts';
import {
  findingsOf,
  type LocalMatch,
  matchWithoutModel,
  type RoutingKnowledge,
} from '../../src/routing/steps/matchWithoutModel.ts';
import type { CorpusMessage } from './routingCorpus.ts';
import { seededRandom } from './seededRandom.ts';

export interface LearningOptions {
  readonly recipients: readonly Recipient[];
  /** What a knowledgeable person would call the concern of each recipient, as a routing session suggests it. */
  readonly concerns: ReadonlyMap<QualifiedId, readonly string[]>;
  /** In the order in which they come. */
  readonly messages: readonly CorpusMessage[];
  readonly seed: number;
  /** How often scores have to be right to decide; without it they never do. */
  readonly precision?: number;
  /** What the recipients are about by their texts, read before; without it they have none. */
  readonly content?: ContentIndex | undefined;
  /** Share of wrong answers of routing sessions, 0 to 1. */
  readonly wrongShare: number;
  /** Decisions between two looks for rules of the history's own. */
  readonly proposeEvery: number;
  /** Messages that come before a receiver declines what is not its own. */
  readonly declineAfter: number;
}

export interface LearningStep {
  readonly id: string;
  readonly step: RoutingStep;
  readonly to: QualifiedId;
  readonly isRight: boolean;
}

export interface LearningRun {
  readonly steps: readonly LearningStep[];
  readonly rules: readonly Rule[];
  readonly suggestions: { readonly accepted: number; readonly refused: number };
  /** Accepted rules that a decision of that time contradicts, found by asking each rule about each message anew. */
  readonly contradicting: readonly string[];
}

/**
 * Plays messages through the steps that cost nothing, as Ravel asks them; what they leave goes to a routing session that knows the
 * right answer and is sometimes wrong, and that suggests a rule of general words of the concern and of words that the message
 * and the descriptions share. A reviewer accepts what the back-test does not contradict. Receivers decline what is not theirs,
 * some messages later.
 */
export function playMessages(options: LearningOptions): Promise<LearningRun> {
  return new Play(options).run();
}

class Play {
  private readonly options: LearningOptions;
  private readonly random: () => number;
  private readonly prepared: PreparedRecipients;
  private readonly index = new HistoryIndex();
  private readonly stems = new Map<string, readonly (string | undefined)[]>();
  private readonly refused: RuleKeyParts[] = [];
  private readonly contradicting: string[] = [];
  private readonly steps: LearningStep[] = [];
  private readonly played: { readonly message: RoutedMessage; readonly to: QualifiedId; declined: boolean }[] = [];
  private readonly taskLeads: TaskLeads | undefined;
  private rules: readonly Rule[] = [];
  private knowledge: RoutingKnowledge;
  private accepted = 0;

  constructor(options: LearningOptions) {
    this.options = options;
    this.random = seededRandom(options.seed);
    this.prepared = prepareRecipients(options.recipients);
    const { content } = options;
    this.taskLeads = content === undefined ? undefined : new TaskLeads({ content });
    this.knowledge = this.prepare();
  }

  async run(): Promise<LearningRun> {
    for (const [at, one] of this.options.messages.entries()) {
      await this.take(at, one);
      this.settleAt(at - this.options.declineAfter);
      if ((at + 1) % this.options.proposeEvery === 0) this.learnFromHistory();
    }
    const { steps, rules, accepted, contradicting } = this;
    return { steps, rules, suggestions: { accepted, refused: this.refused.length }, contradicting };
  }

  private async take(at: number, { id, message, right }: CorpusMessage): Promise<void> {
    const found = await matchWithoutModel(this.knowledge, message, projectNamed(message));
    const free = decideFree(message, found);
    const { step, to } = free ?? { step: 'level-2' as const, to: this.askRouteSession(message, right) };
    this.steps.push({ id, step, to, isRight: to === right });
    this.played.push({ message, to, declined: false });
    this.index.add(decisionOf(message, { at, step, to, found }));
    if (step !== 'level-2') return;
    const suggestion = this.suggest(message, to);
    if (suggestion !== undefined) this.review(suggestion);
  }

  /** Who is wrong takes a plan next to the right one, where there is one. */
  private askRouteSession({ from }: RoutedMessage, right: QualifiedId): QualifiedId {
    if (this.random() >= this.options.wrongShare) return right;
    const others = this.options.recipients.map(({ id }) => id).filter((id) => id !== right && id !== from);
    const near = others.filter((id) => id.split('/')[0] === right.split('/')[0]);
    const among = near.length > 0 ? near : others;
    return among[Math.floor(this.random() * among.length)] ?? right;
  }

  /**
   * A sensible session names what such messages are about in general, and what of this one the descriptions expect there. As
   * its tool makes it do, it suggests words only if this message has one of them, and leaves out what decisions
   * contradict; it suggests none that a rule has already.
   */
  private suggest(message: RoutedMessage, to: QualifiedId): Suggestion | undefined {
    const general = this.options.concerns.get(to) ?? [];
    const said = general.filter((word) => this.says(message, word));
    const fitting = [...this.fittingWords(message, to), ...said];
    if (fitting.length === 0) return undefined;
    const known = new Set(this.rules.filter(({ target }) => target === to).flatMap(({ any }) => stemsOf(any)));
    const words = new Map<string, string>();
    for (const word of [...fitting, ...general]) {
      const key = parseTerm(word)?.key ?? word;
      if (!known.has(key) && !words.has(key) && !this.isContradicted(word, message, to)) words.set(key, word);
    }
    if (words.size === 0 || !fitting.some((word) => words.has(parseTerm(word)?.key ?? word))) return undefined;
    return {
      rule: {
        id: `learned-${message.id.slice(-4)}`,
        on: message.type,
        any: [...words.values()].slice(0, suggestedWordsMax),
        target: to,
      },
      by: 'level-2',
      reason: 'The message speaks of what this plan is for.',
      messages: [message.id],
    };
  }

  /**
   * What the recipient is called in the message, and what it is described with where the message has several words of that;
   * never a word that another recipient has too.
   */
  private fittingWords(message: RoutedMessage, to: QualifiedId): string[] {
    const { sequence, joined } = readWords(routedText(message));
    const names = this.namesOf(to);
    const named = new Set<string>();
    const described = new Map<string, string>();
    for (const { stem, form } of [...sequence, ...joined]) {
      const [only, second] = this.prepared.recipientsWith(stem);
      if (only === undefined || second !== undefined || genericWords.has(form)) continue;
      if (this.prepared.recipients[only]?.id !== to) continue;
      if (names.has(stem)) named.add(form);
      else described.set(stem, form);
    }
    return [...named, ...(described.size > 1 ? described.values() : [])];
  }

  private isContradicted(word: string, { type }: RoutedMessage, target: QualifiedId): boolean {
    return this.played.some(({ message, to, declined }) => {
      if (isAddressed(message)) return false;
      const isAgainst = declined ? to === target : to !== target;
      return isAgainst && message.type === type && this.says(message, word);
    });
  }

  /** Whether a text has a word or a phrase, however it inflects it. */
  private says(message: RoutedMessage, term: string): boolean {
    const stems = this.stems.get(message.id) ?? rowOf(readWords(routedText(message))).map((word) => word?.stem);
    this.stems.set(message.id, stems);
    const phrases = parseTerm(term)?.phrases ?? [];
    return phrases.some((phrase) => stems.some((_, at) => phrase.every((stem, next) => stems[at + next] === stem)));
  }

  private namesOf(recipient: QualifiedId): Set<string> {
    const { names = [] } = this.prepared.recipients.find(({ id }) => id === recipient) ?? {};
    return new Set(names.flatMap((name) => readWords(name).sequence.map(({ stem }) => stem)));
  }

  private learnFromHistory(): void {
    const { recipients } = this.options;
    const proposals = proposeRules(this.index, {
      rules: this.rules,
      recipients,
      prepared: this.prepared,
      refused: this.refused,
    });
    for (const { suggestion } of proposals) this.review(suggestion);
  }

  private review(suggestion: Suggestion): void {
    const test: BackTest = createBackTester(this.index, {
      rules: this.rules,
      recipients: this.options.recipients,
      prepared: this.prepared,
    })(suggestion);
    if (test.disagreed > 0) {
      this.refused.push(suggestion.rule);
      return;
    }
    this.accepted += 1;
    this.rules = withSuggestion(this.rules, { ...suggestion.rule, enabled: true }, suggestion.replaces);
    this.knowledge = this.prepare();
    if (this.contradicts(suggestion.rule.id)) this.contradicting.push(suggestion.rule.id);
  }

  /** The back-test is not believed: the rule alone is asked about each message there was. */
  private contradicts(rule: string): boolean {
    const { rules: set, vocabulary } = this.knowledge;
    return this.played.some(({ message, to, declined }) => {
      if (isAddressed(message)) return false;
      const facts = factsOf(vocabulary, routedText(message)).map(({ fact }) => fact);
      const asked = { on: message.type, from: message.from, facts };
      const mine = set
        .matching(asked)
        .flatMap((number) => set.rules[number]?.rule ?? [])
        .find(({ id }) => id === rule);
      return mine !== undefined && (declined ? mine.target === to : mine.target !== to);
    });
  }

  /** A plan declines a task that is not its own, and makes the others tasks; questions are answered, so no expert does. */
  private settleAt(at: number): void {
    const [step, played] = [this.steps[at], this.played[at]];
    if (step === undefined || played === undefined) return;
    const { message, to } = played;
    played.declined = !step.isRight;
    if (step.isRight && message.type === 'query') return;
    const result = step.isRight ? 'promoted' : 'declined';
    this.index.add({ type: 'result', message: message.id, at: timeOf(at), plan: to, result, reason: '' });
  }

  private prepare(): RoutingKnowledge {
    const { rules, prepared, index } = this;
    const { recipients, precision, content } = this.options;
    return {
      rules: compileRules(rules),
      vocabulary: createVocabulary({ rules, recipients, prepared }),
      score: (message, facts, within) => {
        const text = routedText(message);
        const texts = content?.score(text, { within });
        return scoreCandidates(
          { on: message.type, from: message.from, facts, text, within },
          { prepared, index, limit: 40, ...(texts !== undefined && { content: texts }) },
        );
      },
      weighLead: async (candidates, within) => {
        if (precision === undefined) return undefined;
        const tasks = (await this.taskLeads?.of(within, prepared)) ?? [];
        return weighedLead(candidates, calibrate({ decisions: labelledDecisions(index, within), tasks }, precision));
      },
    };
  }
}

/** As many as the tool of a routing session takes. */
const suggestedWordsMax = 30;

/** What Ravel decides of itself; undefined if a session is asked. */
function decideFree(
  { target }: RoutedMessage,
  { verdict, leader }: LocalMatch,
): Pick<LearningStep, 'step' | 'to'> | undefined {
  if (target.kind === 'plan') return { step: 'direct', to: target.name as QualifiedId };
  if (target.kind === 'expert') return { step: 'direct', to: `expert:${target.name}` as QualifiedId };
  if (verdict.kind === 'one') return { step: 'rules', to: verdict.target as QualifiedId };
  return leader === undefined ? undefined : { step: 'scores', to: leader };
}

/** Rules are not asked about it. */
function isAddressed({ target }: RoutedMessage): boolean {
  return target.kind === 'plan' || target.kind === 'expert';
}

function projectNamed({ target }: RoutedMessage): string | undefined {
  return target.kind === 'project' ? target.name : undefined;
}

function decisionOf(
  message: RoutedMessage,
  {
    at,
    step,
    to,
    found,
  }: { readonly at: number; readonly step: RoutingStep; readonly to: QualifiedId; readonly found: LocalMatch },
): RoutingDecision {
  const { id, type, from, named, reason, body, depth, origin } = toFields(message);
  return {
    ...{ type: 'decision', message: id, at: timeOf(at), on: type, from, named, reason, body, depth, origin },
    ...{ ...findingsOf(found), consulted: [], step },
    ...{ outcome: { kind: 'routed', to }, reasoning: '', durationMs: 0 },
  };
}

function timeOf(at: number): string {
  return new Date(Date.UTC(2026, 10, 1, 8, at)).toISOString();
}

/** Of some steps in a row. */
export interface LearningFigures {
  /** Messages that no model decided, of all; 0 to 1. */
  readonly free: number;
  /** The same of those that do not name their receiver. */
  readonly freeOfUnnamed: number;
  /** Right decisions, of all; 0 to 1. */
  readonly right: number;
  /** How many each step decided, and how many of them were right. */
  readonly bySteps: Readonly<Partial<Record<RoutingStep, { readonly decided: number; readonly right: number }>>>;
}

export function figuresOf(steps: readonly LearningStep[]): LearningFigures {
  const bySteps: Partial<Record<RoutingStep, { decided: number; right: number }>> = {};
  for (const { step, isRight } of steps) {
    const known = bySteps[step] ?? { decided: 0, right: 0 };
    bySteps[step] = { decided: known.decided + 1, right: known.right + (isRight ? 1 : 0) };
  }
  const asked = bySteps['level-2']?.decided ?? 0;
  const unnamed = steps.length - (bySteps.direct?.decided ?? 0);
  return {
    free: share(steps.length - asked, steps.length),
    freeOfUnnamed: share(unnamed - asked, unnamed),
    right: share(steps.filter(({ isRight }) => isRight).length, steps.length),
    bySteps,
  };
}

function share(part: number, of: number): number {
  return of === 0 ? 0 : part / of;
}

/**
 * How far words alone could reach with hindsight: of the messages from `first` on that do not name their receiver, the share
 * with a word that at least `support` messages before them have, all of them for the same right recipient. 0 to 1.
 */
export function reachOf(messages: readonly CorpusMessage[], first: number, support: number): number {
  const recipients = new Map<string, QualifiedId[]>();
  let [asked, reached] = [0, 0];
  for (const [at, { message, right }] of messages.entries()) {
    const { sequence, joined } = readWords(routedText(message));
    const stems = new Set([...sequence, ...joined].map(({ stem }) => stem));
    if (at >= first && !isAddressed(message)) {
      asked += 1;
      const tells = (stem: string) => {
        const before = recipients.get(stem) ?? [];
        return before.length >= support && before.every((recipient) => recipient === right);
      };
      if ([...stems].some(tells)) reached += 1;
    }
    for (const stem of stems) recipients.set(stem, [...(recipients.get(stem) ?? []), right]);
  }
  return share(reached, asked);
}
