import { expect, test } from 'vitest';
import type { Rule } from '../../../src/model/rule.ts';
import { whyRules } from '../../../src/routing/rules/whyRule.ts';
import { rule } from '../../support/routingRecords.ts';

function check(of: Partial<Rule>, because: string, met: number) {
  const [reason] = whyRules([rule('r', of)], { on: 'dispatch', from: 'person', facts: ['refund', 'cards'] });
  expect(reason).toMatchObject({ because, matches: met === 1 });
  expect(reason?.met).toBeCloseTo(met, 2);
}

test.each<[string, Partial<Rule>, string, number]>([
  ['what holds', { all: ['Refunds'], any: ['card', 'bank'] }, 'it is about “Refunds”; it is about “card”', 1],
  ['only what fails when something fails', { all: ['refund', 'bank'] }, 'it is not about “bank”', 0.5],
  ['that none of several choices holds', { any: ['bank', 'iban'] }, 'it is about none of “bank”, “iban”', 0],
  ['which excluded fact it has', { all: ['refund'], none: ['card'] }, 'it is about “card”, which it must not be', 0.5],
  ['that the type differs', { on: 'query', all: ['refund'] }, 'it is for a query and this is a dispatch', 0.5],
  ['that the sender differs', { from: 'Shop', on: 'dispatch' }, 'it is not from Shop', 0.5],
  ['that type and sender match', { from: 'person', on: 'dispatch' }, 'it is a dispatch; it is from person', 1],
  ['that the rule is off', { enabled: false, all: ['refund'] }, 'it is off', 0.5],
  ['that it leads to the sender itself', { target: 'person' }, 'it leads to the sender itself', 0],
  ['that it has no conditions', {}, 'it has no conditions', 1],
])('the reason of a rule says %s', (_name, of, because, met) => check(of, because, met));
