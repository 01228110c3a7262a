import { runInSlices } from '../../base/async.ts';
import { CachedPromise } from '../../base/cachedPromise.ts';
import { defined } from '../../base/defined.ts';
import type { Diagnostic } from '../../base/errors.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import type { Approval, Decision } from '../../model/approval.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import type { SuggestionRow } from '../../model/requests/routing.ts';
import type { BackTest, Recipient, Suggestion } from '../../model/routing.ts';
import type { PreparedRecipients } from '../facts/preparedRecipients.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import { formatRule, indexFor, replacedIndex, ruleFields } from '../rules/ruleFile.ts';
import { isKindred, ruleKey, stemsOf } from '../rules/ruleKey.ts';
import type { RulePage, RuleStore } from '../rules/ruleStore.ts';
import { createPausingBackTester } from './backTest.ts';
import { objectionsTo, type RuleObjection } from './objections.ts';
import { parseSuggestion, suggestionOf } from './suggestionDetails.ts';

/** Where suggestions wait for a person, and where it stands how they were decided. */
export interface SuggestionQuestions {
  open(question: {
    readonly kind: 'rule-suggestion';
    readonly subject: string;
    readonly details: unknown;
  }): Promise<Ulid>;
  pending(kind: 'rule-suggestion'): Promise<readonly Approval[]>;
  decided(kind: 'rule-suggestion'): Promise<readonly Decision[]>;
  supersede(approval: Ulid, reason: string): Promise<void>;
}

/** What suggestions are held against. */
export interface BackTestInputs {
  readonly index: HistoryIndex;
  readonly recipients: readonly Recipient[];
  readonly prepared: PreparedRecipients;
  /** Every plan, project and expert that a rule can lead to. */
  readonly targets: ReadonlySet<string>;
}

export interface SuggestionParts {
  readonly ruleStore: RuleStore;
  readonly questions: SuggestionQuestions;
  /** As it is at this moment, with all of the history. */
  readonly backTestInputs: () => Promise<BackTestInputs>;
  /** Rules that the history speaks for. An abort rejects. */
  readonly propose: (backTestInputs: BackTestInputs, options: ProposeOptions) => Promise<readonly Suggestion[]>;
  /** Told that there is no room for another suggestion, once until there is. */
  readonly onDiagnostic: (problem: Diagnostic) => void;
}

export interface ProposeOptions extends Pick<RulePage, 'rules'> {
  readonly refused: readonly Suggestion['rule'][];
  readonly signal: AbortSignal | undefined;
}

/** A suggestion as it stands now. */
export interface TestedSuggestion {
  readonly approval: Approval;
  readonly suggestion: Suggestion;
  readonly backTest: BackTest;
  readonly objections: readonly RuleObjection[];
}

/** The most suggestions that wait at a time: people do not read more, and a useful one is suggested again. */
const pendingMax = 200;

/**
 * Suggested rules that wait for a person. Each is tested against the history whenever it is shown, since the history
 * and the rules keep changing. A suggestion that says the same as an existing rule, a waiting suggestion or a rejected
 * one is not made.
 */
export class Suggestions {
  readonly #parts: SuggestionParts;
  readonly #making = new SerialQueue();
  /** What was rejected, by what it says; of all decisions there ever were, read once. */
  readonly #rejected = new CachedPromise<Map<string, Suggestion['rule']>>();
  /** What waits, by what it says; only the owner of the vault makes suggestions. */
  readonly #waiting = new CachedPromise<Map<string, Ulid>>();
  #isFullReported = false;

  constructor(parts: SuggestionParts) {
    this.#parts = parts;
  }

  /** Asks a person about a rule. Resolves with the question, or undefined if there is nothing to ask. */
  suggest(suggestion: Suggestion): Promise<Ulid | undefined> {
    return this.#making.run(() => this.#suggest(suggestion));
  }

  /** Has the history looked through for rules; those that are new are asked about. */
  async propose(signal?: AbortSignal): Promise<{ readonly suggested: readonly Ulid[]; readonly checked: number }> {
    const backTestInputs = await this.#parts.backTestInputs();
    const rejected = await this.#loadRejected();
    const { rules } = await this.#parts.ruleStore.page();
    const refused = [...rejected.values()];
    const suggested: Ulid[] = [];
    for (const suggestion of await this.#parts.propose(backTestInputs, { rules, refused, signal })) {
      signal?.throwIfAborted();
      const known = new Set((await this.#loadWaiting()).values());
      const made = await this.suggest(suggestion);
      if (made !== undefined && !known.has(made)) suggested.push(made);
    }
    return { suggested, checked: backTestInputs.index.decisions.length };
  }

  /** Everything that waits, as it stands now, the oldest first. */
  async rows(): Promise<readonly SuggestionRow[]> {
    const page = await this.#parts.ruleStore.page();
    const places = this.#parts.ruleStore.places(page);
    const tested = await this.#testAll(page, await this.#pending());
    const groups = groupsOf(tested.map(({ suggestion }) => suggestion.rule));
    return tested.map(({ approval, suggestion, backTest, objections }, at) => {
      const { rule, replaces } = suggestion;
      const replaced = replaces === undefined ? -1 : replacedIndex(page.rules, replaces);
      const index = replaced === -1 ? indexFor(page.rules, rule.target) : replaced;
      const line = replaced === -1 ? places.lineAfter(index) : (places.lines[replaced] ?? places.lineAfter(index));
      return {
        ...{ approval: approval.id, contentHash: approval.contentHash, createdAt: approval.createdAt },
        ...{ suggestion, backTest, objections: objections.map(({ message }) => message) },
        group: tested[groups[at] ?? at]?.approval.id ?? approval.id,
        place: { index, line },
        yaml: formatRule(ruleFields(rule, rule.id), places.column),
      };
    });
  }

  /** One suggestion as it stands now, perhaps with the rule that a person made of it. */
  async test(approval: Approval, rule?: Suggestion['rule']): Promise<TestedSuggestion> {
    const page = await this.#parts.ruleStore.page();
    const given = suggestionOf(approval);
    const [tested] = await this.#testAll(page, [approval], rule === undefined ? given : { ...given, rule });
    if (tested === undefined) throw new TypeError('a suggestion was tested');
    return tested;
  }

  /** Any rule, held against the history. */
  async backTest(rule: Suggestion['rule'], replaces?: string): Promise<BackTest> {
    const [page, backTestInputs] = await Promise.all([this.#parts.ruleStore.page(), this.#parts.backTestInputs()]);
    const test = createPausingBackTester(backTestInputs.index, { ...backTestInputs, rules: page.rules });
    return runInSlices(test({ rule, ...defined({ replaces }) }));
  }

  /** A rule was rejected: neither it nor its equal is suggested again, and those that wait are taken back. */
  async recordRejected(decided: Suggestion, by: Ulid): Promise<void> {
    const key = ruleKey(decided.rule);
    (await this.#loadRejected()).set(key, decided.rule);
    await this.#forget(by);
    for (const other of await this.#pending()) {
      if (other.id === by || ruleKey(suggestionOf(other).rule) !== key) continue;
      await this.#supersede(other.id, `An equal rule was rejected; see the decision ${by}.`);
    }
  }

  /**
   * A rule was accepted and is in the file: similar suggestions that add nothing to it are withdrawn; the others are
   * tested again when they are shown.
   */
  async recordAccepted(accepted: Suggestion['rule'], id: string, by: Ulid): Promise<void> {
    await this.#forget(by);
    const pending = await this.#pending();
    const kindred = pending.filter((other) => other.id !== by && isKindred(accepted, suggestionOf(other).rule));
    const page = await this.#parts.ruleStore.page();
    for (const { approval, suggestion, backTest } of await this.#testAll(page, kindred)) {
      const isEqual = ruleKey(suggestion.rule) === ruleKey(accepted);
      const isAnswered = backTest.shadowedBy.some(({ rule, messages }) => rule === id && messages >= backTest.matched);
      if (!isEqual && !(backTest.matched > 0 && isAnswered)) continue;
      await this.#supersede(approval.id, `The rule "${id}" was accepted and decides the same messages.`);
    }
  }

  async #suggest(suggestion: Suggestion): Promise<Ulid | undefined> {
    const { ruleStore, questions } = this.#parts;
    const { rule } = suggestion;
    if (stemsOf(rule.all).length + stemsOf(rule.any).length === 0) return undefined;
    const key = ruleKey(rule);
    const waiting = await this.#loadWaiting();
    const asked = waiting.get(key);
    if (asked !== undefined) return asked;
    if ((await this.#loadRejected()).has(key)) return undefined;
    const { rules } = await ruleStore.page();
    if (rules.some((known) => known.enabled && ruleKey(known) === key)) return undefined;
    const subject = `Route ${describeFacts(rule)} to ${rule.target}`;
    if (waiting.size >= pendingMax) {
      this.#reportFull(subject);
      return undefined;
    }
    this.#isFullReported = false;
    const id = await questions.open({ kind: 'rule-suggestion', subject, details: suggestion });
    waiting.set(key, id);
    return id;
  }

  async #testAll(
    page: RulePage,
    approvals: readonly Approval[],
    given?: Suggestion,
  ): Promise<readonly TestedSuggestion[]> {
    const { rules } = page;
    const backTestInputs = await this.#parts.backTestInputs();
    const test = createPausingBackTester(backTestInputs.index, { ...backTestInputs, rules });
    const tested: TestedSuggestion[] = [];
    for (const approval of approvals) {
      const suggestion = given ?? suggestionOf(approval);
      const backTest = await runInSlices(test(suggestion));
      const objections = objectionsTo(suggestion, { rules, targets: backTestInputs.targets, backTest });
      tested.push({ approval, suggestion, backTest, objections });
    }
    return tested;
  }

  /** Skips suggestions whose file was changed so that it does not parse; the others are still shown. */
  async #pending(): Promise<readonly Approval[]> {
    const pending = await this.#parts.questions.pending('rule-suggestion');
    return pending.filter(({ details }) => parseSuggestion(details) !== undefined);
  }

  #reportFull(subject: string): void {
    if (this.#isFullReported) return;
    this.#isFullReported = true;
    const message = `${pendingMax} suggested rules are waiting already, so no more are suggested, such as “${subject}”.`;
    this.#parts.onDiagnostic(failure('rule/tooManySuggested', this.#parts.ruleStore.file, message).diagnostic);
  }

  async #supersede(approval: Ulid, reason: string): Promise<void> {
    await this.#parts.questions.supersede(approval, reason);
    await this.#forget(approval);
  }

  async #forget(approval: Ulid): Promise<void> {
    const waiting = await this.#loadWaiting();
    for (const [key, id] of waiting) if (id === approval) waiting.delete(key);
  }

  #loadRejected(): Promise<Map<string, Suggestion['rule']>> {
    return this.#rejected.get(() => this.#readRejected());
  }

  async #readRejected(): Promise<Map<string, Suggestion['rule']>> {
    const made = await this.#parts.questions.decided('rule-suggestion');
    const rejected = made.filter(({ decision }) => decision === 'reject');
    return new Map(
      rejected.flatMap(({ details }) => parseSuggestion(details) ?? []).map(({ rule }) => [ruleKey(rule), rule]),
    );
  }

  #loadWaiting(): Promise<Map<string, Ulid>> {
    return this.#waiting.get(() => this.#readWaiting());
  }

  async #readWaiting(): Promise<Map<string, Ulid>> {
    const pending = await this.#pending();
    return new Map(pending.map((approval) => [ruleKey(suggestionOf(approval).rule), approval.id]));
  }
}

/** The facts of a rule in a few words: `refund, chargeback`. */
export function describeFacts({ all, any }: Suggestion['rule']): string {
  const [every, some] = [(all ?? []).join(' and '), (any ?? []).join(', ')];
  return every === '' || some === '' ? `${every}${some}` : `${every} with ${some}`;
}

/** For each rule the first of those that it is kindred with, also through others. */
function groupsOf(rules: readonly Suggestion['rule'][]): readonly number[] {
  const group = rules.map((_rule, at) => at);
  for (const [at, rule] of rules.entries()) {
    for (const [before, other] of rules.slice(0, at).entries()) {
      const [from, to] = [group[at] ?? at, group[before] ?? before];
      if (from === to || !isKindred(rule, other)) continue;
      const [first, second] = from < to ? [from, to] : [to, from];
      for (const [index, now] of group.entries()) if (now === second) group[index] = first;
    }
  }
  return group;
}
