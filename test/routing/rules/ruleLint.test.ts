import { expect, test } from 'vitest';
import type { Rule } from '../../../src/model/rule.ts';
import { type LintOptions, lintRules } from '../../../src/routing/rules/ruleLint.ts';
import { rule } from '../../support/routingRecords.ts';
import { workOf } from '../../support/workOf.ts';

const names = new Set(['Shop', 'Shop/project-root', 'Shop/project-root/pay', 'Docs/project-root', 'expert:rust']);
const target = 'Shop/project-root/pay';

function check(rules: Partial<Rule>[], expected: string[], more: Partial<LintOptions> = {}) {
  const written = rules.map((of, n) => rule(`r${n}`, { target, ...of }));
  const found = lintRules(written, { file: '/v/routing.yaml', names, ...more });
  expect(found.map(({ code, severity, message }) => `${severity} ${code}: ${message}`)).toEqual(expected);
  for (const { file, help } of found) expect([file, help]).toEqual(['/v/routing.yaml', expect.stringMatching(/./)]);
}

test.each<[string, Partial<Rule>[], string[]]>([
  [
    'nothing about sound rules',
    [
      { all: ['refund'], none: ['draft'] },
      { any: ['docs'], target: 'Docs/project-root' },
    ],
    [],
  ],
  [
    'a duplicate id',
    [{ all: ['a1'] }, { id: 'r0', all: ['b1'] }],
    ['error rule/duplicateId: A rule before it has the id "r0" too.'],
  ],
  [
    'an unknown target',
    [{ all: ['a1'], target: 'Shop/project-root/pai' }],
    ['error rule/unknownTarget: The rule "r0" leads to "Shop/project-root/pai", which this vault does not have.'],
  ],
  [
    'an unknown sender',
    [{ all: ['a1'], from: 'Shopp' }],
    ['warning rule/unreachable: The rule "r0" is about messages from "Shopp", which this vault does not have.'],
  ],
  [
    'the same conditions with different targets',
    [{ all: ['refund'] }, { all: ['Refunds'], target: 'Docs/project-root' }],
    [
      'warning rule/contradictory: "r1" and "r0" match the same messages and lead to different targets, so that neither decides.',
    ],
  ],
  [
    'a rule that a wider one contradicts',
    [{ all: ['refund', 'card'] }, { all: ['card'], target: 'Docs/project-root' }],
    [
      'warning rule/contradictory: Every message that "r0" matches, "r1" matches too and leads elsewhere, so "r0" never decides alone.',
    ],
  ],
  [
    'the same rule twice',
    [{ all: ['refund'] }, { all: ['refund'] }],
    ['warning rule/shadowed: "r1" says the same as "r0".'],
  ],
  [
    'a rule that a wider one makes redundant',
    [{ all: ['refund', 'card'] }, { any: ['card'] }],
    ['warning rule/shadowed: "r1" already leads every message that "r0" matches to the same target.'],
  ],
  [
    'more facts than a message can have',
    [{ all: ['a1', 'b1', 'c1', 'd1', 'e1', 'f1'] }],
    ['warning rule/unreachable: The rule "r0" needs 6 facts, and a message has at most 5.'],
  ],
  [
    'a fact that is needed and excluded',
    [{ all: ['refund'], none: ['Refunds'] }],
    ['warning rule/unreachable: The rule "r0" needs "refund" and excludes it.'],
  ],
  [
    'choices that are all excluded',
    [{ any: ['refund', 'card'], none: ['cards', 'refund'] }],
    ['warning rule/unreachable: The rule "r0" excludes each of the facts of which it needs one.'],
  ],
  [
    'a fact that no message can have',
    [{ any: ['refund', 'the'] }, { all: ['out'] }],
    [
      'warning rule/emptyFact: No message is ever about "the", which the rule "r0" asks for.',
      'warning rule/emptyFact: No message is ever about "out", which the rule "r1" asks for.',
      'warning rule/unreachable: The rule "r1" needs a fact that no message has.',
    ],
  ],
  [
    'a rule that matches everything',
    [{}],
    ['warning rule/catchesAll: The rule "r0" asks for no fact, so that it catches every message.'],
  ],
  [
    'a rule that matches nearly everything',
    [{ none: ['draft'] }],
    [
      'warning rule/catchesAll: The rule "r0" asks for no fact, so that it catches every message but those it excludes.',
    ],
  ],
  ['nothing about a rule for one sender', [{ from: 'Shop' }, { from: 'person' }], []],
  ['nothing about a disabled rule', [{ enabled: false, target: 'gone' }], []],
])('the rule lint reports %s', (_name, rules, expected) => check(rules, expected));

test('the rule lint mentions a rule that decided none of 200 messages, and none after fewer', () => {
  const rules = [
    { id: 'used', all: ['a1'] },
    { id: 'idle', all: ['b1'] },
  ];
  const counts = new Map([['used', 3]]);
  check(rules, ['info rule/neverFired: The rule "idle" decided none of 200 messages.'], {
    fired: { counts, decisions: 200 },
  });
  check(rules, [], { fired: { counts, decisions: 199 } });
});

test('a finding suggests near names and has a range', () => {
  const range = { start: { line: 7, character: 2 }, end: { line: 7, character: 9 } };
  const rangeOf = (index: number) => (index === 1 ? range : undefined);
  const rules = [rule('a', { all: ['a1'], target }), rule('b', { all: ['b1'], target: 'Docs/project-rot' })];
  expect(lintRules(rules, { file: 'f', names, rangeOf })).toMatchObject([
    { code: 'rule/unknownTarget', range, help: 'Perhaps "Docs/project-root" or "Shop/project-root" was meant.' },
  ]);
});

test.each<[string, (n: number) => Partial<Rule>]>([
  ['with their own facts', (n) => ({ all: [`fact${n}x`, 'common'], any: ['other', `word${n}y`] })],
  ['that all share a choice', (n) => ({ any: ['common', `fact${n}x`] })],
  ['that all say the same', () => ({ any: ['common'], target: 'Shop' })],
  ['with an unknown target', (n) => ({ all: [`fact${n}x`], target: 'Shop/project-root/pai' })],
])('linting 5,000 rules %s takes less than 3 s', (_name, of) => {
  const rules = Array.from({ length: 5000 }, (_, n) => rule(`r${n}`, { target, ...of(n) }));
  const others = Array.from({ length: 10_000 }, (_, n) => `Shop/project-root/plan${n}`);
  const all = new Set([...names, ...others]);
  expect(workOf(() => lintRules(rules, { file: 'f', names: all }))).toBeLessThan(3000);
});
