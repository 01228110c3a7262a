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

test('a first message makes the file, a second is appended', () => {
  const entry = { id, 'target-expert': 'rust', reason: 'because', body: 'Please.\n' };
  const args = { 'target-expert': 'rust', ...words };
  expect(after('dispatches.yaml', 'message/dispatch', args)).toEqual({ dispatches: [entry] });
  expect(after('queries.yaml', 'message/ask', args)).toEqual({ queries: [entry] });
  const text = '# mine\ndispatches:\n- target-plan: Demo/project-root/x\n  reason: r\n  body: b\n';
  const context = makeContext({ texts: new Map([['dispatches.yaml', text]]) });
  expect(applyVerb('message/dispatch', args, context).edits.get('dispatches.yaml')?.startsWith(text)).toBe(true);
  expect(after('dispatches.yaml', 'message/dispatch', args, context)).toHaveProperty('dispatches.1', entry);
});

test('what a session leaves names that session, so that it can be traced to what was worked on', () => {
  const session = '01M00000000000000000000009' as Ulid;
  const context = makeContext({ session });
  const args = { 'target-expert': 'rust', ...words };
  expect(after('dispatches.yaml', 'message/dispatch', args, context)).toMatchObject({ dispatches: [{ session }] });
  expect(after('queries.yaml', 'message/ask', args, context)).toMatchObject({ queries: [{ session }] });
});

test('what was sent is listed with what became of it', () => {
  const sent = { id, to: 'x', at: 'T', reason: 'r', body: 'b', outcome: 'accepted' };
  const texts = new Map([['backlog.yaml' as const, `dispatched:\n- ${JSON.stringify(sent)}\n`]]);
  const { result, edits, summary } = applyVerb('message/list', {}, makeContext({ texts }));
  expect(result).toEqual({ messages: [sent] });
  expect(summary).toBe('1 sent message');
  expect(edits.size).toBe(0);
});

test('of what was sent a list has the beginnings', () => {
  const sent = { id, to: 'x', at: 'T', reason: 'r', body: 'b'.repeat(500_000), outcome: 'accepted' };
  const texts = new Map([['backlog.yaml' as const, `dispatched:\n- ${JSON.stringify(sent)}\n`]]);
  const { result } = applyVerb('message/list', {}, makeContext({ texts }));
  expect(result).toEqual({ messages: [{ ...sent, body: `${'b'.repeat(999)}…` }] });
});

describe('exactly one target', () => {
  test.each<Record<string, string>>([
    { 'target-plan': 'Demo/project-root/child' },
    { 'target-project': 'Other' },
    { 'target-project': 'Other', 'suggested-target-plan': 'Other/project-root/x' },
    { 'target-expert': 'rust' },
    { target: 'auto' },
  ])('%j', (target) => {
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
  ])('not $target', ({ target, code }) => {
    expect(refused('message/dispatch', { ...target, ...words }).code).toBe(code);
    expect(refused('message/ask', { ...target, ...words }).code).toBe(code);
  });
});

test('what no mailbox takes is refused while whoever wrote it can still shorten it', () => {
  const long = { target: 'auto', reason: 'because', body: 'x'.repeat(messageBytesMax) };
  for (const verb of ['message/dispatch', 'message/ask'] as const) {
    expect(refused(verb, long).code).toBe('message/tooLong');
  }
});

describe('the message that another follows from', () => {
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
    { name: 'is the one that became the task at hand', task: 'mend', given: {}, cause: 'one' },
    { name: 'is none where the task came from nobody', task: 'other', given: {}, cause: undefined },
    { name: 'is the one that is named', task: 'mend', given: { cause: 'two' }, cause: 'two' },
    { name: 'is none where no task is at hand', task: undefined, given: {}, cause: undefined },
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
    ['became a task that is there', backlogWith(['mend'], { id: 'one', task: 'mend' })],
  ])('has to be named in a triage where one %s', (_name, texts) => {
    for (const verb of ['message/dispatch', 'message/ask'] as const) {
      const error = refused(verb, args, makeContext({ ...open, texts }));
      expect(error.code).toBe('state/badArguments');
      expect(error.diagnostic.help).toMatch(/Name as cause .*, or none: (?:two|mend)\.$/);
    }
    expect(causeIn({ cause: 'none' }, { ...open, texts })).toBeUndefined();
  });

  test.each<[string, ReadonlyMap<'backlog.yaml', string>]>([
    ['all were decided', backlogWith(['other'], { id: 'one', task: 'mend' }, { id: 'two', state: 'declined' })],
    ['there is none', backlogWith(['other'])],
    ['there is no backlog', new Map()],
  ])('is not asked for in a triage where %s', (_name, texts) => {
    expect(causeIn({}, { ...open, texts })).toBeUndefined();
  });

  test('has to be named by the triage that decided it before, and by nobody but a triage', () => {
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

  test('is named by the task that it became as well', () => {
    expect(causeIn({ cause: 'mend' }, open)).toBe('one');
  });

  test('is known of a reflection, whatever it names', () => {
    const context = { phase: 'reflect', texts: new Map(), workCause: 'one' } as const;
    for (const given of [{}, { cause: 'none' }, { cause: 'two' }]) expect(causeIn(given, context)).toBe('one');
  });

  test('is not lost by a work session that says there is none', () => {
    expect(causeIn({ cause: 'none' }, { texts, task: 'mend' })).toBe('one');
  });

  test('has to be there', () => {
    const unknown = refused('message/dispatch', { ...args, cause: 'three' }, makeContext({ texts }));
    expect(unknown.code).toBe('state/unknownRecord');
  });
});
