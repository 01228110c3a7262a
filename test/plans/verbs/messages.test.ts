import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Code } from '../../../src/model/codes.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { messageBytesMax } from '../../../src/model/message.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import type { VerbContext } from '../../../src/plans/verbs/verbContext.ts';
import { after, makeContext, refused } from './context.ts';

const words = { reason: 'because', body: 'Please.' };
const id = '01JDZZZZZZZZZZZZZZZZZZZZZZ';

test('the first message makes the file, and the second is appended', () => {
  const entry = { id, 'target-expert': 'rust', reason: 'because', body: 'Please.\n' };
  const args = { 'target-expert': 'rust', ...words };
  expect(after('dispatches.yaml', 'message/dispatch', args)).toEqual({ dispatches: [entry] });
  expect(after('queries.yaml', 'message/ask', args)).toEqual({ queries: [entry] });
  const text = '# mine\ndispatches:\n- target-plan: Demo/project-root/x\n  reason: r\n  body: b\n';
  const context = makeContext({ texts: new Map([['dispatches.yaml', text]]) });
  expect(applyVerb('message/dispatch', args, context).edits.get('dispatches.yaml')?.startsWith(text)).toBe(true);
  expect(after('dispatches.yaml', 'message/dispatch', args, context)).toHaveProperty('dispatches.1', entry);
});

test('a message names the session that left it, so that it can be traced to its work', () => {
  const session = '01M00000000000000000000009' as Ulid;
  const context = makeContext({ session });
  const args = { 'target-expert': 'rust', ...words };
  expect(after('dispatches.yaml', 'message/dispatch', args, context)).toMatchObject({ dispatches: [{ session }] });
  expect(after('queries.yaml', 'message/ask', args, context)).toMatchObject({ queries: [{ session }] });
});

test('message/list gives sent messages with their outcomes', () => {
  const sent = { id, to: 'x', at: 'T', reason: 'r', body: 'b', outcome: 'accepted' };
  const texts = new Map([['backlog.yaml' as const, `dispatched:\n- ${JSON.stringify(sent)}\n`]]);
  const { result, edits, summary } = applyVerb('message/list', {}, makeContext({ texts }));
  expect(result).toEqual({ messages: [sent] });
  expect(summary).toBe('1 sent message');
  expect(edits.size).toBe(0);
});

test('message/list cuts a body to 1000 characters', () => {
  const sent = { id, to: 'x', at: 'T', reason: 'r', body: 'b'.repeat(500_000), outcome: 'accepted' };
  const texts = new Map([['backlog.yaml' as const, `dispatched:\n- ${JSON.stringify(sent)}\n`]]);
  const { result } = applyVerb('message/list', {}, makeContext({ texts }));
  expect(result).toEqual({ messages: [{ ...sent, body: `${'b'.repeat(999)}…` }] });
});

describe('a message must name exactly one target', () => {
  test.each<Record<string, string>>([
    { 'target-plan': 'Demo/project-root/child' },
    { 'target-project': 'Other' },
    { 'target-project': 'Other', 'suggested-target-plan': 'Other/project-root/x' },
    { 'target-expert': 'rust' },
    { target: 'auto' },
  ])('takes %j', (target) => {
    expect(applyVerb('message/dispatch', { ...target, ...words }, makeContext()).result).toEqual({ id });
  });

  test.each<{ readonly target: Record<string, string>; readonly code: Code }>([
    { target: {}, code: 'message/noTarget' },
    { target: { target: 'auto', 'target-expert': 'rust' }, code: 'message/twoTargets' },
    { target: { 'target-plan': 'Demo/project-root/child', 'target-project': 'Other' }, code: 'message/twoTargets' },
    { target: { 'target-plan': 'Demo/project-root' }, code: 'message/toSelf' },
    { target: { 'target-plan': 'Other/project-root' }, code: 'message/otherProject' },
    { target: { 'target-plan': 'Demo' }, code: 'state/badArguments' },
    { target: { 'target-plan': 'expert:rust' }, code: 'state/badArguments' },
    { target: { 'target-project': 'Demo' }, code: 'message/ownProject' },
    { target: { 'target-project': 'Other/project-root' }, code: 'state/badArguments' },
    {
      target: { 'target-project': 'Other', 'suggested-target-plan': 'Third/project-root' },
      code: 'message/suggestedElsewhere',
    },
    { target: { 'target-project': 'Other', 'suggested-target-plan': 'Other' }, code: 'message/suggestedElsewhere' },
    {
      target: { 'target-expert': 'rust', 'suggested-target-plan': 'Other/project-root' },
      code: 'message/suggestedElsewhere',
    },
    { target: { 'target-expert': 'Not An Id' }, code: 'state/badArguments' },
    { target: { target: 'elsewhere' }, code: 'state/badArguments' },
  ])('refuses $target with $code', ({ target, code }) => {
    expect(refused('message/dispatch', { ...target, ...words }).code).toBe(code);
    expect(refused('message/ask', { ...target, ...words }).code).toBe(code);
  });
});

test('a message too long for a mailbox is refused while its session can still shorten it', () => {
  const long = { target: 'auto', reason: 'because', body: 'x'.repeat(messageBytesMax) };
  for (const verb of ['message/dispatch', 'message/ask'] as const) {
    expect(refused(verb, long).code).toBe('message/tooLong');
  }
});

describe('the cause of a message', () => {
  const received = (record: object) => ({
    from: 'person',
    at: 'a',
    reason: 'r',
    body: 'b',
    state: 'promoted',
    ...record,
  });
  const backlog = stringify({ tasks: [], received: [received({ id: 'one', task: 'mend' }), received({ id: 'two' })] });
  const texts = new Map([['backlog.yaml' as const, backlog]]);
  const args = { target: 'auto', ...words };

  test.each([
    { name: 'is the message that became the chosen task', task: 'mend', given: {}, cause: 'one' },
    { name: 'is undefined when no message became the task', task: 'other', given: {}, cause: undefined },
    { name: 'is the message that the arguments name', task: 'mend', given: { cause: 'two' }, cause: 'two' },
    { name: 'is undefined without a chosen task', task: undefined, given: {}, cause: undefined },
  ])('$name', ({ task, given, cause }) => {
    const context = { texts, ...(task !== undefined && { task }) };
    expect(leftBy(given, context)).toEqual({ dispatches: [expect.objectContaining({ target: 'auto' })] });
    expect(causeIn(given, context)).toBe(cause);
  });

  const open = { phase: 'triage', texts } as const;
  const leftBy = (given: object, context: Partial<VerbContext>) =>
    after('dispatches.yaml', 'message/dispatch', { ...args, ...given }, makeContext(context));
  const causeIn = (given: object, context: Partial<VerbContext>) =>
    (leftBy(given, context) as { dispatches: readonly { cause?: string }[] }).dispatches[0]?.cause;
  const backlogWith = (tasks: readonly string[], ...records: readonly object[]) => {
    const all = tasks.map((task) => ({ id: task, title: 'T', category: 'c', status: 'not_started' }));
    return new Map([['backlog.yaml' as const, stringify({ tasks: all, received: records.map(received) })]]);
  };

  test.each<[string, ReadonlyMap<'backlog.yaml', string>]>([
    ['waits', backlogWith([], { id: 'two', state: 'new' })],
    ['became a task that still exists', backlogWith(['mend'], { id: 'one', task: 'mend' })],
  ])('must be named in a triage when a received message %s', (_name, texts) => {
    for (const verb of ['message/dispatch', 'message/ask'] as const) {
      const error = refused(verb, args, makeContext({ ...open, texts }));
      expect(error.code).toBe('state/badArguments');
      expect(error.diagnostic.help).toMatch(/Name as cause .*, or none: (?:two|mend)\.$/);
    }
    expect(causeIn({ cause: 'none' }, { ...open, texts })).toBeUndefined();
  });

  test.each<[string, ReadonlyMap<'backlog.yaml', string>]>([
    [
      'every received message is decided',
      backlogWith(['other'], { id: 'one', task: 'mend' }, { id: 'two', state: 'declined' }),
    ],
    ['no message was received', backlogWith(['other'])],
    ['the plan has no backlog', new Map()],
  ])('is not required in a triage when %s', (_name, texts) => {
    expect(causeIn({}, { ...open, texts })).toBeUndefined();
  });

  test('must be named in the triage that decided the message, and in no other phase', () => {
    const decided = backlogWith([], { id: 'two', state: 'declined' });
    const base = backlogWith([], { id: 'two', state: 'new' });
    expect(refused('message/dispatch', args, makeContext({ ...open, texts: decided, base })).code).toBe(
      'state/badArguments',
    );
    expect(causeIn({ cause: 'two' }, { ...open, texts: decided, base })).toBe('two');
    for (const phase of [undefined, 'work', 'reflect'] as const) {
      const context = makeContext({ texts: base, ...(phase !== undefined && { phase }) });
      expect(applyVerb('message/dispatch', args, context).edits.size).toBe(1);
    }
  });

  test('can be named by the task that the message became', () => {
    expect(causeIn({ cause: 'mend' }, open)).toBe('one');
  });

  test('is the work session’s cause in a reflection, regardless of its arguments', () => {
    const context = { phase: 'reflect', texts: new Map(), workCause: 'one' } as const;
    for (const given of [{}, { cause: 'none' }, { cause: 'two' }]) expect(causeIn(given, context)).toBe('one');
  });

  test('is kept when a work session claims that there is none', () => {
    expect(causeIn({ cause: 'none' }, { texts, task: 'mend' })).toBe('one');
  });

  test('must exist', () => {
    const unknown = refused('message/dispatch', { ...args, cause: 'three' }, makeContext({ texts }));
    expect(unknown.code).toBe('state/unknownRecord');
  });
});
