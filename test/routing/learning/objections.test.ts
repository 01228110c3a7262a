import { describe, expect, test } from 'vitest';
import type { BackTest, Suggestion } from '../../../src/model/routing.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { assertAcceptable, objectionsTo } from '../../../src/routing/learning/objections.ts';
import { failureOf } from '../../support/failureOf.ts';
import { rule } from '../../support/routingRecords.ts';

const target = 'shop/project-root/pay';
const suggested: Pick<Suggestion, 'rule' | 'replaces'> = { rule: { id: 'refunds', any: ['refund'], target } };

const clean: BackTest = {
  ...{ decisions: 9, matched: 3, agreed: 3, disagreed: 0, disagreements: [], shadowedBy: [], freed: 3 },
  share: { before: 0, after: 0.3, of: 9 },
};

function check(
  given: {
    readonly suggestion?: typeof suggested;
    readonly rules?: readonly Rule[];
    readonly test?: Partial<BackTest>;
  },
  expected: readonly [string, RegExp][],
): void {
  const targets = new Set([target, 'shop']);
  const grounds = { rules: given.rules ?? [], targets, backTest: { ...clean, ...given.test } };
  const found = objectionsTo(given.suggestion ?? suggested, grounds);
  expect(found.map(({ code }) => code)).toEqual(expected.map(([code]) => code));
  for (const [at, [, words]] of expected.entries()) expect(found[at]?.message).toMatch(words);
}

const against = 'rule/contradicted';

describe('objections to a suggestion', () => {
  test('are empty for a sound one', () => check({}, []));
  test('include a missing target with the nearest names', () =>
    check({ suggestion: { rule: { ...suggested.rule, target: 'shop/project-root/pai' } } }, [
      ['rule/targetGone', /There is "shop\/project-root\/pay"/],
    ]));
  test('include decisions that went elsewhere', () =>
    check({ test: { disagreed: 2 } }, [[against, /contradicts 2 of the 3 decisions/]]));
  test('include an equal rule unless it is off or replaced', () => {
    const equal = rule('old', { any: ['Refunds'], target });
    check({ rules: [equal] }, [[against, /"old" already says the same/]]);
    check({ rules: [{ ...equal, enabled: false }] }, []);
    check({ rules: [equal], suggestion: { ...suggested, replaces: 'old' } }, []);
  });
  test('include a missing or ambiguous rule to replace', () => {
    check({ suggestion: { ...suggested, replaces: 'old' } }, [[against, /"old", which it would replace/]]);
    const twice = [rule('old', { any: ['a'] }), rule('old', { any: ['b'] })];
    check({ rules: twice, suggestion: { ...suggested, replaces: 'old' } }, [
      [against, /"old", which it would replace/],
    ]);
  });
  test('include matching every message', () => {
    check({ suggestion: { rule: { id: 'all', target } } }, [[against, /takes every message\./]]);
    check({ suggestion: { rule: { id: 'all', target, from: 'blog', none: ['x'] } } }, [
      [against, /takes every message of blog\./],
    ]);
  });
  test('include a rule that leads elsewhere or decides every message, but not one that answers some', () => {
    const shadowedBy = [{ rule: 'old', messages: 2 }];
    check({ rules: [rule('old', { any: ['a'], target: 'shop' })], test: { shadowedBy } }, [
      [against, /leave 2 messages ambiguous/],
    ]);
    check({ rules: [rule('old', { any: ['a'], target })], test: { shadowedBy } }, []);
    check({ rules: [rule('old', { any: ['a'], target })], test: { shadowedBy, matched: 2 } }, [
      [against, /decides every message/],
    ]);
  });
});

test.each([
  [[], false, undefined],
  [[against], false, against],
  [[against], true, undefined],
  [['rule/targetGone'], true, 'rule/targetGone'],
  [[against, 'rule/targetGone'], true, 'rule/targetGone'],
] as const)(
  'accepting a suggestion with the objections %j and override=%s is refused with %s',
  async (objections, isOverridden, code) => {
    const accept = async () =>
      assertAcceptable(
        'id',
        objections.map((one) => ({ code: one, message: 'No.' })),
        isOverridden,
      );
    if (code === undefined) await accept();
    else expect(await failureOf(accept)).toMatchObject({ code, subject: 'id', message: 'No.' });
  },
);
