import { describe, expect, test } from 'vitest';
import { approvalPage } from '../../src/decisions/approvalPage.ts';
import {
  type Approval,
  type ApprovalKind,
  approvalKinds,
  approvalRows,
  isVaultApproval,
  optionsOf,
} from '../../src/model/approval.ts';
import type { Ulid } from '../../src/model/id.ts';
import { demoPlan } from '../support/planServices.ts';

const id = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const conflict = {
  list: 'tasks',
  record: 'one',
  field: 'status',
  base: 'x',
  session: 'done',
  person: ['a'],
  reason: 'Both.',
};

const details: Readonly<Record<ApprovalKind, unknown>> = {
  'merge-conflict': { 'backlog.yaml': [conflict] },
  'unattributed-change': {
    files: [
      { file: 'memory.yaml', before: 'h1', now: 'h2', was: 'a\nb\nc\n', is: 'a\nx\ny\nc\n' },
      { file: 'new.md', before: null, now: 'h3', is: 'new\n' },
      { file: 'gone.md', before: 'h4', now: null, was: 'old\n' },
      { file: 'long.md', before: 'h5', now: 'h6', was: 'old\n' },
      { file: 'lost.md', before: 'h7', now: 'h8', is: 'new\n' },
    ],
  },
  'tool-request': { tool_name: 'Bash', input: { command: 'frobnicate\n--all' } },
  'needs-input': { question: 'Which colour?' },
  'dirty-source-changed': {
    paths: [
      { path: 'a.txt', before: 'h', now: null },
      { path: 'b.txt', before: 'h', now: 'i' },
    ],
  },
  'branch-changed': { before: 'main', now: null },
  'rule-suggestion': {
    rule: { id: 'refunds', any: ['refund'], target: demoPlan },
    by: 'level-2',
    reason: 'r',
    messages: [],
  },
  'unroutable-message': { candidates: [{ recipient: demoPlan, score: 0.4, parts: {} }], body: 'b', why: 'w' },
  'entry-deletion': { title: 'A', project: '', path: 'a.md', isArchived: false, hash: 'h', reason: 'r', text: 't' },
  'learned-statement': {
    ...{ ingestion: '01JD0000000000000000000000', at: 0, title: 'A', body: 'b', claims: ['c'] },
    positions: [{ expert: 'expert:rust', verdict: 'reject', reason: 'r', contradicts: [] }],
  },
  'contradicting-entries': { older: 'knowledge/a.md', newer: 'knowledge/b.md', olderText: 'a', newerText: 'b' },
  'new-plans': {
    ...{ under: demoPlan, goal: 'Search the shop', notes: [] },
    proposal: { description: 'Find things', plans: [{ slug: '.', tasks: [{ title: 'Index the catalogue' }] }] },
  },
  'goal-question': {
    ...{ under: demoPlan, goal: 'Search the shop', questions: ['By colour?'] },
    ...{ session: '01JD0000000000000000000000', next: '01JD0000000000000000000001' },
  },
  'entry-graduation': { path: 'knowledge/a.md', title: 'A', text: 't', hash: 'h' },
  'programs-changed': {
    files: [{ file: '.envrc', before: 'file:1', now: 'file:2', was: 'a\nb\n', is: 'a\nx\n' }],
    count: 3,
  },
  'repository-hooks': { files: [{ path: 'pre-work.sh', sha256: '0123456789abcdef', text: 'true\n' }] },
};

function pageOf(kind: ApprovalKind, of: unknown = details[kind]) {
  const approval: Approval = {
    ...{
      id,
      kind,
      plan: demoPlan,
      session: id,
      subject: 'It asks.',
      createdAt: '2026-01-02T03:04:05Z',
      contentHash: 'h',
    },
    ...{ options: [...optionsOf(kind, of)], details: of },
  };
  return approvalPage(approval, '/vault/a.yaml', isVaultApproval(kind) ? { shown: 'So it stands.\n' } : undefined);
}

describe('an approval page', () => {
  test.each([
    ['merge-conflict', ['backlog.yaml › tasks › one › status', '    x', '    done', '    - a']],
    [
      'unattributed-change',
      [
        'memory.yaml was changed:\n  line 2:\n  - b\n  + x\n  + y\n',
        ...['new.md is new:', '  + new', 'gone.md is gone:', '  - old'],
        ...['long.md was changed; its text is not shown here.', 'lost.md was changed; what it was is not known.'],
      ],
    ],
    ['tool-request', ['Bash\n  command:\n    frobnicate\n    --all\n']],
    ['needs-input', ['Which colour?']],
    ['dirty-source-changed', ['- a.txt (gone now)', '- b.txt']],
    ['branch-changed', ['main', 'no branch']],
    ['programs-changed', ['.envrc was changed:\n  line 2:\n  - b\n  + x', 'and 2 more files']],
    ['repository-hooks', ['pre-work.sh  (sha256 0123456789ab)', '  true']],
    ['rule-suggestion', ['So it stands.']],
    ['unroutable-message', ['So it stands.']],
  ] as const)('shows the details of %s', (kind, parts) => {
    const { shown } = pageOf(kind);
    for (const part of parts) expect(shown).toContain(part);
  });

  test('shows the findings of a conflict that cannot be merged, and offers only to reject it', () => {
    const page = pageOf('merge-conflict', { findings: ['one depends on two'] });
    expect(page.shown).toBe('- one depends on two');
    expect(page.answers.map(({ decision }) => decision)).toEqual(['reject']);
    expect(page).not.toHaveProperty('form');
  });
});

describe('the page of a tool that a session asks for', () => {
  const request = { folder: '/code/shop', confinement: 'confined', reason: 'It is not on the list.' };
  const shownOf = (tool: string, input: object) => pageOf('tool-request', { ...request, tool_name: tool, input }).shown;

  test('says where it would run, why it is asked, and how to be asked no more', () => {
    expect(shownOf('Bash', { command: "echo 'it''s'", timeout: 3000 })).toBe(
      `Bash, in /code/shop, confined
  command:
    echo 'it''s'
  timeout:
    3000

Why you are asked: It is not on the list.

To stop questions about a command, allow it in \`policy.yaml\` of the vault, which takes effect at once.`,
    );
    expect(shownOf('Write', { file_path: '/code/shop/.envrc', content: 'x' })).not.toContain('policy.yaml');
  });

  test('says that the network is open while it runs, in accepting as well', () => {
    const { shown, answers } = pageOf('tool-request', {
      ...{ ...request, tool_name: 'Bash', input: { command: 'npm ci' }, network: 'open' },
    });
    expect(shown).toMatch(/^Bash, in \/code\/shop, confined, with the network open\n/);
    expect(shown).toContain('set `sandbox.network`');
    expect(shown).not.toContain('policy.yaml');
    const [accept] = answers;
    expect(accept).toMatchObject({
      decision: 'accept',
      does: expect.stringContaining('opens the network while it runs'),
    });
    expect(pageOf('tool-request').answers[0]?.does).not.toContain('network');
  });

  const hidden: Readonly<Record<string, readonly [command: string, shown: string]>> = {
    'an escape of a terminal': ['ls \u001b[2K', 'ls \\u{1b}[2K'],
    'a mark of direction': ['ls \u202e gnp.exe', 'ls \\u{202e} gnp.exe'],
    'a blank that has no width': ['l\u200bs', 'l\\u{200b}s'],
    'a return to the start of the line': ['rm x\rls', 'rm x\\u{d}ls'],
    'text in tags': ['ls \u{e0041}', 'ls \\u{e0041}'],
    'a line that looks like one of the page': ['ls\nWhy you are asked: No.', 'ls\n    Why you are asked: No.'],
  };
  test.each(Object.entries(hidden))('shows %s', (_name, [command, shown]) => {
    expect(shownOf('Bash', { command })).toContain(`    ${shown}`);
  });

  test('leaves out the middle of a long text, and says where the whole text is', () => {
    const shown = shownOf('Bash', { command: `first ${'x'.repeat(100_000)} last` });
    expect(shown.length).toBeLessThan(20_000);
    expect(shown).toContain('first x');
    expect(shown).toContain('x last\n');
    expect(shown).toMatch(/\n\([\d,]+ characters are left out here; all of it is in \/vault\/a\.yaml\)\n/);
  });
});

test.each(approvalKinds)('the page of %s offers every answer with its effect', (kind) => {
  const { answers, asks } = pageOf(kind);
  expect(asks).toBe(approvalRows[kind].asks);
  const { accept, edit, reject, text } = approvalRows[kind];
  const accepted = typeof accept === 'string' ? [{ decision: 'accept', does: accept }] : undefined;
  const options = typeof accept === 'string' ? [] : Object.entries(accept);
  const named = typeof accept === 'string' ? optionsOf(kind, details[kind]) : [];
  expect(answers).toEqual([
    ...named.map((option) => ({ decision: 'accept', option, does: accept })),
    ...(accepted ?? options.map(([option, does]) => ({ decision: 'accept', option, does }))).map((answer) => ({
      ...answer,
      ...(text !== undefined && { text }),
    })),
    ...(edit === undefined ? [] : [{ decision: 'edit', does: edit }]),
    { decision: 'reject', does: reject },
  ]);
});

test('the page of an approval that can be edited has a form to fill in', () => {
  expect(pageOf('merge-conflict').form).toMatch(/conflict: backlog\.yaml 1[\s\S]*yours:[\s\S]*result:/);
  expect(pageOf('dirty-source-changed').form).toMatch(/a\.txt: leave-out\n {2}b\.txt: leave-out\n$/);
  expect(pageOf('needs-input')).not.toHaveProperty('form');
});
