import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/base/errors.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic, failure } from '../../../src/model/codes.ts';
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
  statements: [''],
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
const noEntries = { entries: [], total: 0, more: 0, isAtMost: false, diagnostics: [] };
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
  const used: unknown[] = [];
  const record_use = (params: unknown) => {
    used.push(params);
    return { entries: [] };
  };
  return { ...(await run(args, { record_use, [name]: handler })), seen, used };
}

test('entries are listed with their paths and what they are', async () => {
  const { code, stdout, seen } = await sent('entries', ['list', '--axis', 'tools', '--tag', 'retry', '--tag', 'net'], {
    ...{ entries: [row, { ...row, title: 'B', status: 'staged' }], total: 5, more: 3, isAtMost: true, diagnostics: [] },
  });
  expect(code).toBe(0);
  expect(seen).toMatchObject([{ axis: 'tools', tags: ['retry', 'net'], limit: 200 }]);
  expect(stdout).toBe(
    'STATUS        CONFIDENCE  KIND       TITLE                 PATH\n' +
      'consolidated  medium      heuristic  Retries need a limit  knowledge/tools/retries.md\n' +
      'staged        medium      heuristic  B                     knowledge/tools/retries.md\n' +
      'At most 3 more entries. `--after knowledge/tools/retries.md` lists the next ones.\n',
  );
  const none = await sent('entries', [], noEntries);
  expect(none.stdout).toBe('There are no entries yet. Add one with `ravel knowledge add TITLE --body TEXT`.\n');
  const filtered = await sent('entries', ['list', '--tag', 'net'], noEntries);
  expect(filtered.stdout).toContain('No entry fits. Add one');
  const last = await sent('entries', ['list', '--after', 'knowledge/z.md'], noEntries);
  expect([last.seen, last.stdout]).toMatchObject([[{ after: 'knowledge/z.md' }], 'No more entries.\n']);
});

test('a long title makes room for the paths, which are never cut', async () => {
  const path = `knowledge/languages/${'long-name-'.repeat(8)}.md`;
  const rows = [{ ...row, title: 'A title of many words that says a great deal', entry: path }];
  const { stdout } = await sent('entries', ['list'], { ...noEntries, entries: rows, total: 1 });
  expect(stdout).toContain(`consolidated  medium      heuristic  A title of many words that says a great…  ${path}\n`);
});

test('an unknown project is not one without entries', async () => {
  const handlers: FakeHandlers = {
    entries: () => noEntries,
    projects: () => ({ projects: [{ name: 'shop', plans: 1 }], diagnostics: [] }),
  };
  expect((await run(['list', '--project', 'shop'], handlers)).code).toBe(0);
  expect(await run(['list', '--project', 'nope'], handlers)).toMatchObject({
    ...{ code: 3, stderr: expect.stringContaining('There is no project "nope" in this vault.') },
  });
});

test('an entry is shown with its links and uses, and nothing in it acts on the terminal', async () => {
  const { code, stdout, used } = await sent('entry', ['show', 'Retries'], page);
  expect(code).toBe(0);
  expect(used).toEqual([{ entry: page.row.entry }]);
  expect(stdout).toContain('Text with \\u{1b}[31mcolour\\u{1b}[0m and \\u{202e}turned.');
  expect(stdout).toContain('weight 6: 2 citations, 1 opening, 1 confirmation, shown 9 times, last 2026-11-20');
  expect(stdout).toContain('related: Timeouts (knowledge/tools/timeouts.md)');
  expect(stdout).toContain('body: None (no entry has this name)');
  expect(stdout).toContain('Linked from\n  related: Old (knowledge/tools/old.md)');
});

test('an entry says where it was learned, and its text is not broken', async () => {
  const line = 'A client that tries again without a limit keeps a server down. '.repeat(3).trim();
  const fields = {
    origins: [
      { project: 'shop', date: '2026-01-02', context: 'Proven by shop/project-root: it held' },
      { project: 'bank', date: '2026-02-03' },
    ],
    ...{ source: 'shop/project-root', 'absorbed-by': 'expert:net', 'absorbed-at': '2026-01-02' },
    'ingestion-event-id': '01JD0000000000000000000000-1',
  };
  const { stdout } = await sent('entry', ['show', 'Retries'], { ...page, fields, body: `\n${line}\n` });
  expect(stdout).toContain(
    [
      '  learned     shop, 2026-01-02: Proven by shop/project-root: it held',
      '  learned     bank, 2026-02-03',
      '  source      shop/project-root',
      '  absorbed by expert:net',
      '  absorbed    2026-01-02',
      '  ingestion   01JD0000000000000000000000-1',
    ].join('\n'),
  );
  expect(stdout).toContain(`\n${line}\n`);
});

test('links end with 2 if anything is an error', async () => {
  const warning = diagnostic('entry/brokenLink', 'knowledge/a.md', 'It names no entry.', { severity: 'warning' });
  const error = diagnostic('entry/duplicateId', 'knowledge/b.md', 'It is taken.');
  const links = (diagnostics: Diagnostic[], unreadable = 0) =>
    run(['links'], { knowledge_links: () => ({ diagnostics, entries: 2, unreadable }) });
  expect(await links([warning])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2 entries: 1 warning\.$/m) });
  expect((await links([error, warning])).code).toBe(2);
  expect((await links([])).stdout).toBe('2 entries: all links are fine.\n');
  expect((await links([], 2)).stdout).toBe(
    '2 entries: all links are fine.\n' + '2 files could not be read; `ravel verify` says why.\n',
  );
});

test('gaps are shown with unreadable ones, and are whole in JSON', async () => {
  const gaps = [{ kind: 'tag', text: 'The tag "x" is used once.', entries: ['knowledge/a.md'] }];
  const damaged = diagnostic('knowledge/unreadableGap', 'x', 'x.json cannot be read as a gap of knowledge');
  const answer = { gaps, diagnostics: [damaged] };
  const { stdout } = await sent('knowledge_gaps', ['gaps'], answer);
  expect(stdout).toMatch(/^1 tag is used once: x\n.*x\.json/s);
  const { stdout: json } = await sent('knowledge_gaps', ['gaps', '--json'], answer);
  expect(JSON.parse(json)).toMatchObject({ result: { gaps } });
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
      'Added “A”.\n  knowledge/uncategorized/a.md\n',
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
  [['merge', 'A', ' a'], /Name two different entries\./],
  [['contradict', 'A', 'A', '--reason', 'x'], /Name two different entries\./],
  [['supersede', 'A', '--by', 'A', '--reason', 'x'], /Name two different entries\./],
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

test('an entry is shown although its opening cannot be counted', async () => {
  const { code, stdout } = await run(['show', 'Retries'], {
    entry: () => page as never,
    record_use: () => {
      throw failure('disk/denied', '/vault', 'The disk is read-only.');
    },
  });
  expect(code).toBe(0);
  expect(stdout).toContain('is not counted: ');
  expect(stdout).toContain('Retries need a limit');
});
