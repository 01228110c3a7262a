import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import type { PlanTexts } from '../../../src/model/plan.ts';
import { noFacts } from '../../../src/plans/proposals/facts.ts';
import { judge, type ProposalTexts } from '../../../src/plans/proposals/proposal.ts';
import { backlogOf, demoPlan } from '../../support/planServices.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const base: PlanTexts = new Map([['backlog.yaml', backlogOf('one', 'two')]]);
const proposal: ProposalTexts = {
  ...{ phase: 'work', outcome: 'done', summary: 'It works.', task: 'one', verbsUsed: [], unattributed: [] },
  ...{ base, proposed: base, dreamMap: {}, facts: noFacts },
};
const judged = (changes: Partial<ProposalTexts> = {}) => judge({ ...proposal, ...changes }, demoPlan, session);

const record = (...evidence: readonly object[]): PlanTexts => {
  const claims = [{ id: 'c1', text: 'It works.', evidence }];
  const value = { id: 'x', timestamp: '2026-01-02T03:04:05Z', phase: 'work', body: 'Worked.', claims };
  return new Map([...base, ['latest-session.yaml', JSON.stringify(value)]]);
};

describe('a proposal', () => {
  test('without findings is accepted, and every gate emits one event', () => {
    const { events, ...rest } = judged();
    expect(rest).toEqual({});
    expect(events.length).toBeGreaterThan(5);
    expect(new Set(events.map((event) => 'gate' in event && event.gate)).size).toBe(events.length);
    for (const event of events) expect(event).toMatchObject({ type: 'gate.judged', session, outcome: 'accept' });
  });

  test('a proposal that breaks a rule is rejected with its finding', () => {
    const { rejected, events } = judged({ proposed: new Map([['backlog.yaml', backlogOf('one', 'two: done')]]) });
    expect(rejected).toMatchObject({ retryable: true, findings: [expect.stringContaining('two')] });
    const refusals = events.filter((event) => 'outcome' in event && event.outcome === 'reject');
    expect(refusals).toMatchObject([{ reason: rejected?.reason, findings: rejected?.findings }]);
  });

  test('a proposal that breaks several rules gets all of its findings at once', () => {
    const { rejected, events } = judged({
      proposed: new Map([['backlog.yaml', `${backlogOf('one', 'two: done')}    dependencies: [two]\n`]]),
    });
    const refusals = events.flatMap((event) =>
      event.type === 'gate.judged' && event.outcome === 'reject' ? [event.gate] : [],
    );
    expect(refusals).toEqual(['verbs', 'dependencies']);
    expect(rejected?.reason).toContain('; ');
    expect(rejected?.findings.length).toBeGreaterThan(1);
  });

  test('a proposal that is not YAML is rejected', () => {
    expect(judged({ proposed: new Map([['backlog.yaml', 'tasks: [\n']]) }).rejected).toMatchObject({ retryable: true });
  });

  test('beside an unattributed change waits for a person', () => {
    const { approval, rejected } = judged({ unattributed: ['memory.yaml'] });
    expect(approval).toMatchObject({ kind: 'unattributed-change', reason: expect.stringContaining('memory.yaml') });
    expect(rejected).toBeUndefined();
  });

  test('with claims is modified by their verdicts', () => {
    const { modification, events } = judged({
      ...{ phase: 'analyse-work', proposed: record({ file: 'a.txt' }) },
      facts: { ...noFacts, existingFiles: new Set(['a.txt']) },
    });
    expect(modification?.claimVerdicts).toEqual({ c1: 'evidenced' });
    expect(events).toContainEqual(expect.objectContaining({ gate: 'claims', outcome: 'modify' }));
  });

  test('a proposal whose gate throws is rejected for good', () => {
    const facts = { ...noFacts, existingFiles: new Set<string>() };
    facts.existingFiles.has = () => {
      throw new Error('the gate is broken');
    };
    const { rejected, events } = judged({ phase: 'analyse-work', proposed: record({ file: 'a.txt' }), facts });
    expect(rejected).toMatchObject({ retryable: false, reason: expect.stringContaining('the gate is broken') });
    expect(events).toContainEqual(expect.objectContaining({ gate: 'claims', outcome: 'reject' }));
  });
});
