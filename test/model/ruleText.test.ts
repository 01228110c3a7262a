import { expect, test } from 'vitest';
import type { BackTest, SuggestedRule } from '../../src/model/routing.ts';
import { backTestSentence, ruleSentence } from '../../src/model/ruleText.ts';

const rules: readonly (readonly [Omit<SuggestedRule, 'id' | 'target'>, string])[] = [
  [{}, 'everything → shop/billing'],
  [{ all: ['refund', 'invoice'] }, 'refund + invoice → shop/billing'],
  [{ any: ['card'] }, 'card → shop/billing'],
  [
    { on: 'query', from: 'web', any: ['card', 'bank'], none: ['test'] },
    'questions from web about one of card / bank, not test → shop/billing',
  ],
  [{ all: [], any: null }, 'everything → shop/billing'],
  [{ on: 'dispatch', any: ['card'] }, 'tasks about card → shop/billing'],
  [{ on: 'dispatch' }, 'tasks → shop/billing'],
  [{ from: 'web', all: ['card'] }, 'messages from web about card → shop/billing'],
];

test.each(rules)('the rule %j reads “%s”', (rule, words) =>
  expect(ruleSentence({ ...rule, target: 'shop/billing' })).toBe(words),
);

const nothing: BackTest = {
  ...{ decisions: 0, matched: 0, agreed: 0, disagreed: 0, freed: 0 },
  ...{ disagreements: [], shadowedBy: [], share: { before: 0, after: 0, of: 0 } },
};

test.each([
  [{}, 'There are no decisions yet to test it on.'],
  [{ decisions: 1200 }, 'None of 1,200 decisions would have matched.'],
  [
    { decisions: 40, matched: 12, agreed: 12 },
    'Of 40 decisions it would have matched 12: 12 went there, none went elsewhere.',
  ],
  [
    {
      ...{ decisions: 40, matched: 12, agreed: 9, disagreed: 3, freed: 7 },
      ...{ share: { before: 0.5, after: 0.675, of: 40 }, shadowedBy: [{ rule: 'pay', messages: 2 }] },
    },
    'Of 40 decisions it would have matched 12: 9 went there, 3 went elsewhere. 7 messages would have needed no model and no person. Without a model: 50 % → 68 % of the newest 40. The rule pay matches 2 messages of these, too.',
  ],
])('the back test %j reads “%s”', (part, words) => expect(backTestSentence({ ...nothing, ...part })).toBe(words));
