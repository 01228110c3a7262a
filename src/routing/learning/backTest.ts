import { runToEnd } from '../../base/async.ts';
import {
  type BackTest,
  type Disagreement,
  type Recipient,
  routingSteps,
  type Suggestion,
} from '../../model/routing.ts';
import type { Rule } from '../../model/rule.ts';
import { type PreparedRecipients, prepareRecipients } from '../facts/preparedRecipients.ts';
import { type ParsedTerm, parseTerm } from '../facts/terms.ts';
import { type HistoryIndex, isModelFree, type PastDecision } from '../history/historyIndex.ts';
import { liesIn, type RuleVerdict, ruleVerdict } from '../rules/ruleSet.ts';
import { createPastRules, type HistoryMatcher } from './historyMatcher.ts';

export interface BackTestOptions {
  /** As they are, those that are off among them. */
  readonly rules: readonly Rule[];
  readonly recipients: readonly Recipient[];
  /** What is prepared of the recipients, if it is. */
  readonly prepared?: PreparedRecipients;
}

/** What is tested: a rule, and the one that it would replace. */
export type TestedRule = Pick<Suggestion, 'rule' | 'replaces'>;

/** Decisions of which the share without a model is told. */
const recentMax = 200;
const disagreementsMax = 20;
/** Decisions that are looked at between two pauses: a few milliseconds. */
const sliceLength = 1000;

/** A back-test that pauses from time to time, so that the caller can let other work have its turn. */
export type PausingBackTest = Generator<undefined, BackTest>;

/** Holds a suggestion against the history. For several of them `createBackTester` prepares once. */
export function backTest(index: HistoryIndex, suggestion: TestedRule, options: BackTestOptions): BackTest {
  return createBackTester(index, options)(suggestion);
}

/**
 * Tests suggestions against one history, one set of rules and one prepared. Facts are extracted again, with the vocabulary
 * as it would be once the rule is accepted. Only those messages are looked at that have its words: a rule is never asked
 * about a message that names its receiver. `freed` and `share` count what this rule would change and not what the others
 * have changed since.
 */
export function createBackTester(index: HistoryIndex, options: BackTestOptions): (tested: TestedRule) => BackTest {
  const test = createPausingBackTester(index, options);
  return (tested) => runToEnd(test(tested));
}

/** The same, with pauses: what is decided meanwhile may or may not be counted. */
export function createPausingBackTester(
  index: HistoryIndex,
  options: BackTestOptions,
): (tested: TestedRule) => PausingBackTest {
  const prepared = options.prepared ?? prepareRecipients(options.recipients);
  const parse = rememberingParser();
  const { rules } = options;
  let before: { readonly size: number; readonly past: HistoryMatcher } | undefined;
  return function* (tested) {
    const suggested: Rule = { ...tested.rule, enabled: true };
    const changed = withSuggestion(rules, suggested, tested.replaces);
    const size = index.lexicon.size;
    if (before?.size !== size) before = { size, past: createPastRules({ rules, index, prepared, parse }) };
    const after = createPastRules({ rules: changed, index, prepared, parse });
    yield;
    return yield* new Trial(index, suggested, { before: before.past, after }).run(candidates(index, suggested, parse));
  };
}

class Trial {
  private readonly others = new Map<string, number>();
  private readonly disagreements: Disagreement[] = [];
  private readonly index: HistoryIndex;
  private readonly suggested: Rule;
  private readonly rules: { readonly before: HistoryMatcher; readonly after: HistoryMatcher };

  constructor(index: HistoryIndex, suggested: Rule, rules: Trial['rules']) {
    this.index = index;
    this.suggested = suggested;
    this.rules = rules;
  }

  /** `numbers` are those of the decisions that the rule can match, rising. */
  *run(numbers: Iterable<number>): PausingBackTest {
    const counts = { matched: 0, agreed: 0, disagreed: 0, freed: 0 };
    let checked = 0;
    for (const number of numbers) {
      checked += 1;
      if (checked % sliceLength === 0) yield;
      const decision = this.index.decisions[number];
      if (decision === undefined || !asksRules(decision)) continue;
      const matched = this.rules.after.matching(decision, this.suggested);
      if (matched.length === 0) continue;
      counts.matched += 1;
      this.countOthers(matched);
      const judgement = judge(this.suggested.target, decision);
      if (judgement === 'agreed') counts.agreed += 1;
      if (judgement === 'disagreed') {
        counts.disagreed += 1;
        this.recordDisagreement(decision);
      }
      const frees = !isModelFree(decision) && ruleVerdict(matched, decision.within).kind === 'one';
      if (frees && this.verdict('before', decision).kind !== 'one') counts.freed += 1;
    }
    return {
      ...{ decisions: this.index.decisions.length, ...counts, disagreements: this.disagreements.reverse() },
      shadowedBy: [...this.others].map(([rule, messages]) => ({ rule, messages })).sort(byMessages),
      share: this.share(),
    };
  }

  private countOthers(matched: readonly Rule[]): void {
    const ids = matched.filter((rule) => rule !== this.suggested).map(({ id }) => id);
    for (const id of new Set(ids)) this.others.set(id, (this.others.get(id) ?? 0) + 1);
  }

  private recordDisagreement(decision: PastDecision): void {
    const { message, at, to = '', excerpt } = decision;
    this.disagreements.push({ message, at, to, excerpt, facts: this.rules.after.facts(decision) });
    if (this.disagreements.length > disagreementsMax) this.disagreements.shift();
  }

  private verdict(when: 'before' | 'after', decision: PastDecision): RuleVerdict {
    return ruleVerdict(this.rules[when].matching(decision), decision.within);
  }

  /** Of the newest decisions: a new fact can also push another rule's fact out of a message. */
  private share(): BackTest['share'] {
    const recent = newestRouted(this.index.decisions);
    const of = recent.length;
    let [before, after] = [0, 0];
    for (const decision of recent) {
      const free = isModelFree(decision);
      if (free) before += 1;
      if (this.staysFree(decision, free)) after += 1;
    }
    return { before: of === 0 ? 0 : before / of, after: of === 0 ? 0 : after / of, of };
  }

  private staysFree(decision: PastDecision, free: boolean): boolean {
    if (!asksRules(decision) || decision.step === 'scores') return free;
    const [before, after] = [this.verdict('before', decision).kind, this.verdict('after', decision).kind];
    if (free) return !(before === 'one' && after !== 'one');
    return before !== 'one' && after === 'one';
  }
}

/** The newest decisions without refusals, which count in neither share. */
function newestRouted(decisions: readonly PastDecision[]): PastDecision[] {
  const newest: PastDecision[] = [];
  for (let at = decisions.length - 1; at >= 0 && newest.length < recentMax; at--) {
    const decision = decisions[at];
    if (decision !== undefined && !decision.isRefused) newest.push(decision);
  }
  return newest;
}

/** A message that names its receiver goes there. */
function asksRules({ step }: PastDecision): boolean {
  return step !== routingSteps[0];
}

/** A rule for a project is right about each of its plans; one for a plan only about that plan, and not what lies below it. */
function judge(target: string, { to, declined }: PastDecision): 'agreed' | 'disagreed' | 'unknown' {
  if (to === undefined) return 'unknown';
  if (declined) return target === to ? 'disagreed' : 'unknown';
  const isThere = target.includes('/') ? to === target : liesIn(to, target);
  return isThere ? 'agreed' : 'disagreed';
}

function byMessages(a: BackTest['shadowedBy'][number], b: BackTest['shadowedBy'][number]): number {
  return b.messages - a.messages || (a.rule < b.rule ? -1 : 1);
}

/** The rules as they would be; a suggestion replaces the rule that it replaces. */
export function withSuggestion(rules: readonly Rule[], suggested: Rule, replaces: string | undefined): Rule[] {
  const at = replaces === undefined ? -1 : rules.findIndex(({ id }) => id === replaces);
  return at < 0 ? [...rules, suggested] : rules.with(at, suggested);
}

/** Numbers of the decisions that have what the rule needs, rising. */
function candidates(index: HistoryIndex, rule: Rule, parse: typeof parseTerm): Iterable<number> {
  const all = (rule.all ?? []).map(parse);
  const any = (rule.any ?? []).map(parse);
  if (all.length === 0 && any.length === 0) return index.decisions.keys();
  const withAnyFact = () => any.map((term) => decisionsWithFacts(index, term));
  if (all.length === 0) return merged(index, withAnyFact());
  const [rarest = [], ...others] = all
    .map((term) => decisionsWithFacts(index, term))
    .sort((a, b) => a.length - b.length);
  return others.reduce((left, set) => common(left, set), rarest);
}

function decisionsWithFacts(index: HistoryIndex, term: ParsedTerm | undefined): readonly number[] {
  const sets = (term?.phrases ?? []).map((phrase) =>
    phrase
      .map((stem) => index.decisionsWith(index.lexicon.find(stem)))
      .reduce((best, set) => (set.length < best.length ? set : best)),
  );
  return merged(index, sets);
}

/** Both rise. */
function common(left: readonly number[], right: readonly number[]): number[] {
  const both: number[] = [];
  let at = 0;
  for (const number of left) {
    while (at < right.length && (right[at] ?? 0) < number) at++;
    if (right[at] === number) both.push(number);
  }
  return both;
}

/** Rising. The numbers of frequent words are many: they are marked and not sorted. */
function merged({ decisions }: HistoryIndex, sets: readonly (readonly number[])[]): readonly number[] {
  const [only = [], ...others] = sets.filter((set) => set.length > 0);
  if (others.length === 0) return only;
  const marked = new Uint8Array(decisions.length);
  for (const set of [only, ...others]) for (const number of set) marked[number] = 1;
  const found: number[] = [];
  for (let number = 0; number < marked.length; number++) if (marked[number] === 1) found.push(number);
  return found;
}

/** Each fact of many rules is read once, and not for every suggestion. */
function rememberingParser(): typeof parseTerm {
  const known = new Map<string, ParsedTerm | undefined>();
  return (written) => {
    const before = known.get(written);
    if (before !== undefined || known.has(written)) return before;
    const parsed = parseTerm(written);
    known.set(written, parsed);
    return parsed;
  };
}
