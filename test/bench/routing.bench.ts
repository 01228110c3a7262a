import type { RoutingDecision } from '../../src/model/routing.ts';
import type { Rule } from '../../src/model/rule.ts';
import { prepareRecipients } from '../../src/routing/facts/preparedRecipients.ts';
import { createVocabulary, factsOf } from '../../src/routing/facts/vocabulary.ts';
import { createBackTester, type TestedRule } from '../../src/routing/learning/backTest.ts';
import { lintRules } from '../../src/routing/rules/ruleLint.ts';
import { compileRules, decide, type RuledMessage } from '../../src/routing/rules/ruleSet.ts';
import { createRandom } from '../support/seededRandom.ts';
import { type Bench, type BenchRow, median, processorMs, round, sized } from './bench.ts';
import { commonWord, decisionAbout, placeId, readHistory, recipients, wordOf } from './madeUpHistory.ts';

/**
 * Half of the rules need two facts, half need one of three. The more rules there are, the more different facts they
 * use.
 */
function makeRules(count: number): Rule[] {
  const random = createRandom(count);
  const fact = () => wordOf(random(Math.max(50, count * 4)));
  return Array.from({ length: count }, (_, n) => ({
    ...{ id: `rule-${n}`, target: placeId(random(recipients.length)), enabled: true },
    ...(n % 2 === 0 ? { all: [fact(), fact()] } : { any: [fact(), fact(), fact()], none: [fact()] }),
  }));
}

function makeBodies(count: number): string[] {
  const random = createRandom(7);
  return Array.from({ length: count }, () =>
    Array.from({ length: 30 + random(60) }, () => commonWord(random)).join(' '),
  );
}

/** A loop that looks up each fact in a map and decides nothing: the limit. */
function lookUpOnly(messages: readonly RuledMessage[], known: ReadonlyMap<string, number>): number {
  let found = 0;
  for (const { facts } of messages) for (const fact of facts) found += known.get(fact) ?? 0;
  return found;
}

function perSecond(count: number, work: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const start = processorMs();
    work();
    return processorMs() - start;
  });
  return (count * 1000) / median(times);
}

/** Decisions per second about messages whose facts are known, and with the time to find the facts. */
function decideAll(
  count: number,
  bodies: readonly string[],
): {
  readonly decisions: number;
  readonly withFacts: number;
  readonly limit: number;
  readonly one: number;
} {
  const rules = makeRules(count);
  const ruleSet = compileRules(rules);
  const vocabulary = createVocabulary({ rules, recipients });
  let messages: RuledMessage[] = [];
  const start = processorMs();
  messages = bodies.map((body) => ({
    on: 'dispatch',
    from: 'person',
    facts: factsOf(vocabulary, body).map(({ fact }) => fact),
  }));
  const readMs = processorMs() - start;
  const all = Array.from({ length: 5 }, () => messages).flat();
  let one = 0;
  const decisions = perSecond(all.length, () => {
    one = 0;
    for (const message of all) if (decide(ruleSet, message).kind === 'one') one += 1;
  });
  const known = new Map(vocabulary.terms.map(({ term }, n) => [term, n]));
  let sum = 0;
  const limit = perSecond(all.length, () => {
    sum += lookUpOnly(all, known);
  });
  const withFacts = 1 / (readMs / 1000 / bodies.length + 1 / decisions);
  return { decisions, withFacts, limit: sum < 0 ? 0 : limit, one: one / all.length };
}

async function runRoute(): Promise<BenchRow> {
  const sizes = [10, 100, 1000, 5000];
  const bodies = makeBodies(sized(20_000, 500));
  const figures = sizes.map((size) => decideAll(size, bodies));
  const [, , thousand] = figures;
  const decisions = thousand?.decisions ?? 0;
  const cost = (at: number) => 1 / (figures[at]?.decisions ?? Number.NaN);
  const growth = cost(3) / cost(2);
  const rules = makeRules(5000);
  const start = processorMs();
  const found = lintRules(rules, { file: 'routing.yaml', names: new Set(recipients.map(({ id }) => id)) });
  const lintMs = processorMs() - start;
  const thousands = (value: number) => `${round(value / 1000, 0)}k`;
  return {
    id: 'route-1000',
    value: Math.round(decisions),
    unit: 'decisions per second',
    goal: '≥ 200,000; five times the rules cost less than five times as much',
    ok: decisions >= 200_000 && growth < 5,
    limit: Math.round(thousand?.limit ?? 0),
    note:
      `processor time; ${bodies.length} messages with their facts, each decided five times; with ${sizes.join(', ')} rules ${figures.map((of) => thousands(of.decisions)).join(', ')}/s, ` +
      `so a decision among 5,000 rules costs ${round(growth, 2)} times one among 1,000; with finding the facts ${figures.map((of) => thousands(of.withFacts)).join(', ')}/s; ` +
      `one target for ${round((thousand?.one ?? 0) * 100, 0)} %; the limit looks up the facts and decides nothing; ` +
      `linting 5,000 rules takes ${round(lintMs, 0)} ms (${found.length} remarks)`,
  };
}

const decisionsCount = sized(100_000, 1_000);

function* decisionsAbout(bodies: readonly string[]): Generator<RoutingDecision> {
  for (const [n, body] of bodies.entries()) {
    yield decisionAbout(n, { body, to: placeId(n), step: n % 3 === 0 ? 'level-2' : 'rules' });
  }
}

/**
 * The time to read every message again, which an index of words saves; measured on a tenth of the messages, times ten.
 */
function readEachMs(rules: readonly Rule[], bodies: readonly string[]): number {
  const vocabulary = createVocabulary({ rules, recipients });
  const ruleSet = compileRules(rules);
  const start = processorMs();
  for (const body of bodies.slice(0, decisionsCount / 10)) {
    const facts = factsOf(vocabulary, body).map(({ fact }) => fact);
    decide(ruleSet, { on: 'dispatch', from: 'person', facts });
  }
  return (processorMs() - start) * 10;
}

async function runBackTest(): Promise<BenchRow> {
  const bodies = makeBodies(decisionsCount);
  const { index, readMs, bytes } = readHistory(decisionsAbout(bodies));
  const rules = makeRules(1000);
  const test = createBackTester(index, { rules, recipients, prepared: prepareRecipients(recipients) });
  const target = placeId(1);
  const suggestions: readonly (readonly [name: string, tested: TestedRule])[] = [
    ['two facts', { rule: { id: 'new', all: [wordOf(40), wordOf(300)], target } }],
    ['a frequent word', { rule: { id: 'new', any: [wordOf(0)], target } }],
    [
      'any of ten words',
      { rule: { id: 'new', any: Array.from({ length: 10 }, (_, n) => wordOf(n * 40)), none: [wordOf(900)], target } },
    ],
    ['a new word', { rule: { id: 'new', any: [wordOf(5990)], target } }],
  ];
  const preparing = processorMs();
  test({ rule: { id: 'warm', any: [wordOf(7)], target } });
  const firstMs = processorMs() - preparing;
  const rows = suggestions.map(([name, tested]) => {
    const times = Array.from({ length: 5 }, () => {
      const began = processorMs();
      test(tested);
      return processorMs() - began;
    });
    return { name, ms: median(times), matched: test(tested).matched };
  });
  const worst = Math.max(...rows.map(({ ms }) => ms));
  const everything = processorMs();
  test({ rule: { id: 'new', target } });
  const everythingMs = processorMs() - everything;
  return {
    id: 'back-test-100k',
    value: round(worst, 1),
    unit: 'ms',
    goal: '< 100 for one suggestion',
    ok: worst < 100,
    limit: round(readEachMs(rules, bodies), 0),
    note:
      `${rows.map(({ name, ms, matched }) => `${name} ${round(ms, 1)} ms (${matched} matched)`).join(', ')}; ` +
      `the first test on a history ${round(firstMs, 0)} ms, a rule without facts ${round(everythingMs, 0)} ms; beside 1,000 rules and ${decisionsCount} decisions; ` +
      `the limit reads every body again; processor time; ${round(bytes / decisionsCount, 0)} bytes for each decision of about 60 words, read in ${round(readMs / 1000, 1)} s`,
  };
}

export const benches: readonly Bench[] = [
  { id: 'route-1000', run: runRoute },
  { id: 'back-test-100k', run: runBackTest },
];
