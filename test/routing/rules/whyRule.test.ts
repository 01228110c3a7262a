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
  ['only what fails', { all: ['refund', 'bank'] }, 'it is not about “bank”', 0.5],
  ['none of several', { any: ['bank', 'iban'] }, 'it is about none of “bank”, “iban”', 0],
  ['what it excludes', { all: ['refund'], none: ['card'] }, 'it is about “card”, which it must not be', 0.5],
  ['the type', { on: 'query', all: ['refund'] }, 'it is for a query and this is a dispatch', 0.5],
  ['the sender', { from: 'Shop', on: 'dispatch' }, 'it is not from Shop', 0.5],
  ['the same type and sender', { from: 'person', on: 'dispatch' }, 'it is a dispatch; it is from person', 1],
  ['a rule that is off', { enabled: false, all: ['refund'] }, 'it is off', 0.5],
  ['the sender itself', { target: 'person' }, 'it leads to the sender itself', 0],
  ['nothing at all', {}, 'it has no conditions', 1],
])('says %s', (_name, of, because, met) => check(of, because, met));
