import { describe, expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { RoutingDecision, Suggestion } from '../../../src/model/routing.ts';
import { type Rule, ruleSchema } from '../../../src/model/rule.ts';
import type { ExpandedCause } from '../../../src/routing/causes/causality.ts';
import {
  expandAnswer,
  expandDecision,
  expandMessage,
  expandRule,
  expandSuggestion,
  type MessageFacts,
} from '../../../src/routing/causes/routeCauses.ts';

/** The steps as `kind:id how`, before and after. */
function steps({ before, after }: ExpandedCause): { before: string[]; after: string[] } {
  const words = (list: ExpandedCause['before']) => list.map(({ to, how }) => `${to.kind}:${to.id} ${how}`);
  return { before: words(before), after: words(after) };
}

const from = 'shop/project-root';
const to = 'till/project-root' as QualifiedId;
const message = '01M00000000000000000000001' as Ulid;
const at = '2026-11-22T10:00:00Z';

describe('the causes and effects of a message', () => {
  const facts: MessageFacts = {
    ...{ id: message, from, at, reason: 'Theirs', body: 'Close it\non Sundays', origin: message },
    sent: { session: '01S', outcome: 'promoted as close of till' },
    received: { plan: to, state: 'promoted', task: 'close' },
    ...{ isDecided: true, isAnswered: false, caused: [] },
  };

  test('are the session that sent it and the decision that routed it', () => {
    const look = expandMessage(facts);
    expect(steps(look)).toEqual({ before: ['session:01S sent'], after: [`decision:${message} was routed by`] });
    expect(look).toMatchObject({
      node: {
        title: `message from ${from}: Close it …`,
        detail: 'Theirs · with its sender: promoted as close of till',
        plan: to,
      },
      gaps: [],
    });
  });

  test.each<[string, Partial<MessageFacts>, Partial<ReturnType<typeof steps>>, string[]]>([
    [
      'without a recorded decision include its task, and the gap is mentioned',
      { isDecided: false },
      { after: ['task:close was promoted to'] },
      [`How the message ${message} was routed is not recorded.`],
    ],
    [
      'from a person include that person',
      { from: 'person', sent: undefined as never },
      { before: ['person:person sent'] },
      [],
    ],
    [
      'include the message that it follows from',
      { sent: { session: '01S', outcome: 'accepted', cause: '01C' }, origin: '01O' },
      { before: ['message:01C led to', 'session:01S sent'] },
      [],
    ],
    [
      'include the first message of its chain when that is all that is known',
      { sent: { session: '01S', outcome: 'accepted' }, origin: '01O' },
      { before: ['message:01O led to', 'session:01S sent'] },
      [],
    ],
    [
      'include the sender’s task that it was before',
      { sent: { task: 'shut', outcome: 'accepted' } },
      { before: ['task:shut was handed over as'] },
      [],
    ],
    [
      'include its answer and the messages that follow from it',
      { isAnswered: true, caused: ['01N'] },
      { after: [`decision:${message} was routed by`, `answer:${message} was answered by`, 'message:01N led to'] },
      [],
    ],
    [
      'mention a sender without a record of it',
      { sent: undefined as never },
      { before: [] },
      [`${from} has no record that it sent the message ${message}.`],
    ],
    [
      'mention a record without a session',
      { sent: { outcome: 'accepted' } },
      { before: [] },
      [`The record of the message ${message} names no session: a person sent it for ${from}, or an older version did.`],
    ],
    [
      'mention that neither side has a record of it',
      { from: undefined as never, sent: undefined as never, received: undefined as never, isDecided: false },
      { before: [], after: [] },
      [`Neither a sender nor a receiver of the message ${message} has a record of it any more.`],
    ],
  ])('%s', (_, changed, expected, gaps) => {
    const given = Object.fromEntries(
      Object.entries({ ...facts, ...changed }).filter(([, value]) => value !== undefined),
    );
    const look = expandMessage(given as unknown as MessageFacts);
    expect(steps(look)).toMatchObject(expected);
    expect(look.gaps).toEqual(gaps);
  });
});

const decision: RoutingDecision = {
  ...{ type: 'decision', message, at, on: 'dispatch', from: from as QualifiedId, named: { target: 'auto' } },
  ...{ reason: 'Theirs', body: 'Close it', depth: 0, origin: message, facts: ['till'], extractor: 'vocabulary' },
  ...{ rules: ['till'], candidates: [], consulted: [], step: 'rules', reasoning: 'till is a fact', durationMs: 1 },
  outcome: { kind: 'routed', to },
};

describe('the causes and effects of a decision', () => {
  test('are the message and the rule, and the task it became', () => {
    const look = expandDecision(decision, { plan: to, result: 'promoted', task: 'close' });
    expect(steps(look)).toEqual({
      before: [`message:${message} was routed by`, 'rule:till decided'],
      after: ['task:close was promoted to'],
    });
    expect(look.node).toMatchObject({
      title: `decision by rules (till): to ${to}`,
      detail: 'till is a fact',
      plan: to,
    });
  });

  test('the causes and effects of a decision of a session include the session and a person, but not the rules that only matched', () => {
    const session = '01S' as Ulid;
    const consulted = [
      { level: 3, session, scope: to, durationMs: 1, answer: 'none', reasoning: '' },
      { level: 2, session, scope: 'till', durationMs: 1, answer: 'accept', target: to, reasoning: 'It is a till' },
    ] as const;
    const look = expandDecision({ ...decision, step: 'level-2', consulted, by: 'ada' }, undefined);
    expect(steps(look)).toEqual({
      before: [
        `message:${message} was routed by`,
        'session:01S was asked whether its plan takes it and gave no answer to',
        `session:01S was asked who takes it and said yes for ${to} in`,
        'person:ada decided',
      ],
      after: [],
    });
  });

  test.each([
    [
      { kind: 'refused', code: 'message/unrouted', reason: 'nobody takes it' },
      'decision by rules: refused, nobody takes it',
    ],
    [{ kind: 'waiting', approval: message, reason: 'x' }, 'no decision yet: a person is asked'],
  ] as const)('show the outcome %j in its title', (outcome, words) => {
    const { node } = expandDecision({ ...decision, outcome, facts: [] }, undefined);
    expect(node.title).toBe(words);
    expect(node).not.toHaveProperty('plan');
  });

  test('show why the receiver declined', () => {
    const { node, after } = expandDecision(decision, { plan: to, result: 'declined', reason: 'not ours' });
    expect(node.detail).toContain(`declined by ${to}: not ours`);
    expect(after).toEqual([]);
  });
});

describe('the causes of a rule', () => {
  const rule = (origin?: Rule['origin']): Rule => ruleSchema.parse({ id: 'till', all: ['till'], target: to, origin });
  const bare = { id: 'till', decided: [message], more: 0 };

  test.each<[string, Rule | undefined, string[], string | undefined]>([
    [
      'are the suggestion that it was accepted from',
      rule({ by: 'ada', at, suggestion: '01A' }),
      ['suggestion:01A was accepted as'],
      undefined,
    ],
    ['are the person who wrote it', rule({ by: 'ada', at }), ['person:ada wrote'], undefined],
    [
      'are unknown when it was written by hand',
      rule(),
      [],
      'The rule till names no origin: it was written into routing.yaml by hand.',
    ],
    ['are unknown when it is gone', undefined, [], 'routing.yaml has no rule till any more, so its origin is unknown.'],
  ])('%s', (_, given, before, gap) => {
    const look = expandRule({ ...bare, rule: given });
    expect(steps(look)).toEqual({ before, after: [`decision:${message} decided`] });
    expect(look.gaps).toEqual(gap === undefined ? [] : [gap]);
  });

  test('come with its commit and the number of decisions not shown', () => {
    const look = expandRule({ ...bare, rule: rule({ by: 'ada', at }), more: 7, commit: 'abc' });
    expect(steps(look).after[0]).toBe('commit:abc was written down in');
    expect(look.gaps).toEqual(['The rule till also decided 7 earlier messages, not shown here.']);
    expect(look.node).toMatchObject({ title: `rule till: to ${to}`, detail: 'all of till', at });
  });
});

describe('the causes and effects of a suggestion', () => {
  const suggestion: Suggestion = {
    ...{
      rule: { id: 'till', target: to, all: ['till'] },
      by: 'level-2',
      reason: 'Three times',
      session: '01S' as Ulid,
    },
    messages: Array.from({ length: 12 }, (_, index) => `01M${String(index).padStart(23, '0')}` as Ulid),
  };
  const facts = { id: '01A' as Ulid, createdAt: at, suggestion, made: undefined };

  test('are its newest messages, its session, who accepted it and the rule', () => {
    const look = expandSuggestion({ ...facts, made: 'till-2', decision: 'accept', by: 'ada', at, reason: 'Good' });
    const { before, after } = steps(look);
    expect(before.slice(-3)).toEqual([
      'decision:01M00000000000000000000011 led to',
      'session:01S suggested',
      'person:ada accepted',
    ]);
    expect(before).toHaveLength(12);
    expect(after).toEqual(['rule:till-2 was accepted as']);
    expect(look.gaps).toEqual(['The suggestion 01A also rests on 2 earlier messages, not shown here.']);
    expect(look.node.detail).toBe(`Three times · accept by ada at ${at} · Good`);
  });

  test.each([
    ['reject', ['person:ada rejected']],
    ['dismiss', ['person:ada rejected']],
  ] as const)('have no rule after the decision %s', (word, expected) => {
    const { before, after } = steps(expandSuggestion({ ...facts, decision: word, by: 'ada', at }));
    expect(before.slice(-1)).toEqual(expected);
    expect(after).toEqual([]);
  });

  test('mention that its rule was removed since', () => {
    const look = expandSuggestion({ ...facts, decision: 'edit', by: 'ada', at });
    expect(steps(look).after).toEqual([]);
    expect(look.gaps).toContain('The rule that was made of 01A is not in routing.yaml any more.');
  });

  test('say that it is not decided until a person has decided', () => {
    expect(expandSuggestion(facts).node.detail).toContain('not decided yet');
  });
});

test('the causes of an answer are its question and the session that gave it', () => {
  const answer = {
    query: message,
    question: 'Why?',
    from: 'person',
    by: to,
    at,
    state: 'answered',
    text: 'So.',
  } as const;
  const look = expandAnswer({ ...answer, citations: [], session: '01S' as Ulid });
  expect(steps(look).before).toEqual([`message:${message} was answered by`, 'session:01S gave']);
  expect(expandAnswer({ ...answer, citations: [], state: 'refused' }).node.title).toBe(`refusal of ${to}`);
});
