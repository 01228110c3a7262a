import { describe, expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { ShareDay } from '../../../src/model/requests/routing.ts';
import type { Consulted } from '../../../src/model/routing.ts';
import {
  consultedWords,
  costChart,
  type DecisionRow,
  groupSuggestions,
  outcomeWords,
  resultWords,
  shareChart,
  shareSentence,
  stepChart,
} from '../../../webview/routing/routingView.ts';
import { makeDecision, makeSuggestion } from '../../editor/support/routingSamples.ts';

const days: readonly ShareDay[] = [
  { day: '2026-01-01', steps: { rules: 1, 'level-2': 3 }, usd: 0.3 },
  { day: '2026-01-02', steps: {}, usd: 0 },
  { day: '2026-01-03', steps: { direct: 1, scores: 1, person: 2 }, usd: 0 },
];

test.each([
  [[], 'No message has been routed yet.'],
  [days, '8 messages routed since 2026-01-01: 38 % without a model, the others for $0.30.'],
  [days.slice(2), '4 messages routed since 2026-01-03: 50 % without a model.'],
])('the share of days like %j reads "%s"', (given, sentence) => expect(shareSentence(given)).toBe(sentence));

describe('a routing chart', () => {
  test('a routing chart of the share counts messages decided by name, rule or score, on days with messages', () => {
    const { lines, places, placeName, max, whole } = shareChart(days);
    expect(lines).toEqual([{ label: 'Without a model', values: [25, 50] }]);
    expect(places.map((place) => placeName?.(place))).toEqual(['01-01', '01-03']);
    expect([max, whole(25)]).toEqual([100, '25 %']);
  });

  test('a routing chart of steps leaves out steps that never decided', () =>
    expect(stepChart(days).lines).toEqual([
      { label: 'Named', values: [0, 1] },
      { label: 'Rules', values: [1, 0] },
      { label: 'Scores', values: [0, 1] },
      { label: 'Session asked', values: [3, 0] },
      { label: 'Person', values: [0, 2] },
    ]));

  test('a routing chart of the cost shows dollars', () => {
    const { lines, whole } = costChart(days);
    expect([lines[0]?.values, whole(0.3)]).toEqual([[0.3, 0], '$0.30']);
  });
});

test('similar suggestions are grouped', () => {
  const groups = groupSuggestions([1, 2, 3, 4].map(makeSuggestion));
  expect(groups.map((group) => group.map(({ contentHash }) => contentHash))).toEqual([
    ['h1', 'h3'],
    ['h2', 'h4'],
  ]);
});

const row = makeDecision(2);

test.each([
  [{ kind: 'routed', to: 'shop/project-root' as QualifiedId }, 'shop/project-root'],
  [{ kind: 'refused', code: 'message/unrouted', reason: 'Nobody is left.' }, 'refused: Nobody is left.'],
  [{ kind: 'waiting', approval: '01' as Ulid, reason: 'Nobody takes it.' }, 'needs your decision'],
] as const)('the outcome %j reads “%s”', (outcome, words) => expect(outcomeWords({ ...row, outcome })).toBe(words));

test.each([
  [undefined, undefined],
  [{ result: 'promoted', task: 't-1' }, 'became t-1'],
  [{ result: 'promoted' }, 'taken up'],
  [{ result: 'declined', reason: 'Not now' }, 'declined: Not now'],
])('the result %j reads “%s”', (result, words) =>
  expect(resultWords({ ...row, ...(result && { result }) } as DecisionRow)).toBe(words),
);

const asked: Consulted = {
  ...{ level: 2, session: '01' as Ulid, scope: 'shop', durationMs: 4200, reasoning: '' },
  answer: 'reject',
};

test.each([
  [{ target: 'web' }, 'Routing session over shop rejects → web (4.2 s)'],
  [{ level: 3, answer: 'accept', model: 'small', usd: 0.5 } as const, 'Check of shop accepts (4.2 s, small, $0.50)'],
  [{ answer: 'none' } as const, 'Routing session over shop gave no valid answer (4.2 s)'],
])('the consultation %j reads “%s”', (part, words) => expect(consultedWords({ ...asked, ...part })).toBe(words));
