import { expect, test } from 'vitest';
import { isKindred, type RuleKeyParts, ruleKey } from '../../../src/routing/rules/ruleKey.ts';

const target = 'Shop/project-root/payments';
const refunds: RuleKeyParts = { any: ['refund', 'chargeback'], target };

test.each([
  [{ any: ['chargebacks', 'Refunds'], target }, true],
  [{ any: ['refund', 'refunds', 'chargeback'], target }, true],
  [{ any: ['refund', 'chargeback'], all: [], none: null, target }, true],
  [{ any: ['refund'], target }, false],
  [{ all: ['refund', 'chargeback'], target }, false],
  [{ ...refunds, none: ['test'] }, false],
  [{ ...refunds, on: 'query' }, false],
  [{ ...refunds, from: 'Shop' }, false],
  [{ ...refunds, target: 'Shop/project-root' }, false],
] satisfies [RuleKeyParts, boolean][])('%j has the same key as the rule for refunds: %s', (other, isSame) => {
  expect(ruleKey(other) === ruleKey(refunds)).toBe(isSame);
});

test.each([
  [{ any: ['refunded', 'money'], target }, true],
  [{ all: ['refund'], on: 'dispatch', target }, true],
  [{ target }, true],
  [{ any: ['invoice'], target }, false],
  [{ ...refunds, target: 'Shop' }, false],
] satisfies [RuleKeyParts, boolean][])('%j is kindred to the rule for refunds: %s', (other, expected) => {
  expect(isKindred(refunds, other)).toBe(expected);
  expect(isKindred(other, refunds)).toBe(expected);
});

test('rules of different types are not kindred', () => {
  expect(isKindred({ ...refunds, on: 'dispatch' }, { ...refunds, on: 'query' })).toBe(false);
});
