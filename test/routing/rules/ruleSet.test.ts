import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { projectOfSender } from '../../../src/model/senders.ts';
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

describe('the verdict of rules', () => {
  const refunds = rule('refunds', { all: ['refund'], target: pay });
  const either = rule('either', { any: ['invoice', 'Refunds'], target: pay });
  const queries = rule('queries', { on: 'query', any: ['refund'], target: docs });
  const careful = rule('careful', { all: ['refund'], none: ['draft'], target: docs });

  test.each<[string, Rule[], Partial<RuledMessage>, string]>([
    ['is the target of a matching rule', [refunds], { facts: ['refund'] }, `${pay} by refunds`],
    ['does not depend on the form of a fact', [refunds], { facts: ['Refunding'] }, `${pay} by refunds`],
    ['names all rules that agree', [refunds, either], { facts: ['refund'] }, `${pay} by refunds, either`],
    [
      'is ambiguous when rules differ',
      [refunds, careful],
      { facts: ['refund'] },
      `${pay} or ${docs} by refunds, careful`,
    ],
    ['skips a rule with an excluded fact', [refunds, careful], { facts: ['refund', 'drafts'] }, `${pay} by refunds`],
    ['needs every fact of `all`', [rule('two', { all: ['refund', 'card'] })], { facts: ['refund'] }, 'none'],
    [
      'needs a fact of `any` beside those of `all`',
      [rule('two', { all: ['refund'], any: ['card'] })],
      { facts: ['refund'] },
      'none',
    ],
    ['skips a rule for another type', [queries], { facts: ['refund'] }, 'none'],
    ['takes a rule for the type', [queries], { facts: ['refund'], on: 'query' }, `${docs} by queries`],
    ['is none without facts', [refunds, either], {}, 'none'],
    ['is none with unknown facts', [refunds, either], { facts: ['other', 'the', ''] }, 'none'],
    ['skips a disabled rule', [rule('off', { all: ['refund'], enabled: false })], { facts: ['refund'] }, 'none'],
    [
      'takes a rule with empty conditions',
      [rule('every', { all: [], any: null })],
      {},
      'shop/project-root/pay by every',
    ],
    ['skips a rule whose fact no text can have', [rule('never', { all: ['the'] })], { facts: ['the'] }, 'none'],
    ['takes a rule that only excludes facts', [rule('but', { none: ['refund'], target: docs })], {}, `${docs} by but`],
    [
      'never leads to the sender',
      [refunds, careful],
      { facts: ['refund'], from: docs as QualifiedId },
      `${pay} by refunds`,
    ],
    [
      'names both rules of a duplicate id',
      [refunds, { ...careful, id: 'refunds' }],
      { facts: ['refund'] },
      `${pay} or ${docs} by refunds, refunds`,
    ],
  ])('%s', (_name, rules, message, expected) => check(rules, message, expected));

  test.each<[string, string | undefined, string, string]>([
    ['takes a rule from a plan for that plan', pay, pay, 'yes'],
    ['skips a rule from a plan for another plan', pay, search, 'no'],
    ['takes a rule from a project for its plan', 'Shop', search, 'yes'],
    ['skips a rule from a project for a plan of another project', 'Sho', search, 'no'],
    ['takes a rule from a person for a person', 'person', 'person', 'yes'],
    ['takes a rule from an expert for that expert', 'expert:rust', 'expert:rust', 'yes'],
    ['skips a rule from an expert for an expert whose id is its prefix', 'expert:rust', 'expert:rus', 'no'],
  ])('%s', (_name, from, sender, expected) => {
    const rules = [rule('r', { from, target: docs })];
    check(rules, { from: sender as QualifiedId }, expected === 'yes' ? `${docs} by r` : 'none');
  });

  test.each<[string, string, string, string]>([
    ['decides for a plan of the named project', 'Shop', pay, `${pay} by r`],
    ['decides for the named project itself', 'Shop', 'Shop', 'Shop by r'],
    ['is ambiguous for a plan outside the named project', 'Sho', pay, `${pay} by r (ambiguous)`],
    ['is ambiguous for an expert outside the named project', 'Shop', 'expert:rust', 'expert:rust by r (ambiguous)'],
  ])('%s', (_name, within, target, expected) => {
    const rules = compileRules([rule('r', { all: ['refund'], target })]);
    const verdict = decide(rules, { on: 'dispatch', from: 'person', facts: ['refund'], within });
    expect(said(verdict) + (verdict.kind === 'ambiguous' ? ' (ambiguous)' : '')).toBe(expected);
  });
});

describe('the verdict of random rules', () => {
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

  test('comes from the same rules with the index as one by one', () => {
    return fc.assert(
      fc.property(fc.array(some, { maxLength: 12 }), message, (rules, about) => {
        const one = whyRules(rules, about).filter(({ matches }) => matches);
        const ruleSet = compileRules(rules);
        const found = ruleSet.matching(about).map((index) => ruleSet.rules[index]?.rule);
        expect(found).toEqual(one.map(({ rule }) => rule));
      }),
    );
  });

  test('does not depend on their order', () => {
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
  'a rule recognises %s in a message about it',
  (written) => {
    const rules = [rule('r', { any: [written], target: docs })];
    const facts = factsOf(createVocabulary({ rules, recipients: [] }), `Look at ${written} please`);
    check(rules, { facts: facts.map(({ fact }) => fact) }, `${docs} by r`);
  },
);

test('a sender is within its project, and a person is in none', () => {
  expect([
    isFrom({ from: undefined }, 'person'),
    projectOfSender('person'),
    projectOfSender(pay as QualifiedId),
  ]).toEqual([...[true, undefined, 'Shop']]);
  expect([liesIn('Shop', 'Shop'), liesIn('Shopping/project-root', 'Shop')]).toEqual([true, false]);
});
