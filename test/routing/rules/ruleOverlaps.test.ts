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
  ['the same rule in other words as equal', [{ all: ['refund', 'card'] }, { all: ['Cards', 'refunds'] }], '1 = 0'],
  ['a rule with fewer facts as wider', [{ all: ['refund', 'card'] }, { all: ['card'] }], '0 < 1'],
  ['a rule with more choices as wider', [{ any: ['refund'] }, { any: ['refund', 'card'] }], '0 < 1'],
  ['a choice among the needed facts as wider', [{ all: ['refund', 'x'] }, { any: ['refund', 'card'] }], '0 < 1'],
  [
    'a rule with fewer exclusions as wider',
    [
      { all: ['refund'], none: ['card', 'x'] },
      { all: ['refund'], none: ['card'] },
    ],
    '0 < 1',
  ],
  ['a rule for either type as wider', [{ on: 'query', all: ['refund'] }, { all: ['refund'] }], '0 < 1'],
  [
    'a rule for the project of the plan as wider',
    [
      { from: 'Shop/project-root', all: ['a1'] },
      { from: 'Shop', all: ['a1'] },
    ],
    '0 < 1',
  ],
  ['a rule without facts as wider', [{ all: ['refund'] }, {}], '0 < 1'],
  ['nothing between rules with other facts', [{ all: ['refund'] }, { all: ['card'] }], ''],
  ['nothing between rules with other choices', [{ any: ['refund', 'x'] }, { any: ['refund', 'card'] }], ''],
  [
    'a rule with fewer facts as wider than one with an exclusion',
    [{ all: ['refund'] }, { all: ['refund', 'x'], none: ['card'] }],
    '1 < 0',
  ],
  [
    'nothing between rules of different types',
    [
      { on: 'query', all: ['refund'] },
      { on: 'dispatch', all: ['refund'] },
    ],
    '',
  ],
  [
    'nothing between rules for different senders',
    [
      { from: 'Shopping/project-root', all: ['a1'] },
      { from: 'Shop', all: ['a1'] },
    ],
    '',
  ],
  ['nothing for a disabled rule', [{ all: ['refund'] }, { all: ['refund'], enabled: false }], ''],
])('overlaps finds %s', (_name, rules, expected) => check(rules, expected));

test('a covered rule never matches alone', () => {
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

test('overlaps finds every rule that another one covers', () => {
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
