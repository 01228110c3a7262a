import { expect, test } from 'vitest';
import { placesOfVault } from '../../../src/access/placesOfVault.ts';
import { chooseLink, noLink } from '../../../src/cli/render/link.ts';
import { formatSince } from '../../../src/cli/render/since.ts';
import { colourStyle, plainStyle } from '../../../src/cli/render/style.ts';
import { terminalText } from '../../../src/cli/render/terminalText.ts';
import { type ActivityFact, summarizeActivity } from '../../../src/model/activity.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';

const plan = toQualifiedId('shop/project-root');
const session = '01HZY0000000000000000000S1' as Ulid;
const approval = '01HZY0000000000000000000A1' as Ulid;
const at = { of: plan, atMs: 1, endedAt: '2026-01-02T03:04:05Z' };
const facts: readonly ActivityFact[] = [
  {
    ...{ kind: 'phase', of: plan, atMs: 1 },
    record: {
      ...{ phase: 'work', session, end: 'finished', summary: 'Done.', endedAt: at.endedAt, task: 'pay' },
      refusals: { claims: 2 },
    },
  },
  {
    ...{ kind: 'rollback', of: plan, atMs: 2 },
    record: {
      ...{ rollback: 'c0ffee00c0ffee00', cycle: 1, isAfterCycle: true, endedAt: at.endedAt, by: 'ada' },
      ...{ files: ['memory.yaml'], commits: [{ commit: 'a1b2c3d4e5f6', title: 'Put shop back' }] },
    },
  },
];
const since = {
  ...{ since: at.endedAt, until: at.endedAt, ...summarizeActivity(facts, { plans: 20, items: 10 }), diagnostics: [] },
  waiting: { total: 1, items: [{ kind: 'needs-input', plan, approval, text: 'Which colour?' } as const] },
};
const places = placesOfVault('/vault');

test('a rollback is shown as what it is, with who did it and the commit that has it', () => {
  const lines = formatSince(since, { style: plainStyle, columns: 100, link: noLink, places });
  expect(lines.slice(1)).toEqual([
    '',
    'shop/project-root  1 phase · 1 rollback · 2 refusals by gates',
    '  Tasks',
    '    pay',
    '  Put back',
    '    a1b2c3d4 ada put it back as it was at c0ffee00c0ff: 1 file',
    '  Refused by gates',
    '    000000S1 claims, 2 times',
    '',
    'In all  1 plan · 1 phase · 1 rollback · 2 refusals by gates',
    '',
    'Waits for you (1)',
    `  shop/project-root  needs-input: Which colour?  (ravel approvals show ${approval})`,
  ]);
});

test('in a terminal that shows links, a plan, a session and a question open their files', () => {
  const link = chooseLink(colourStyle, { TERM_PROGRAM: 'vscode' });
  const lines = formatSince(since, { style: colourStyle, columns: 40, link, places });
  const [, ...found] = terminalText(lines.join('\n'), colourStyle).split(';file:');
  expect(found.map((one) => one.split('\u001b').slice(0, 2))).toEqual([
    ['///vault/projects/shop/project-root/backlog.yaml', '\\shop/project-root'],
    [`///vault/runtime/sessions/${session}/transcript.jsonl`, '\\000000S1 claims, 2 times'],
    [`///vault/runtime/approvals/${approval}.yaml`, '\\shop/project-root  needs-input: Which…'],
  ]);
});
