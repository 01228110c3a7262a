import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
import type { BackTest, RoutingDecision, RoutingRecord, SuggestedRule } from '../../../src/model/routing.ts';
import { modelFreeSteps, routingSteps } from '../../../src/model/routing.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { routedText } from '../../../src/routing/facts/text.ts';
import { createVocabulary, factsOf } from '../../../src/routing/facts/vocabulary.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import {
  backTest,
  createBackTester,
  createPausingBackTester,
  type TestedRule,
  withSuggestion,
} from '../../../src/routing/learning/backTest.ts';
import { compileRules, decide } from '../../../src/routing/rules/ruleSet.ts';
import { whyRules } from '../../../src/routing/rules/whyRule.ts';
import { decision, recipient, result, rule } from '../../support/routingRecords.ts';

const pay = 'Shop/project-root/pay';
const search = 'Shop/project-root/search';
const docs = 'Docs/project-root';
const recipients = [
  recipient(pay, 'Cards and money'),
  recipient(search, 'Finding products'),
  recipient(docs, 'What we say'),
];
const refunds: SuggestedRule = { id: 'new', all: ['refund'], target: pay };

function indexOf(records: readonly RoutingRecord[]): HistoryIndex {
  const index = new HistoryIndex();
  for (const record of records) index.add(record);
  return index;
}

interface Case {
  readonly records: readonly RoutingRecord[];
  readonly rules?: readonly Rule[];
  readonly tested?: TestedRule;
}

function check({ records, rules = [], tested = { rule: refunds } }: Case, expected: Partial<BackTest>) {
  expect(backTest(indexOf(records), tested, { rules, recipients })).toMatchObject(expected);
}

const body = 'A refund is late';

describe('a back-test of a suggestion', () => {
  test.each<[string, Case, Partial<BackTest>]>([
    [
      'counts a message that went to its target as agreed',
      { records: [decision('m1', { body, to: pay })] },
      { decisions: 1, matched: 1, agreed: 1, disagreed: 0, freed: 1 },
    ],
    [
      'counts a message that went elsewhere as disagreed',
      { records: [decision('m1', { body, to: docs })] },
      { matched: 1, agreed: 0, disagreed: 1 },
    ],
    [
      'counts a message that went to a plan below the target as disagreed',
      {
        records: [decision('m1', { body, to: pay })],
        tested: { rule: { ...refunds, target: 'Shop/project-root' } },
      },
      { matched: 1, agreed: 0, disagreed: 1 },
    ],
    [
      'does not count a message without its facts as matched',
      { records: [decision('m1', { body: 'cards', to: pay })] },
      { decisions: 1, matched: 0, agreed: 0, freed: 0 },
    ],
    [
      'counts a message without a destination as matched only',
      { records: [decision('m1', { body })] },
      { matched: 1, agreed: 0, disagreed: 0, freed: 1 },
    ],
    [
      'ignores a message that named its receiver',
      { records: [decision('m1', { body, to: docs, step: 'direct' })] },
      { matched: 0 },
    ],
    [
      'ignores a message from its own target',
      { records: [decision('m1', { body, to: docs, from: pay as QualifiedId })] },
      { matched: 0 },
    ],
    [
      'counts a message that its target declined as disagreed',
      { records: [decision('m1', { body, to: pay }), result('m1', pay, 'declined')] },
      { matched: 1, agreed: 0, disagreed: 1 },
    ],
    [
      'counts a message that another plan declined as matched only',
      { records: [decision('m1', { body, to: docs }), result('m1', docs, 'declined')] },
      { matched: 1, agreed: 0, disagreed: 0 },
    ],
    [
      'for a project agrees with messages to its plans',
      { records: [decision('m1', { body, to: pay })], tested: { rule: { ...refunds, target: 'Shop' } } },
      { agreed: 1 },
    ],
    [
      'frees no message that a rule already decided',
      { records: [decision('m1', { body, to: pay, step: 'rules' })] },
      { matched: 1, freed: 0 },
    ],
    [
      'frees no message that a rule would decide by now',
      { records: [decision('m1', { body, to: pay })], rules: [rule('old', { any: ['refund'], target: pay })] },
      { matched: 1, freed: 0, shadowedBy: [{ rule: 'old', messages: 1 }] },
    ],
    [
      'frees no message that it makes ambiguous',
      { records: [decision('m1', { body, to: pay })], rules: [rule('old', { any: ['late'], target: docs })] },
      { matched: 1, freed: 0, shadowedBy: [{ rule: 'old', messages: 1 }] },
    ],
    [
      'ignores the rule that it replaces',
      {
        records: [decision('m1', { body, to: pay })],
        rules: [rule('old', { any: ['late'], target: docs })],
        tested: { rule: refunds, replaces: 'old' },
      },
      { matched: 1, freed: 0, shadowedBy: [] },
    ],
    [
      'ignores disabled rules',
      {
        records: [decision('m1', { body, to: pay })],
        rules: [rule('old', { any: ['late'], target: docs, enabled: false })],
      },
      { freed: 1, shadowedBy: [] },
    ],
    [
      'frees no message if it leads out of the named project',
      { records: [decision('m1', { body, named: { 'target-project': 'Docs' } })] },
      { matched: 1, freed: 0 },
    ],
    [
      'without facts matches every message',
      {
        records: [decision('m1', { body: 'x1' }), decision('m2', { body: '' })],
        tested: { rule: { id: 'new', target: pay } },
      },
      { matched: 2 },
    ],
  ])('%s', (_name, given, expected) => check(given, expected));

  test('shows the newest 20 disagreements with their excerpts', () => {
    const records = Array.from({ length: 25 }, (_, n) => decision(`m${n}`, { body: `refund ${n}`, to: docs }));
    const { disagreements } = backTest(indexOf(records), { rule: refunds }, { rules: [], recipients });
    expect(disagreements).toHaveLength(20);
    expect(disagreements[0]).toEqual({
      message: 'm24',
      at: '2026-01-02T03:04:05Z',
      to: docs,
      excerpt: 'refund 24',
      facts: ['refund'],
    });
  });

  test('matches only facts that would be among the first five', () => {
    const rules = ['a1', 'b1', 'c1', 'd1', 'e1'].map((fact) => rule(fact, { any: [fact], target: docs }));
    const records = [
      decision('m1', { body: 'a1 b1 c1 d1 e1 refund' }),
      decision('m2', { body: 'refund a1 b1 c1 d1 e1' }),
    ];
    const { matched } = backTest(indexOf(records), { rule: refunds }, { rules, recipients });
    expect(matched).toBe(1);
  });

  test('gives the share of model-free decisions before and after, over the newest 200', () => {
    const old = Array.from({ length: 50 }, (_, n) => decision(`o${n}`, { body, to: pay }));
    const rules = [rule('late', { any: ['overdue'], target: docs })];
    const recent = Array.from({ length: 200 }, (_, n) => {
      if (n < 20) return decision(`r${n}`, { body, to: pay });
      if (n < 50) return decision(`r${n}`, { body: 'overdue', to: docs, step: 'rules' });
      if (n < 60) return decision(`r${n}`, { body: 'overdue refund', to: docs, step: 'rules' });
      return decision(`r${n}`, { body: 'cards', to: pay, step: n < 100 ? 'direct' : 'person' });
    });
    const { share } = backTest(indexOf([...old, ...recent]), { rule: refunds }, { rules, recipients });
    expect(share).toEqual({ before: 80 / 200, after: (80 + 20 - 10) / 200, of: 200 });
  });

  test('leaves refused messages out of that share', () => {
    const outcome = { kind: 'refused', code: 'message/unknownPlan', reason: 'nobody has that name' } as const;
    const routed = Array.from({ length: 3 }, (_, n) => decision(`m${n}`, { body, to: pay }));
    const refused = Array.from({ length: 300 }, (_, n) => decision(`r${n}`, { body, outcome, step: 'direct' }));
    const { share } = backTest(indexOf([...routed, ...refused]), { rule: refunds }, { rules: [], recipients });
    expect(share).toEqual({ before: 0, after: 1, of: 3 });
  });

  test('gives zeros for an empty history', () => {
    check({ records: [] }, { decisions: 0, matched: 0, share: { before: 0, after: 0, of: 0 } });
  });
});

test('a suggestion replaces the rule that it replaces, or else the end', () => {
  const ids = (replaces: string | undefined) =>
    withSuggestion([rule('a'), rule('b')], rule('new'), replaces)
      .map(({ id }) => id)
      .join(' ');
  expect([ids('a'), ids(undefined), ids('gone')]).toEqual(['new b', 'a b new', 'a b new']);
});

describe('back-tests of random histories', () => {
  const words = [
    'refund',
    'Refunds',
    'accessToken',
    'access token',
    'access',
    'late',
    'card',
    'cards',
    'invoice',
    'search',
    'a1',
    'b1',
    'c1',
    'the',
    'x9',
  ];
  const fact = fc.constantFrom(...words);
  const target = fc.constantFrom(pay, search, docs, 'Shop');
  const conditions = {
    on: fc.constantFrom('dispatch' as const, 'query' as const, undefined),
    from: fc.constantFrom('Shop', docs, undefined, undefined),
    all: fc.option(fc.array(fact, { maxLength: 2 }), { nil: undefined }),
    any: fc.option(fc.array(fact, { maxLength: 3 }), { nil: undefined }),
    none: fc.option(fc.array(fact, { maxLength: 1 }), { nil: undefined }),
    target,
  };
  const rules = fc.array(fc.record({ id: fc.constantFrom('r1', 'r2', 'r3'), enabled: fc.boolean(), ...conditions }), {
    maxLength: 5,
  });
  const message = fc.record({
    body: fc.array(fact, { maxLength: 9 }).map((parts) => parts.join(' ')),
    on: fc.constantFrom('dispatch' as const, 'query' as const),
    from: fc.constantFrom('person', pay, docs) as fc.Arbitrary<RoutingDecision['from']>,
    step: fc.constantFrom(...routingSteps),
    to: fc.constantFrom(pay, search, docs, undefined),
    inProject: fc.boolean(),
    declined: fc.boolean(),
  });

  test('agree with reading and routing every body again', () => {
    return fc.assert(
      fc.property(
        fc.array(message, { maxLength: 12 }),
        rules,
        fc.record({ id: fc.constant('new'), ...conditions }),
        fc.constantFrom('r1', undefined),
        (messages, rules, suggested, replaces) => {
          const decisions = messages.map(({ to, inProject, declined: _, ...rest }, n) =>
            decision(`m${n}`, {
              ...rest,
              ...(to !== undefined && { to }),
              named: inProject ? { 'target-project': 'Shop' } : { target: 'auto' },
            }),
          );
          const results = messages.flatMap(({ to, declined }, n) =>
            to !== undefined && declined ? [result(`m${n}`, to, 'declined')] : [],
          );
          const tested = { rule: suggested, ...(replaces !== undefined && { replaces }) };
          const { disagreements, shadowedBy, share, ...counts } = backTest(
            indexOf([...decisions, ...results]),
            tested,
            { rules, recipients },
          );
          const declined = new Set(results.map(({ message }) => message));
          const naive = naiveBackTest(decisions, declined, { rules, tested });
          expect(counts).toEqual(naive.counts);
          expect(disagreements.map(({ message }) => message)).toEqual(naive.disagreements);
          expect(Object.fromEntries(shadowedBy.map(({ rule, messages }) => [rule, messages]))).toEqual(
            naive.shadowedBy,
          );
          expect([share.before, share.after, share.of]).toEqual(naive.share);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('give the same when a tester is used again on a longer history', () => {
    return fc.assert(
      fc.property(fc.array(message, { minLength: 2, maxLength: 8 }), rules, (messages, rules) => {
        const decisions = messages.map(({ to, inProject: _, declined: __, ...rest }, n) =>
          decision(`m${n}`, { ...rest, ...(to !== undefined && { to }) }),
        );
        const index = indexOf(decisions.slice(1));
        const test = createBackTester(index, { rules, recipients });
        const other = { rule: { id: 'other', any: ['card', 'accessToken'], target: docs } };
        expect(test({ rule: refunds })).toEqual(backTest(index, { rule: refunds }, { rules, recipients }));
        for (const record of decisions) index.add({ ...record, message: `again-${record.message}` as never });
        expect(test(other)).toEqual(backTest(index, other, { rules, recipients }));
      }),
      { numRuns: 50 },
    );
  });
});

/** Reads every body again with the whole vocabulary and asks every rule. */
function naiveBackTest(
  decisions: readonly RoutingDecision[],
  declined: ReadonlySet<string>,
  { rules, tested }: { readonly rules: readonly Rule[]; readonly tested: TestedRule },
) {
  const suggested: Rule = { ...tested.rule, enabled: true };
  const changed = withSuggestion(rules, suggested, tested.replaces);
  const [before, after] = [rules, changed].map((each) => ({
    rules: each,
    vocabulary: createVocabulary({ rules: each, recipients }),
    ruleSet: compileRules(each),
  }));
  if (before === undefined || after === undefined) throw new Error('There are two.');
  const about = (record: RoutingDecision, { vocabulary }: typeof before) => ({
    ...{ on: record.on, from: record.from, within: record.named['target-project'] },
    facts: factsOf(vocabulary, routedText(record)).map(({ fact }) => fact),
  });
  const kind = (record: RoutingDecision, when: typeof before) => decide(when.ruleSet, about(record, when)).kind;
  const counts = { decisions: decisions.length, matched: 0, agreed: 0, disagreed: 0, freed: 0 };
  const disagreements: string[] = [];
  const shadowedBy: Record<string, number> = {};
  let [free, freeAfter] = [0, 0];
  for (const record of decisions) {
    const isFree = modelFreeSteps.includes(record.step);
    const [was, is] = [kind(record, before), kind(record, after)];
    if (isFree) free += 1;
    const asked = record.step !== 'direct' && record.step !== 'scores';
    const staysFree = isFree ? !(was === 'one' && is !== 'one') : was !== 'one' && is === 'one';
    if (asked ? staysFree : isFree) freeAfter += 1;
    if (record.step === 'direct') continue;
    const matched = whyRules(changed, about(record, after))
      .filter(({ matches }) => matches)
      .map(({ rule }) => rule);
    if (!matched.includes(suggested)) continue;
    counts.matched += 1;
    if (!isFree && is === 'one' && was !== 'one') counts.freed += 1;
    for (const id of new Set(matched.filter((rule) => rule !== suggested).map(({ id }) => id)))
      shadowedBy[id] = (shadowedBy[id] ?? 0) + 1;
    if (record.outcome.kind !== 'routed') continue;
    const { to } = record.outcome;
    const isProject = !suggested.target.includes('/');
    const covers = to === suggested.target || (isProject && to.startsWith(`${suggested.target}/`));
    const isWrong = declined.has(record.message) ? to === suggested.target : !covers;
    if (isWrong) disagreements.unshift(record.message);
    if (isWrong) counts.disagreed += 1;
    else if (covers && !declined.has(record.message)) counts.agreed += 1;
  }
  const of = decisions.length;
  return { counts, disagreements, shadowedBy, share: of === 0 ? [0, 0, 0] : [free / of, freeAfter / of, of] };
}

test('a back-test of a long history pauses and gives the same result', () => {
  const index = indexOf(Array.from({ length: 3500 }, (_, at) => decision(`m${at}`, { body, to: pay })));
  const work = createPausingBackTester(index, { rules: [], recipients })({ rule: refunds });
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pauses += 1;
  expect(step.value).toEqual(backTest(index, { rule: refunds }, { rules: [], recipients }));
  expect(pauses).toBe(1 + 3);
});
