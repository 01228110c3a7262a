import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Rule } from '../../../src/model/rule.ts';
import { overlaps } from '../../../src/routing/rules/ruleOverlaps.ts';
import { compileRules } from '../../../src/routing/rules/ruleSet.ts';
import { rule } from '../../support/routingRecords.ts';

function check(rules: Partial<Rule>[], expected: string) {
  const found = overlaps(rules.map((of, n) => rule(`r${n}`, of)));
  expect(found.map(({ index, other, isSame }) => `${index} ${isSame ? '=' : '<'} ${other}`).join(', ')).toBe(expected);
}

test.each<[string, Partial<Rule>[], string]>([
  ['the same in other words', [{ all: ['refund', 'card'] }, { all: ['Cards', 'refunds'] }], '1 = 0'],
  ['fewer facts needed', [{ all: ['refund', 'card'] }, { all: ['card'] }], '0 < 1'],
  ['more choices', [{ any: ['refund'] }, { any: ['refund', 'card'] }], '0 < 1'],
  ['a choice that is needed', [{ all: ['refund', 'x'] }, { any: ['refund', 'card'] }], '0 < 1'],
  [
    'more excluded',
    [
      { all: ['refund'], none: ['card', 'x'] },
      { all: ['refund'], none: ['card'] },
    ],
    '0 < 1',
  ],
  ['either type', [{ on: 'query', all: ['refund'] }, { all: ['refund'] }], '0 < 1'],
  [
    'a project of the plan',
    [
      { from: 'Shop/project-root', all: ['a1'] },
      { from: 'Shop', all: ['a1'] },
    ],
    '0 < 1',
  ],
  ['no facts at all', [{ all: ['refund'] }, {}], '0 < 1'],
  ['other facts', [{ all: ['refund'] }, { all: ['card'] }], ''],
  ['other choices', [{ any: ['refund', 'x'] }, { any: ['refund', 'card'] }], ''],
  ['others excluded', [{ all: ['refund'] }, { all: ['refund', 'x'], none: ['card'] }], '1 < 0'],
  [
    'another type',
    [
      { on: 'query', all: ['refund'] },
      { on: 'dispatch', all: ['refund'] },
    ],
    '',
  ],
  [
    'another sender',
    [
      { from: 'Shopping/project-root', all: ['a1'] },
      { from: 'Shop', all: ['a1'] },
    ],
    '',
  ],
  ['what is off', [{ all: ['refund'] }, { all: ['refund'], enabled: false }], ''],
])('%s', (_name, rules, expected) => check(rules, expected));

test('what is covered matches nothing alone', () => {
  const fact = fc.constantFrom('a1', 'b1', 'c1');
  const facts = fc.uniqueArray(fact, { maxLength: 2 });
  const some = fc.record({ all: facts, any: facts, none: facts });
  return fc.assert(
    fc.property(fc.array(some, { maxLength: 6 }), fc.uniqueArray(fact), (conditions, about) => {
      const rules = conditions.map((of, n) => rule(`r${n}`, of));
      const matched = compileRules(rules).matching({ on: 'dispatch', from: 'person', facts: about });
      for (const { index, other } of overlaps(rules)) if (matched.includes(index)) expect(matched).toContain(other);
    }),
  );
});

test('one is found wherever there is one', () => {
  const facts = fc.uniqueArray(fc.constantFrom('a1', 'b1', 'c1'), { maxLength: 2 });
  const some = fc.record({ all: facts, any: facts, none: facts });
  return fc.assert(
    fc.property(fc.array(some, { maxLength: 6 }), (conditions) => {
      const rules = conditions.map((of, n) => rule(`r${n}`, of));
      const alone = overlaps(rules).map(({ index }) => index);
      for (const [index, one] of rules.entries()) {
        const pairs = rules.some(
          (other, at) =>
            at !== index &&
            overlaps([other, one]).some(({ index }) => index === 1) &&
            (at < index || overlaps([one, other]).every(({ isSame }) => !isSame)),
        );
        if (pairs) expect(alone).toContain(index);
      }
    }),
  );
});
