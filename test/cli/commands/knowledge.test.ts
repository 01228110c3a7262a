import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import type { EntryPage, EntryRow } from '../../../src/model/requests/knowledge.ts';
import type { FakeHandlers } from '../../support/fakeApi.ts';
import { createFakePorts } from '../fakePorts.ts';

const row: EntryRow = {
  ...{ entry: 'knowledge/tools/retries.md', title: 'Retries need a limit', kind: 'heuristic', status: 'consolidated' },
  ...{ confidence: 'medium', tags: ['retry', 'net'], axis: 'tools', project: '', version: 3, bytes: 1234 },
  ...{ file: '/vault/knowledge/tools/retries.md', created: '2026-01-02' },
};
const page: EntryPage = {
  row,
  fields: {},
  body: '\nText with \u001b[31mcolour\u001b[0m and \u202eturned.\n',
  isCut: false,
  links: [
    { key: 'related', target: 'Timeouts', leadsTo: [{ entry: 'knowledge/tools/timeouts.md', title: 'Timeouts' }] },
    { key: 'body', target: 'None', leadsTo: [] },
  ],
  backlinks: [{ key: 'related', entry: 'knowledge/tools/old.md', title: 'Old' }],
  uses: {
    shown: 9,
    cited: 2,
    opened: 1,
    confirmed: 1,
    weight: 6,
    sessions: 2,
    projects: 1,
    last: '2026-11-20T08:00:00Z',
  },
};
const changed = { did: 'Add A', entries: ['knowledge/uncategorized/a.md'], diagnostics: [] };

async function run(args: readonly string[], handlers: FakeHandlers = {}) {
  const ports = await createFakePorts(handlers);
  return { code: await runCommandLine(['knowledge', ...args], ports), ...ports.written, asked: ports.asked };
}

/** Runs a command over a request that takes any parameters; returns them with the output. */
async function sent(name: keyof FakeHandlers, args: readonly string[], answer: object = changed) {
  const seen: unknown[] = [];
  const handler = (params: unknown) => {
    seen.push(params);
    return answer as never;
  };
  return { ...(await run(args, { [name]: handler })), seen };
}

test('entries are listed with their paths and what they are', async () => {
  const { code, stdout, seen } = await sent('entries', ['list', '--axis', 'tools', '--tag', 'retry', '--tag', 'net'], {
    ...{ entries: [row, { ...row, title: 'B', status: 'staged' }], total: 5, diagnostics: [] },
  });
  expect(code).toBe(0);
  expect(seen).toMatchObject([{ axis: 'tools', tags: ['retry', 'net'], limit: 200 }]);
  expect(stdout).toBe(
    'Retries need a limit  knowledge/tools/retries.md  heuristic medium #retry #net\n' +
      'B                     knowledge/tools/retries.md  heuristic medium staged #retry #net\n' +
      '3 more entries; see --limit.\n',
  );
  const none = await sent('entries', [], { entries: [], total: 0, diagnostics: [] });
  expect(none.stdout).toContain('No entry fits.');
});

test('an entry is shown with its links and uses, and nothing in it acts on the terminal', async () => {
  const { code, stdout } = await sent('entry', ['show', 'Retries'], page);
  expect(code).toBe(0);
  expect(stdout).toContain('Text with \\u{1b}[31mcolour\\u{1b}[0m and \\u{202e}turned.');
  expect(stdout).toContain('weight 6: 2 citations, 1 opening, 1 confirmation, shown 9 times, last 2026-11-20');
  expect(stdout).toContain('related: Timeouts (knowledge/tools/timeouts.md)');
  expect(stdout).toContain('body: None (no entry has this name)');
  expect(stdout).toContain('Linked from\n  related: Old (knowledge/tools/old.md)');
});

test('links end with 2 if anything is an error', async () => {
  const warning = diagnostic('entry/brokenLink', 'knowledge/a.md', 'It names no entry.', { severity: 'warning' });
  const error = diagnostic('entry/duplicateId', 'knowledge/b.md', 'It is taken.');
  const warned = await sent('knowledge_links', ['links'], { diagnostics: [warning], entries: 2 });
  expect([warned.code, warned.stdout]).toEqual([0, expect.stringContaining('2 entries: 1 warning.')]);
  expect((await sent('knowledge_links', ['links'], { diagnostics: [error, warning], entries: 2 })).code).toBe(2);
  const fine = await sent('knowledge_links', ['links'], { diagnostics: [], entries: 1 });
  expect(fine.stdout).toBe('1 entry: all links are fine.\n');
});

test('gaps name the one entry that they are about', async () => {
  const gaps = [
    { kind: 'tag', text: 'The tag "x" is used once.', entries: ['knowledge/a.md'] },
    { kind: 'language', text: 'Few.', entries: ['knowledge/a.md', 'knowledge/b.md'] },
  ];
  const { stdout } = await sent('knowledge_gaps', ['gaps'], { gaps, diagnostics: [] });
  expect(stdout).toBe('The tag "x" is used once.  knowledge/a.md\nFew.\n');
  expect((await sent('knowledge_gaps', ['gaps'], { gaps: [], diagnostics: [] })).stdout).toBe('No gaps were found.\n');
  const damaged = diagnostic('knowledge/unreadableGap', 'x', 'x.json cannot be read as a gap of knowledge');
  expect((await sent('knowledge_gaps', ['gaps'], { gaps: [], diagnostics: [damaged] })).stdout).toContain('x.json');
});

describe('a change is made by the owner, and says what it did:', () => {
  const reason = ['--reason', 'Why'];
  test.each<[keyof FakeHandlers, readonly string[], object]>([
    [
      'add_entry',
      ['add', 'A', '--body', 'Text', '--tag', 'x', '--alias', 'B'],
      { title: 'A', body: 'Text', tags: ['x'], aliases: ['B'], confidence: 'low' },
    ],
    ['validate_entry', ['validate', 'A', '--project', 'shop'], { entry: 'A', project: 'shop' }],
    ['supersede_entry', ['supersede', 'A', '--by', 'B', ...reason], { entry: 'A', by: 'B', reason: 'Why' }],
    [
      'supersede_entry',
      ['supersede', 'A', '--text', 'New', '--section', 'S', '--confidence', 'high', ...reason],
      { text: 'New', section: 'S', confidence: 'high' },
    ],
    ['contradict_entry', ['contradict', 'A', 'B', ...reason], { entry: 'A', other: 'B', reason: 'Why' }],
    ['rename_entry', ['rename', 'A', 'B'], { entry: 'A', title: 'B' }],
    ['merge_entries', ['merge', 'A', 'B'], { entry: 'A', into: 'B' }],
    ['archive_entry', ['archive', 'A', ...reason], { entry: 'A', reason: 'Why' }],
    ['restore_entry', ['restore', 'A'], { entry: 'A' }],
  ])('%s %j', async (name, args, params) => {
    const { code, stdout, seen, asked } = await sent(name, args);
    expect([code, seen, stdout]).toEqual([
      0,
      [expect.objectContaining(params)],
      'Add A.\n  knowledge/uncategorized/a.md\n',
    ]);
    expect(asked).toContain('open /vault as owner');
  });
});

test('a deletion says how to approve it', async () => {
  const answer = { approval: '01JD0000000000000000000000', entry: 'knowledge/a.md' };
  const { code, stdout } = await sent('delete_entry', ['delete', 'A', '--reason', 'Why'], answer);
  expect(code).toBe(0);
  expect(stdout).toContain('ravel approvals accept 01JD0000000000000000000000');
});

test.each<[readonly string[], RegExp]>([
  [['add', 'A'], /--body or --from/],
  [['add', 'A', '--body', 'x', '--from', 'y'], /--body or --from/],
  [['add', 'A', '--body', 'x', '--confidence', 'high'], /"high" is not possible there/],
  [['supersede', 'A', '--reason', 'x'], /--by or --text/],
  [['list', '--status', 'gone'], /"gone" is not possible there/],
  [['list', '--axis', 'tool'], /"tool" is not possible there; use languages, domains, .*, uncategorized/],
  [['list', '--limit', '0'], /not a whole number/],
  [['archive', 'A'], /reason/],
])('%j is refused', async (args, message) => {
  const { code, stderr } = await run(args);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
});

test('exploring prints what is open, worth proving, worth connecting and missing, bounded', async () => {
  const entry = (name: string) => ({ entry: `knowledge/tools/${name}.md`, title: name });
  const found = {
    gaps: [{ kind: 'tag', text: 'The tag "x" is used once.', entries: ['knowledge/tools/x.md'] }],
    questions: [
      { question: 'What is a\npin?', times: 3, last: '2026-01-01', experts: ['expert:rust'], missing: 'pins' },
    ],
    connections: [{ tags: ['a', 'b'], score: 0.8123, isCited: true, pairs: 2, entries: [entry('One'), entry('Two')] }],
    unproven: [{ ...entry('Idea'), confidence: 'prospective', citations: 4 }],
    totals: { gaps: 1, questions: 1, connections: 9, unproven: 1 },
    compared: { entries: 3000, of: 9000 },
    diagnostics: [],
  };
  const { stdout, seen } = await sent('explore_knowledge', ['explore', '--tag', '#a', '--axis', 'tools'], found);
  expect(seen).toEqual([{ tag: 'a', axis: 'tools' }]);
  expect(stdout).toBe(
    [
      'Questions that experts could not answer',
      ...['  3× What is a pin?', '      expert:rust', '      missing: pins', ''],
      'Worth proving: others rely on it',
      ...['  Idea (prospective, 4 citations)', '      knowledge/tools/Idea.md', ''],
      'Tags that may belong together',
      ...[
        '  #a and #b (0.81, cited, 2 pairs)',
        '      One (knowledge/tools/One.md)',
        '      Two (knowledge/tools/Two.md)',
      ],
      ...['  … and 8 more.', ''],
      'Gaps',
      ...['  The tag "x" is used once.', '      knowledge/tools/x.md'],
      'Of 9000 entries with a tag, 3000 were compared.',
      '',
    ].join('\n'),
  );
  const nothing = { gaps: [], questions: [], connections: [], unproven: [], compared: { entries: 0, of: 0 } };
  const empty = { ...found, ...nothing };
  expect((await sent('explore_knowledge', ['explore'], empty)).stdout).toContain('Nothing was found');
});

test('a text of others is handed in, and what is kept and refused is printed; one that is too large is refused', async () => {
  const report = {
    kept: [{ entry: 'knowledge/tools/a.md', title: 'A', passage: 'a' }],
    refused: [{ title: 'B', reason: 'It is\nknown.' }],
    unread: [],
  };
  const ports = await createFakePorts({ read_horizon: () => report }, { stdin: 'An article.' });
  expect(await runCommandLine(['knowledge', 'horizon', '--source', 'talk'], ports)).toBe(0);
  expect(ports.written.stdout).toBe(
    'Kept: A\n  knowledge/tools/a.md\nRefused: B: It is known.\n1 statement kept as prospective, 1 refused.\n',
  );
  const large = await createFakePorts({}, { stdin: 'x'.repeat(1_000_001) });
  expect(await runCommandLine(['knowledge', 'horizon'], large)).toBe(2);
  expect(large.written.stderr).toMatch(/more than 1 MB.*one by one/s);
});
