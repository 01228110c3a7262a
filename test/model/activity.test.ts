import { expect, test } from 'vitest';
import { type ActivityFact, summarizeActivity } from '../../src/model/activity.ts';
import { activityCounts, activitySections, waitingText } from '../../src/model/activityText.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { PhaseRecord } from '../../src/model/phaseRecord.ts';

const shop = toQualifiedId('shop/project-root');
const bank = toQualifiedId('bank/project-root');
const session = '01HZY0000000000000000000S1' as Ulid;
const message = '01HZY0000000000000000000M1' as Ulid;

function phase(of: typeof shop, atMs: number, fields: Partial<PhaseRecord> = {}): ActivityFact {
  const record = { phase: 'work', session, end: 'finished', summary: '', endedAt: '', ...fields } as const;
  return { kind: 'phase', of, atMs, record };
}

const facts: readonly ActivityFact[] = [
  phase(bank, 1, { end: 'failed', refusals: { claims: 2, paths: 1 } }),
  phase(bank, 2, {
    phase: 'git-commit-work',
    commits: [1, 2, 3].map((n) => ({ commit: `c${n}`, title: `T${n}`, files: 1 })),
  }),
  phase(bank, 3, { phase: 'git-commit-triage', task: 'pay' }),
  { kind: 'paid', of: bank, atMs: 3, usd: 0.5 },
  { kind: 'paid', of: bank, atMs: 3, usd: undefined },
  { kind: 'sent', of: bank, atMs: 3, message, with: shop, text: 'Look' },
  { kind: 'received', of: shop, atMs: 3, message, with: bank, text: 'Look' },
  { kind: 'learned', of: bank, atMs: 3, title: 'Sums are exact', place: 'knowledge' },
  {
    ...{ kind: 'decision', of: 'vault', atMs: 9, approval: session, question: 'rule-suggestion' },
    ...{ subject: 'A rule', decision: 'accept', by: 'ada' },
  },
];

test('facts are summed by plan, the latest first, with bounds that count what they cut', () => {
  const { plans, totals } = summarizeActivity(facts, { plans: 2, items: 2 });
  expect(plans.map(({ plan }) => plan)).toEqual(['vault', bank]);
  expect(plans[1]).toMatchObject({
    ...{ cycles: 1, phases: 3, unfinished: 1, sessions: 2, usd: 0.5, unknownSessions: 1 },
    commits: { items: [{ title: 'T3' }, { title: 'T2' }], total: 3 },
    refusals: {
      items: [
        { gate: 'claims', count: 2 },
        { gate: 'paths', count: 1 },
      ],
      total: 3,
    },
    tasks: { items: ['pay'], total: 1 },
  });
  expect(totals).toEqual({
    ...{ plans: 2, rows: 3, cycles: 1, phases: 3, unfinished: 1, sessions: 2, usd: 0.5, unknownSessions: 1 },
    ...{ commits: 3, decisions: 1, rollbacks: 0, refusals: 3, messages: 1, learned: 1 },
  });
});

test('without facts no plan is listed', () => {
  expect(summarizeActivity([], { plans: 9, items: 9 })).toMatchObject({ plans: [], totals: { plans: 0, usd: 0 } });
});

test('the words name what happened and leave out what did not', () => {
  const { plans, totals } = summarizeActivity(facts, { plans: 9, items: 2 });
  expect(activityCounts(totals).join(', ')).toBe(
    '1 cycle, 3 phases, 1 of them unfinished, 3 commits, 1 decision, 3 refusals by gates, 1 message, 1 lesson, $0.50, 1 session of unknown cost',
  );
  const [vault, ...others] = plans;
  expect(vault && activityCounts(vault)).toEqual(['1 decision']);
  const [ofBank, ofShop] = others;
  expect(ofShop && activitySections(ofShop)).toEqual([
    { title: 'Received', items: [{ text: `from ${bank}: Look`, message }], more: 0 },
  ]);
  const sections = (ofBank && activitySections(ofBank)) ?? [];
  expect(sections.map(({ title, items, more }) => [title, items.length, more])).toEqual([
    ...[
      ['Tasks', 1, 0],
      ['Commits', 2, 1],
      ['Refused by gates', 2, 0],
    ],
    ...[
      ['Sent', 1, 0],
      ['Learned', 1, 0],
    ],
  ]);
  expect(waitingText({ kind: 'paused-run', text: '1 of 3 cycles are done' })).toMatch(/^its run is paused: 1 of 3/);
});
