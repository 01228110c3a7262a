import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { RoutingResults, ShareDay, SuggestionRow } from '../../../src/model/requests/routing.ts';

const ulid = (n: number) => `01M7X4TZFWPVQT6PFG4SYTM${String(n).padStart(3, '0')}` as Ulid;

/** A suggestion that nothing speaks against; the third and every third after it contradicts what was decided. */
export function makeSuggestion(n: number): SuggestionRow {
  const isDoubtful = n % 3 === 0;
  const target = n % 2 === 0 ? 'shop/project-root/payments' : 'shop/project-root/billing';
  const fact = ['refund', 'invoice', 'card'][n % 3] ?? 'refund';
  return {
    ...{ approval: ulid(n), contentHash: `h${n}`, createdAt: '2026-01-02T03:04:05Z', group: target },
    suggestion: {
      rule: { id: `${fact}-${n}`, any: [fact, `${fact}s`], target },
      ...{ by: n % 2 === 0 ? 'history' : 'level-2', messages: [ulid(500 + n), ulid(600 + n)] },
      reason: `Whatever is about a ${fact} was taken by ${target} each time that it came.`,
    },
    backTest: {
      ...{ decisions: 240, matched: 12, agreed: isDoubtful ? 9 : 12, disagreed: isDoubtful ? 3 : 0, freed: 7 },
      disagreements: isDoubtful
        ? [1, 2, 3].map((one) => ({
            ...{ message: ulid(700 + one), at: '2026-01-01T10:00:00Z', to: 'web/project-root' as QualifiedId },
            ...{ excerpt: `The ${fact} page is blank on phones, number ${one}`, facts: [fact, 'page'] },
          }))
        : [],
      ...{ shadowedBy: [], share: { before: 0.61, after: 0.64, of: 200 } },
    },
    objections: isDoubtful ? ['It disagrees with 3 decisions that were made.'] : [],
    place: { index: 1, line: 5 },
    yaml: `  - id: ${fact}-${n}\n    any: [${fact}, ${fact}s]\n    target: ${target}\n`,
  };
}

/** Days on which ever more is free. */
export function makeShare(count: number): ShareDay[] {
  return Array.from({ length: count }, (_, at) => ({
    day: `2026-01-${String(at + 1).padStart(2, '0')}`,
    steps: { direct: 2, rules: at * 2, scores: at % 3, 'level-2': Math.max(0, 12 - at), person: at % 4 === 0 ? 1 : 0 },
    usd: Math.max(0, 12 - at) * 0.03,
  }));
}

type Decision = RoutingResults['routes']['routes'][number];

export function makeDecision(n: number): Decision {
  const byRule = n % 2 === 0;
  const to = 'shop/project-root/billing' as QualifiedId;
  const decision: Omit<Decision, 'usd'> = {
    ...{
      type: 'decision',
      message: ulid(800 + n),
      at: '2026-01-12T09:30:00Z',
      on: 'dispatch',
      from: 'web/project-root' as QualifiedId,
    },
    ...{ named: { target: 'auto' }, reason: 'Not ours', depth: 1, origin: ulid(800 + n), extractor: 'vocabulary' },
    excerpt: `The refund of order ${n} was paid twice. See the log.`,
    ...{ facts: ['refund', 'order'], rules: byRule ? ['refund-1'] : [] },
    candidates: [{ recipient: to, score: 0.52, parts: { description: 0.4, outcomes: 0.12 } }],
    consulted: byRule
      ? []
      : [
          {
            ...{ level: 2, session: ulid(900 + n), scope: 'shop', model: 'small', usd: 0.03, durationMs: 4200 },
            ...{ answer: 'accept', target: to, reasoning: 'Refunds are made by billing.' },
          },
        ],
    ...{ step: byRule ? 'rules' : 'level-2', outcome: { kind: 'routed', to } },
    ...{ reasoning: byRule ? 'The rule refund-1 matched.' : 'Refunds are made by billing.', durationMs: 4300 },
  };
  return byRule ? decision : { ...decision, usd: 0.03 };
}
