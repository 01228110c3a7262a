import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import type { ExpandedCause } from '../../../src/routing/causes/causality.ts';
import {
  expandCommit,
  expandSession,
  expandTask,
  type SessionFacts,
  type TaskFacts,
} from '../../../src/routing/causes/planCauses.ts';

/** The steps as `kind:id how`, before and after. */
function steps({ before, after }: ExpandedCause): { before: string[]; after: string[] } {
  const words = (list: ExpandedCause['before']) => list.map(({ to, how }) => `${to.kind}:${to.id} ${how}`);
  return { before: words(before), after: words(after) };
}

const plan = 'till/project-root';
const at = '2026-11-22T10:00:00Z';

describe('the causes of a task', () => {
  const facts: TaskFacts = {
    ...{ plan, id: 'close', task: { title: 'Close it', status: 'done' } },
    ...{ sessions: ['01W'], handedOver: ['01H'] },
  };
  const session = '01T' as Ulid;
  const bySession = { at, by: 'session', session } as const;
  const firstCommit = { at, author: 'Ada', commit: 'abcdef0123' };

  test.each<[string, Partial<TaskFacts>, string[]]>([
    [
      'are the routing decision and the triage session for a promoted message with a recorded decision',
      { message: { id: '01M', isDecided: true }, origin: bySession },
      ['decision:01M was promoted to', 'session:01T promoted'],
    ],
    [
      'are the message for a promoted message without a recorded decision',
      { message: { id: '01M', isDecided: false } },
      ['message:01M was promoted to'],
    ],
    ['are the session that added it', { origin: bySession }, ['session:01T added']],
    ['are a person who added it', { origin: { at, by: 'person' } }, ['person:person added']],
    ['are a person who imported the plan', { origin: { at, by: 'import' } }, ['person:person imported']],
    ['are the author of its first commit if nothing was recorded', { firstCommit }, ['person:Ada committed']],
    ['are empty when nothing is known', {}, []],
  ])('%s', (_, given, before) => {
    expect(steps(expandTask({ ...facts, ...given }))).toEqual({
      before,
      after: ['session:01W was worked on by', 'message:01H was handed over as'],
    });
  });

  test('mention a missing task among the gaps', () => {
    const { gaps, node } = expandTask({ ...facts, task: undefined });
    expect(gaps).toEqual([`The backlog of ${plan} has no task close any more.`]);
    expect(node.title).toBe(`task close of ${plan}`);
  });

  test('say what was not recorded, and never take the session of a commit for who added a task', () => {
    expect(expandTask({ ...facts, firstCommit }).gaps).toEqual([
      'It was not recorded who added the task close; the commit abcdef01 is the first that has it.',
    ]);
    expect(expandTask(facts).gaps).toEqual(['It was not recorded who added the task close, and no commit has it yet.']);
  });
});

describe('the causes and effects of a session', () => {
  const bare: SessionFacts = { session: '01S', sent: [], commits: [], gaps: [] };

  test('are its task, its messages and its commits for a work session', () => {
    const given = { ...bare, plan, phase: 'work', task: 'close', at, end: 'finished', summary: 'Closed it' };
    const look = expandSession({ ...given, sent: ['01M'], commits: ['abc'] });
    expect(steps(look)).toEqual({
      before: ['task:close was worked on by'],
      after: ['message:01M sent', 'commit:abc was committed as'],
    });
    expect(look.node).toMatchObject({ title: `work session of ${plan}`, detail: 'finished: Closed it', at });
    expect(look.after[1]?.to).toMatchObject({ plan });
  });

  test('include the work session that it followed', () => {
    expect(steps(expandSession({ ...bare, plan, follows: '01W' })).before).toEqual(['session:01W was followed by']);
  });

  test('are the message and the decision for a routing session', () => {
    expect(steps(expandSession({ ...bare, askedAbout: '01M' }))).toEqual({
      before: ['message:01M was put to'],
      after: ['decision:01M was heard for'],
    });
  });

  test('are empty with their gaps when nothing of it is kept', () => {
    const look = expandSession({ ...bare, gaps: ['It is gone.'] });
    expect(look).toMatchObject({ node: { title: 'session' }, gaps: ['It is gone.'], before: [], after: [] });
  });
});

describe('the causes of a commit', () => {
  const facts = { hash: 'abcdef0123456789', title: 'Close it', at, author: 'Ada', wrote: [] };

  test('are its session', () => {
    const look = expandCommit({ ...facts, plan, session: '01S' });
    expect(steps(look).before).toEqual(['session:01S was committed as']);
    expect(look.node).toMatchObject({ title: 'commit abcdef01 Close it', plan });
  });

  test('are the person who made it', () => {
    expect(steps(expandCommit(facts)).before).toEqual(['person:Ada committed']);
  });

  test('are the rule or decision that it recorded in the vault', () => {
    const wrote = [{ kind: 'rule', id: 'till' } as const];
    expect(steps(expandCommit({ ...facts, wrote })).before).toEqual(['rule:till was written down in']);
  });
});
