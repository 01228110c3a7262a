import { describe, expect, test } from 'vitest';
import { type ActivityFact, summarizeActivity } from '../../../src/model/activity.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { RequestResults } from '../../../src/model/protocol.ts';
import { activityDocument } from '../../../src/ui/activity/activityDocument.ts';

const shop = toQualifiedId('shop/project-root');
const id = '01HZY0000000000000000000S1' as Ulid;

const facts: readonly ActivityFact[] = [
  {
    ...{ kind: 'phase', of: shop, atMs: 2 },
    record: {
      ...{ phase: 'git-commit-work', session: id, end: 'finished', summary: '', endedAt: '' },
      commits: [{ commit: 'c0ffee', title: 'Pay [now](command:evil)', files: 1 }],
      refusals: { claims: 2 },
    },
  },
  { kind: 'sent', of: shop, atMs: 3, message: id, text: 'Look' },
  {
    ...{ kind: 'decision', of: 'vault', atMs: 1, approval: id, question: 'rule-suggestion' },
    ...{ subject: 'A rule', decision: 'accept', by: 'ada' },
  },
];

function pageOf(changes: Partial<RequestResults['since']> = {}): RequestResults['since'] {
  const since = '2026-01-02T03:04:05Z';
  const summary = summarizeActivity(facts, { plans: 20, items: 10 });
  return { since, until: since, ...summary, waiting: { items: [], total: 0 }, diagnostics: [], ...changes };
}

/** The text that each link stands on, with what it opens. */
function linked(page: RequestResults['since']) {
  const { text, links } = activityDocument(page);
  const lines = text.split('\n');
  return links.map(({ line, start, end, command, arguments: given }) => [
    lines[line]?.slice(start, end),
    command,
    ...given,
  ]);
}

describe('the page of what happened', () => {
  test('names what waits first, then the sums, then plan by plan', () => {
    const waiting = { items: [{ kind: 'needs-input', plan: shop, approval: id, text: 'Which?' } as const], total: 3 };
    const { text } = activityDocument(pageOf({ waiting }));
    const places = [
      '## Waits for you',
      'and 2 more',
      `## ${shop}`,
      '### Commits',
      '### Refused',
      '## The vault itself',
    ];
    const found = places.map((place) => text.indexOf(place));
    expect(found).toEqual([...found].sort((a, b) => a - b));
    expect(found).not.toContain(-1);
  });

  test('leads to plans, commits, sessions, messages and questions, each on its own text', () => {
    const waiting = { items: [{ kind: 'needs-input', plan: shop, approval: id, text: 'Which?' } as const], total: 1 };
    expect(linked(pageOf({ waiting }))).toEqual([
      [`${shop}: needs-input: Which?`, 'openApproval', id],
      [shop, 'openPlan', shop],
      [expect.stringContaining('Pay'), 'openCause', { kind: 'commit', id: 'c0ffee' }],
      ['claims, 2 times', 'openSession', id, shop],
      ['no receiver yet: Look', 'openCause', { kind: 'message', id }],
    ]);
  });

  test('says if nothing happened, and what could not be read', () => {
    const empty = summarizeActivity([], { plans: 1, items: 1 });
    const problem = { code: 'journal/corrupt', severity: 'error', message: 'Line 1 is bad', subject: 'x' } as const;
    const { text } = activityDocument(pageOf({ ...empty, diagnostics: [problem] }));
    expect(text).toMatch(/Nothing happened\.\n\nNothing waits for you\.\n/);
    expect(text).toMatch(/## Left out\n\n- Line 1 is bad\n$/);
  });
});
