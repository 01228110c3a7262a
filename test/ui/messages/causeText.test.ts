import { expect, test } from 'vitest';
import type { QualifiedId, Ulid } from '../../../src/model/id.ts';
import type { CauseNode } from '../../../src/model/requests/causality.ts';
import { answerText, causeDocument } from '../../../src/ui/messages/causeText.ts';

const at = '2026-11-22T10:00:00Z';
const nodes: CauseNode[] = [
  { key: 'person:ada', kind: 'person', id: 'ada', title: 'ada', at },
  {
    key: 'session:01S',
    kind: 'session',
    id: '01S',
    plan: 'shop/project-root',
    title: 'work session',
    detail: 'finished',
  },
  { key: 'commit:abc', kind: 'commit', id: 'abc', title: 'commit abc\n# Not a heading' },
];
const links = [
  { from: 'person:ada', to: 'session:01S', how: 'began' },
  { from: 'session:01S', to: 'commit:abc', how: 'was committed as' },
];
const trace = { subject: 'commit:abc', nodes, links, gaps: ['The transcript is gone.'] };

test('a cause document shows each node below its cause, and the gaps at the end', () => {
  expect(causeDocument(trace).text.split('\n')).toEqual([
    '# Why: commit abc # Not a heading',
    '',
    `- ada · ${at}`,
    '  - began work session',
    '    > finished',
    '    - was committed as commit abc # Not a heading  ← this',
    '',
    '## Unknown',
    '',
    '- The transcript is gone.',
    '',
  ]);
});

test('another cause comes before its effect, as the words of a link go from cause to effect', () => {
  const both = [...links, { from: 'person:ada', to: 'commit:abc', how: 'committed' }];
  const lines = causeDocument({ ...trace, links: both }).text.split('\n');
  expect(lines).toContain('      > also: "ada" committed this');
});

test('a link covers just the name it leads to, and a commit carries its session', () => {
  const { text, links: spans } = causeDocument(trace);
  const lines = text.split('\n');
  const names = spans.map(({ line, start, end, node, session }) => [
    lines[line]?.slice(start, end),
    node.id,
    session?.id,
  ]);
  expect(names).toEqual([
    ['work session', '01S', undefined],
    ['commit abc # Not a heading', 'abc', '01S'],
  ]);
});

test('an answer is shown with its question and citations, and quoted text makes no heading', () => {
  const by = 'shop/project-root' as QualifiedId;
  const answer = { query: '01Q' as Ulid, question: 'Why?\n# So?', from: 'person', by, at, state: 'answered' } as const;
  const text = answerText({ ...answer, text: 'Because.', citations: ['memory#till'] });
  expect(text).toMatch(/^# Answer of shop\/project-root\n/);
  expect(text).toContain('> Why?\n> # So?');
  expect(text).toMatch(/## Sources\n\n- memory/);
  expect(answerText({ ...answer, state: 'refused', text: 'No.', citations: [] })).toMatch(/^# .*does not answer/);
});
