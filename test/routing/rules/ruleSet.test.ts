import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { createVocabulary, factsOf } from '../../../src/routing/facts/vocabulary.ts';
import {
  compileRules,
  decide,
  isFrom,
  liesIn,
  type RuledMessage,
  type RuleVerdict,
} from '../../../src/routing/rules/ruleSet.ts';
import { whyRules } from '../../../src/routing/rules/whyRule.ts';
import { projectOfSender } from '../../../src/routing/senders.ts';
import { rule } from '../../support/routingRecords.ts';

const pay = 'Shop/project-root/pay';
const search = 'Shop/project-root/search';
const docs = 'Docs/project-root';

function check(rules: readonly Rule[], message: Partial<RuledMessage>, expected: string) {
  const verdict = decide(compileRules(rules), { on: 'dispatch', from: 'person', facts: [], ...message });
  expect(said(verdict)).toBe(expected);
}

function said(verdict: RuleVerdict): string {
  if (verdict.kind === 'none') return 'none';
  const targets = verdict.kind === 'one' ? verdict.target : verdict.targets.join(' or ');
  return `${targets} by ${verdict.rules.join(', ')}`;
}

describe('rules', () => {
  const refunds = rule('refunds', { all: ['refund'], target: pay });
  const either = rule('either', { any: ['invoice', 'Refunds'], target: pay });
  const queries = rule('queries', { on: 'query', any: ['refund'], target: docs });
  const careful = rule('careful', { all: ['refund'], none: ['draft'], target: docs });

  test.each<[string, Rule[], Partial<RuledMessage>, string]>([
    ['one that matches routes', [refunds], { facts: ['refund'] }, `${pay} by refunds`],
    ['in any form of the fact', [refunds], { facts: ['Refunding'] }, `${pay} by refunds`],
    ['several that agree route', [refunds, either], { facts: ['refund'] }, `${pay} by refunds, either`],
    [
      'several that differ are ambiguous',
      [refunds, careful],
      { facts: ['refund'] },
      `${pay} or ${docs} by refunds, careful`,
    ],
    ['what is excluded', [refunds, careful], { facts: ['refund', 'drafts'] }, `${pay} by refunds`],
    ['each of all', [rule('two', { all: ['refund', 'card'] })], { facts: ['refund'] }, 'none'],
    ['all and one of any', [rule('two', { all: ['refund'], any: ['card'] })], { facts: ['refund'] }, 'none'],
    ['another type', [queries], { facts: ['refund'] }, 'none'],
    ['its own type', [queries], { facts: ['refund'], on: 'query' }, `${docs} by queries`],
    ['no facts', [refunds, either], {}, 'none'],
    ['unknown facts', [refunds, either], { facts: ['other', 'the', ''] }, 'none'],
    ['off', [rule('off', { all: ['refund'], enabled: false })], { facts: ['refund'] }, 'none'],
    ['empty conditions', [rule('every', { all: [], any: null })], {}, 'shop/project-root/pay by every'],
    ['a condition that no text meets', [rule('never', { all: ['the'] })], { facts: ['the'] }, 'none'],
    ['one that none fails for lack of facts', [rule('but', { none: ['refund'], target: docs })], {}, `${docs} by but`],
    [
      'no rule to the sender',
      [refunds, careful],
      { facts: ['refund'], from: docs as QualifiedId },
      `${pay} by refunds`,
    ],
    [
      'one id twice',
      [refunds, { ...careful, id: 'refunds' }],
      { facts: ['refund'] },
      `${pay} or ${docs} by refunds, refunds`,
    ],
  ])('%s', (_name, rules, message, expected) => check(rules, message, expected));

  test.each<[string, string | undefined, string, string]>([
    ['a plan', pay, pay, 'yes'],
    ['another plan', pay, search, 'no'],
    ['a project', 'Shop', search, 'yes'],
    ['another project', 'Sho', search, 'no'],
    ['a person', 'person', 'person', 'yes'],
    ['an expert', 'expert:rust', 'expert:rust', 'yes'],
    ['no expert is a project', 'expert:rust', 'expert:rus', 'no'],
  ])('from %s', (_name, from, sender, expected) => {
    const rules = [rule('r', { from, target: docs })];
    check(rules, { from: sender as QualifiedId }, expected === 'yes' ? `${docs} by r` : 'none');
  });

  test.each<[string, string, string, string]>([
    ['a plan of it', 'Shop', pay, `${pay} by r`],
    ['it itself', 'Shop', 'Shop', 'Shop by r'],
    ['another', 'Sho', pay, `${pay} by r (ambiguous)`],
    ['an expert', 'Shop', 'expert:rust', 'expert:rust by r (ambiguous)'],
  ])('a named project is not left: to %s', (_name, within, target, expected) => {
    const rules = compileRules([rule('r', { all: ['refund'], target })]);
    const verdict = decide(rules, { on: 'dispatch', from: 'person', facts: ['refund'], within });
    expect(said(verdict) + (verdict.kind === 'ambiguous' ? ' (ambiguous)' : '')).toBe(expected);
  });
});

describe('whatever the rules', () => {
  const fact = fc.constantFrom('refund', 'Refunds', 'invoice', 'access token', 'accessTokens', 'card', 'the', 'search');
  const facts = fc.option(fc.array(fact, { maxLength: 3 }), { nil: undefined });
  const sender = fc.constantFrom('person', pay, search, docs, 'expert:rust') as fc.Arbitrary<RuledMessage['from']>;
  const some = fc.record({
    id: fc.string({ minLength: 1, maxLength: 3 }),
    on: fc.constantFrom('dispatch' as const, 'query' as const, undefined),
    from: fc.constantFrom('Shop', 'person', docs, undefined),
    all: facts,
    any: facts,
    none: facts,
    target: fc.constantFrom(pay, search, docs, 'Shop'),
    enabled: fc.boolean(),
  });
  const message = fc.record({
    on: fc.constantFrom('dispatch' as const, 'query' as const),
    from: sender,
    facts: fc.array(fact, { maxLength: 5 }),
    within: fc.constantFrom('Shop', undefined),
  });

  test('the index finds those that match one by one', () => {
    return fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), message, (rules, about) => {
        const one = whyRules(rules, about).filter(({ matches }) => matches);
        const ruleSet = compileRules(rules);
        const found = ruleSet.matching(about).map((index) => ruleSet.rules[index]?.rule);
        expect(found).toEqual(one.map(({ rule }) => rule));
      }),
    );
  });

  test('their order does not matter', () => {
    const order = (verdict: RuleVerdict) => {
      if (verdict.kind === 'none') return verdict;
      const rules = [...verdict.rules].sort();
      return verdict.kind === 'one'
        ? { ...verdict, rules }
        : { ...verdict, rules, targets: [...verdict.targets].sort() };
    };
    return fc.assert(
      fc.property(fc.array(some, { maxLength: 8 }), message, fc.nat(), (rules, about, turn) => {
        const turned = [
          ...rules.slice(turn % (rules.length + 1)),
          ...rules.slice(0, turn % (rules.length + 1)),
        ].reverse();
        expect(order(decide(compileRules(turned), about))).toEqual(order(decide(compileRules(rules), about)));
      }),
    );
  });
});

test.each(['accessToken', 'OAuth', 'check-out', 'Point of Sale', 'C++', 'Café', '退款'])(
  'a rule knows the fact of %s again',
  (written) => {
    const rules = [rule('r', { any: [written], target: docs })];
    const facts = factsOf(createVocabulary({ rules, places: [] }), `Look at ${written} please`);
    check(rules, { facts: facts.map(({ fact }) => fact) }, `${docs} by r`);
  },
);

test('helpers', () => {
  expect([
    isFrom({ from: undefined }, 'person'),
    projectOfSender('person'),
    projectOfSender(pay as QualifiedId),
  ]).toEqual([...[true, undefined, 'Shop']]);
  expect([liesIn('Shop', 'Shop'), liesIn('Shopping/project-root', 'Shop')]).toEqual([true, false]);
});
