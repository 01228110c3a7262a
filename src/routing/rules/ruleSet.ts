import type { Sender } from '../../model/message.ts';
import type { RoutedType, Rule } from '../../model/rule.ts';
import { projectOfSender } from '../../model/senders.ts';
import { factKey, parseTerm } from '../facts/terms.ts';

/** What a rule is asked about a message. */
export interface RuledMessage {
  readonly on: RoutedType;
  readonly from: Sender;
  readonly facts: readonly string[];
  /** The project that the message names; a rule that leaves it makes the message ambiguous. */
  readonly within?: string | undefined;
}

/** `rules` are the ids of those that matched. */
export type RuleVerdict =
  | { readonly kind: 'one'; readonly target: string; readonly rules: readonly string[] }
  | { readonly kind: 'ambiguous'; readonly targets: readonly string[]; readonly rules: readonly string[] }
  | { readonly kind: 'none' };

/** A rule whose facts are keys, so that those that differ in their form only are one. */
export interface CompiledRule {
  readonly rule: Rule;
  readonly all: readonly number[];
  readonly any: readonly number[];
  readonly none: readonly number[];
}

/**
 * The rules that are on, found by the facts they need: each rule lies under the rarest fact of its `all`, or else under each
 * of its `any`, so that a message meets only rules that can match it, however many there are.
 */
export class RuleSet {
  readonly rules: readonly CompiledRule[];
  private readonly numbers: Map<string, number>;
  /** Numbers of facts as messages were about them. */
  private readonly written = new Map<string, number>();
  private readonly byFact: readonly number[][];
  private readonly bySender = new Map<string, number[]>();
  private readonly always: number[] = [];
  /** The round in which a rule was looked at last: under several facts it counts once. */
  private readonly rounds: Uint32Array;
  private round = 0;

  constructor(rules: readonly CompiledRule[], numbers: Map<string, number>) {
    this.rules = rules;
    this.numbers = numbers;
    this.rounds = new Uint32Array(rules.length);
    this.byFact = Array.from({ length: numbers.size + 1 }, () => []);
    const uses = new Uint32Array(numbers.size + 1);
    for (const { all } of rules) for (const fact of all) uses[fact] = (uses[fact] ?? 0) + 1;
    for (const [index, compiled] of rules.entries()) this.file(index, compiled, uses);
  }

  /** The number of a fact in any of its forms; 0 if no rule speaks of it. */
  factNumber(fact: string): number {
    const known = this.written.get(fact);
    if (known !== undefined) return known;
    const key = parseTerm(fact)?.key;
    const number = key === undefined ? 0 : this.numberOfKey(key);
    // What a model calls a fact has no end of forms.
    if (this.written.size >= writtenMax) this.written.clear();
    this.written.set(fact, number);
    return number;
  }

  /** Of a fact whose key is known (see `parseTerm`). */
  numberOfKey(key: string): number {
    return this.numbers.get(key) ?? 0;
  }

  /** Indexes of the rules that match, rising, apart from those that lead to the sender itself. */
  matching(message: RuledMessage): number[] {
    const facts: number[] = [];
    for (const fact of message.facts) {
      const number = this.factNumber(fact);
      if (number !== 0 && !facts.includes(number)) facts.push(number);
    }
    return this.matchingNumbers(message, facts);
  }

  /** The same, of facts that are numbers already. */
  matchingNumbers(message: Pick<RuledMessage, 'on' | 'from'>, facts: readonly number[]): number[] {
    this.round += 1;
    const found: number[] = [];
    for (const fact of facts) this.match(this.byFact[fact], message, facts, found);
    if (this.bySender.size > 0) {
      const { from } = message;
      this.match(this.bySender.get(from), message, facts, found);
      const project = projectOfSender(from);
      if (project !== undefined) this.match(this.bySender.get(project), message, facts, found);
    }
    this.match(this.always, message, facts, found);
    return found.length > 1 ? found.sort((a, b) => a - b) : found;
  }

  /** Whether one rule, by its index, matches; the same as that it is among all that do. */
  isMatched(index: number, message: Pick<RuledMessage, 'on' | 'from'>, facts: readonly number[]): boolean {
    const compiled = this.rules[index];
    return compiled !== undefined && matches(compiled, message, facts);
  }

  private match(
    bucket: readonly number[] | undefined,
    message: Pick<RuledMessage, 'on' | 'from'>,
    facts: readonly number[],
    found: number[],
  ): void {
    if (bucket === undefined) return;
    for (const index of bucket) {
      if (this.rounds[index] === this.round) continue;
      this.rounds[index] = this.round;
      const compiled = this.rules[index];
      if (compiled !== undefined && matches(compiled, message, facts)) found.push(index);
    }
  }

  private file(index: number, { rule, all, any }: CompiledRule, uses: Uint32Array): void {
    const [first] = all;
    if (first !== undefined) {
      const rarest = all.reduce((best, fact) => ((uses[fact] ?? 0) < (uses[best] ?? 0) ? fact : best), first);
      this.fileUnder(rarest, index);
    } else if (any.length > 0) for (const fact of any) this.fileUnder(fact, index);
    else if (rule.from === undefined) this.always.push(index);
    else this.bySender.set(rule.from, [...(this.bySender.get(rule.from) ?? []), index]);
  }

  private fileUnder(fact: number, index: number): void {
    this.byFact[fact]?.push(index);
  }
}

/** Facts whose number is kept; when there are more, all are dropped. */
const writtenMax = 20_000;

/** Rules that are off are not there. */
export function compileRules(rules: readonly Rule[], parse: typeof parseTerm = parseTerm): RuleSet {
  const numbers = new Map<string, number>();
  const compiled = rules.filter(({ enabled }) => enabled).map((rule) => compileRule(rule, numbers, parse));
  return new RuleSet(compiled, numbers);
}

/** Which of the rules decides about a message: all are asked, and those that match must agree. */
export function decide(ruleSet: RuleSet, message: RuledMessage): RuleVerdict {
  const matched: Rule[] = [];
  for (const index of ruleSet.matching(message)) {
    const compiled = ruleSet.rules[index];
    if (compiled !== undefined) matched.push(compiled.rule);
  }
  return ruleVerdict(matched, message.within);
}

/** What rules that all match a message make of it. */
export function ruleVerdict(matched: readonly Pick<Rule, 'id' | 'target'>[], within: string | undefined): RuleVerdict {
  const [first] = matched;
  if (first === undefined) return { kind: 'none' };
  const rules: string[] = [];
  const targets: string[] = [];
  for (const { id, target } of matched) {
    rules.push(id);
    if (!targets.includes(target)) targets.push(target);
  }
  const stays = within === undefined || targets.every((target) => liesIn(target, within));
  return targets.length === 1 && stays
    ? { kind: 'one', target: first.target, rules }
    : { kind: 'ambiguous', targets, rules };
}

/** Whether a rule's target is this project or a plan of it. */
export function liesIn(target: string, project: string): boolean {
  return target === project || target.startsWith(`${project}/`);
}

function compileRule(rule: Rule, numbers: Map<string, number>, parse: typeof parseTerm): CompiledRule {
  const numbered = (facts: readonly string[] | null | undefined) => [
    ...new Set((facts ?? []).map((fact) => numberOf(factKey(fact, parse), numbers))),
  ];
  return { rule, all: numbered(rule.all), any: numbered(rule.any), none: numbered(rule.none) };
}

function numberOf(key: string, numbers: Map<string, number>): number {
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const number = numbers.size + 1;
  numbers.set(key, number);
  return number;
}

function matches(
  { rule, all, any, none }: CompiledRule,
  { on, from }: Pick<RuledMessage, 'on' | 'from'>,
  facts: readonly number[],
): boolean {
  if (rule.on !== undefined && rule.on !== on) return false;
  if (rule.target === from || !isFrom(rule, from)) return false;
  for (const fact of all) if (!facts.includes(fact)) return false;
  if (any.length > 0 && !shares(any, facts)) return false;
  return none.length === 0 || !shares(none, facts);
}

function shares(some: readonly number[], others: readonly number[]): boolean {
  for (const one of some) if (others.includes(one)) return true;
  return false;
}

/** Whether a rule is about what this actor sends: it names the actor, or its project. */
export function isFrom(rule: Pick<Rule, 'from'>, from: Sender): boolean {
  return rule.from === undefined || rule.from === from || rule.from === projectOfSender(from);
}
