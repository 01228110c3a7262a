import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RoutingDecision, RoutingRecord } from '../../../src/model/routing.ts';
import type { Rule } from '../../../src/model/rule.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { backTest } from '../../../src/routing/learning/backTest.ts';
import { proposeRules, proposing, type RuleProposal } from '../../../src/routing/learning/ruleMining.ts';
import { type RuleKeyParts, ruleKey } from '../../../src/routing/rules/ruleKey.ts';
import { decision, recipient, result, rule } from '../../support/routingRecords.ts';

const pay = 'Shop/project-root/pay';
const search = 'Shop/project-root/search';
const docs = 'Docs/project-root';
const rust = 'expert:rust';
const recipients = [
  recipient(pay, 'Cards, refunds and chargebacks'),
  recipient(search, 'Finding products'),
  recipient(docs, 'What we say'),
  recipient(rust, 'Borrow checker', ['cargo']),
];

interface Case {
  readonly records: readonly RoutingRecord[];
  readonly rules?: readonly Rule[];
  readonly refused?: readonly RuleKeyParts[];
}

function propose({ records, rules = [], refused = [] }: Case): RuleProposal[] {
  return proposeRules(indexOf(records), { rules, recipients, refused });
}

function indexOf(records: readonly RoutingRecord[]): HistoryIndex {
  const index = new HistoryIndex();
  for (const record of records) index.add(record);
  return index;
}

/** Checks the proposals by target and words. */
function check(given: Case, expected: readonly object[]) {
  const proposals = propose(given);
  const said = proposals.map(({ suggestion: { rule: proposed, replaces } }) => {
    const { id: _named, ...saying } = proposed;
    return { ...saying, ...(replaces !== undefined && { replaces }) };
  });
  expect(said).toEqual(expected);
}

/** Messages of different senders, one for each body. */
function sent(bodies: readonly string[], to: string, more: Partial<RoutingDecision> = {}): RoutingDecision[] {
  return bodies.map((body, at) =>
    decision(`${to}-${body}-${at}`, {
      body,
      to,
      from: at % 2 === 0 ? 'person' : ('Docs/project-root' as never),
      ...more,
    }),
  );
}

const penguins = ['penguin alpha', 'penguins beta', 'the penguin gamma'];

test.each<[string, Case, readonly object[]]>([
  [
    'propose a word that always led to one recipient',
    { records: sent(penguins, pay) },
    [{ any: ['penguin'], target: pay }],
  ],
  ['do not rest on too few messages', { records: sent(penguins.slice(1), pay) }, []],
  [
    'need one message for a word that the descriptions expect',
    { records: sent(['a refund is late'], pay) },
    [{ any: ['refund'], target: pay }],
  ],
  ['do not rest on messages of one sender only', { records: sent(penguins, pay, { from: 'person' }) }, []],
  ['leave out a word that led to two recipients', { records: [...sent(penguins, pay), ...sent(penguins, docs)] }, []],
  [
    'do not rest on messages that their receiver declined',
    { records: [...sent(penguins, pay), result(`${pay}-penguin alpha-0`, pay, 'declined')] },
    [],
  ],
  [
    'do not rest on messages that wait for a person',
    { records: sent(penguins, pay, { outcome: { kind: 'waiting', approval: 'm' as never, reason: '' } }) },
    [],
  ],
  ['leave out a recipient that is gone', { records: sent(penguins, 'Shop/project-root/gone') }, []],
  [
    'join two words when one alone leads to several recipients',
    {
      records: [
        ...sent(['box of penguin', 'box with penguin', 'a penguin in a box'], pay),
        ...sent(['box one', 'boxes two', 'box three'], docs),
        ...sent(['penguin four', 'penguins five', 'penguin six'], search),
      ],
    },
    [{ all: ['penguin'], any: ['box'], target: pay }],
  ],
  [
    'leave out a narrower copy of a rule that covers all its messages',
    {
      records: [
        ...sent(['write blog till', 'post blog till', 'write post', 'blog till write', 'post write till'], docs),
        ...sent(['till one', 'till two', 'tills three'], pay),
      ],
    },
    [{ any: ['write', 'blog', 'post'], target: docs }],
  ],
  [
    'widen the rule of a recipient',
    { records: sent(penguins, pay), rules: [rule('cards', { any: ['card'], target: pay })] },
    [{ any: ['card', 'penguin'], target: pay, replaces: 'cards' }],
  ],
  [
    'leave a disabled rule or one with other conditions alone',
    {
      records: sent(penguins, pay),
      rules: [
        rule('off', { any: ['card'], target: pay, enabled: false }),
        rule('both', { all: ['a1'], any: ['b1'], target: pay }),
      ],
    },
    [{ any: ['penguin'], target: pay }],
  ],
  [
    'leave out what a rule already says',
    { records: sent(penguins, pay, { step: 'rules' }), rules: [rule('known', { any: ['penguins'], target: pay })] },
    [],
  ],
  [
    'leave out what a disabled rule says',
    { records: sent(penguins, pay), rules: [rule('off', { any: ['penguin'], target: pay, enabled: false })] },
    [],
  ],
  [
    'leave out what was refused, in any form',
    { records: sent(penguins, pay), refused: [{ any: ['penguins', 'other'], target: pay }] },
    [],
  ],
  [
    'to experts are for questions only',
    { records: sent(['penguin?', 'penguin??', 'penguin!?'], rust, { on: 'query' }) },
    [{ on: 'query', any: ['penguin'], target: rust }],
  ],
  [
    'exclude the word of an exception',
    {
      records: [
        ...sent(['penguin a1', 'penguin b1', 'penguin c1', 'penguin d1', 'penguin e1'], pay),
        ...sent(['walrus', 'walrus f1', 'walrus penguin', 'walrus g1'], docs),
      ],
    },
    [
      { any: ['penguin'], none: ['walrus'], target: pay },
      { any: ['walrus'], target: docs },
    ],
  ],
])('proposals %s', (_what, given, expected) => {
  check(given, expected);
});

test('a wrong rule is fixed by removing the wrong word', () => {
  const wrong = rule('mixed', { any: ['penguin', 'walrus'], target: pay });
  const records = [
    ...sent(penguins, pay, { step: 'rules', rules: ['mixed'] }),
    decision('w1', { body: 'walrus', to: pay, step: 'rules', rules: ['mixed'] }),
    result('w1', pay, 'declined'),
  ];
  check({ records, rules: [wrong] }, [{ any: ['penguin'], target: pay, replaces: 'mixed' }]);
});

test('a wrong rule is not fixed into a refused one, and is changed once at a time', () => {
  const wrong = rule('mixed', { any: ['penguin', 'walrus'], target: pay });
  const records = [
    ...sent(penguins, pay, { step: 'rules', rules: ['mixed'] }),
    ...sent(['heron alpha', 'a heron beta', 'herons gamma'], pay),
    decision('w1', { body: 'walrus', to: pay, step: 'rules', rules: ['mixed'] }),
    result('w1', pay, 'declined'),
  ];
  check({ records, rules: [wrong] }, [{ any: ['penguin'], target: pay, replaces: 'mixed' }]);
  const refused = [{ any: ['penguin'], target: pay }];
  const words = propose({ records, rules: [wrong], refused }).map(({ suggestion }) => suggestion.rule.any);
  expect(words).not.toContainEqual(['penguin']);
});

test('a wrong rule of one word asks for a second word', () => {
  const wrong = rule('only', { any: ['penguin'], target: pay });
  const records = [
    ...sent(['penguin egg', 'penguin with egg', 'egg of a penguin'], pay, { step: 'rules', rules: ['only'] }),
    decision('p1', { body: 'penguin', to: pay, step: 'rules', rules: ['only'] }),
    result('p1', pay, 'declined'),
  ];
  const [first] = propose({ records, rules: [wrong] });
  expect(first?.suggestion).toMatchObject({
    replaces: 'only',
    rule: { id: 'only', all: ['penguin'], any: ['egg'], target: pay },
  });
});

test('a proposal has its reason, its messages and its support', () => {
  const [proposal] = propose({ records: sent(penguins, pay) });
  expect(proposal).toEqual({
    suggestion: {
      rule: { id: 'to-pay', any: ['penguin'], target: pay },
      by: 'history',
      reason: `3 messages of 2 senders with penguin went to ${pay}, and none elsewhere; 3 of them would have needed no model.`,
      messages: [`${pay}-penguin alpha-0`, `${pay}-penguins beta-1`, `${pay}-the penguin gamma-2`],
    },
    support: 3,
  });
});

test('the id of a new rule is not taken', () => {
  const [proposal] = propose({ records: sent(penguins, pay), rules: [rule('to-pay', { all: ['z1'], target: pay })] });
  expect(proposal?.suggestion.rule.id).toBe('to-pay-2');
});

test('proposals with the most messages come first, up to a limit', () => {
  const records = [...sent(penguins, docs), ...sent(['walrus a1', 'walrus b1', 'walrus c1', 'walrus d1'], pay)];
  const index = indexOf(records);
  const targets = (most: number) =>
    proposeRules(index, { rules: [], recipients, refused: [], most }).map(({ suggestion }) => suggestion.rule.target);
  expect(targets(5)).toEqual([pay, docs]);
  expect(targets(1)).toEqual([pay]);
});

test('proposals for a random history are not contradicted, were not refused and are repeatable', () => {
  const words = ['alpha', 'beta', 'gamma', 'delta', 'penguin', 'walrus', 'refund', 'cargo'];
  const message = fc.record({
    body: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(' ')),
    to: fc.constantFrom(pay, search, docs, rust),
    from: fc.constantFrom('person', docs, search),
    isQuery: fc.boolean(),
    isDeclined: fc.boolean(),
  });
  return fc.assert(
    fc.property(
      fc.array(message, { maxLength: 60 }),
      fc.array(fc.constantFrom(...words), { maxLength: 2 }),
      (sample, no) => {
        const records = sample.flatMap(({ body, to, from, isQuery, isDeclined }, at): RoutingRecord[] => [
          decision(`m${at}`, { body, to, from: from as never, on: isQuery ? 'query' : 'dispatch' }),
          ...(isDeclined && at % 5 === 0 ? [result(`m${at}`, to, 'declined')] : []),
        ]);
        const refused = [{ any: no, target: pay }];
        const rules = [rule('old', { any: ['beta'], target: docs })];
        const proposals = propose({ records, refused, rules });
        expect(propose({ records, refused, rules })).toEqual(proposals);
        for (const { suggestion } of proposals) {
          expect(backTest(indexOf(records), suggestion, { rules, recipients }).disagreed).toBe(0);
          expect(refused.map(ruleKey)).not.toContain(ruleKey(suggestion.rule));
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('proposing from a long history pauses and gives the same result', () => {
  const bodies = Array.from({ length: 3000 }, (_, at) => `penguin ${'abcdefghij'[at % 10]}walrus refund`);
  const index = indexOf(sent(bodies, docs));
  const options = { rules: [], recipients, refused: [] };
  const work = proposing(index, options);
  let pauses = 0;
  let step = work.next();
  for (; step.done !== true; step = work.next()) pauses += 1;
  expect(step.value).toEqual(proposeRules(index, options));
  expect(step.value).toHaveLength(1);
  // One pause for a recipient, and four in the back-test of 3,000 messages.
  expect(pauses).toBeGreaterThanOrEqual(5);
});
