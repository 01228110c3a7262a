import { describe, expect, test } from 'vitest';
import { localTime } from '../../../src/base/localTime.ts';
import { formatsOf } from '../../../src/cli/render/recordFormats.ts';
import { formatChange, formatRecords, type RecordView } from '../../../src/cli/render/records.ts';
import { chooseStyle } from '../../../src/cli/render/style.ts';
import { type VerbName, verbNames, verbs } from '../../../src/model/verbs.ts';

const style = chooseStyle({ isTty: false, colorFlag: false, environment: {} });

function show(name: VerbName, result: unknown, view: Partial<RecordView> = {}): string[] {
  return formatRecords(name, result, { format: 'text', style, columns: 80, ...view });
}

const task = (id: string, fields: object = {}) => ({
  id,
  title: `Task ${id}`,
  category: 'core',
  status: 'not_started',
  dependencies: [],
  ...fields,
});
const tasks = [
  task('b', { dependencies: ['a', 'x'] }),
  task('d', { status: 'done', category: 'api', title: 'Pipe | and\nline' }),
  task('a'),
  task('p', { status: 'blocked', dependencies: ['q'] }),
  task('q', { status: 'blocked', dependencies: ['p'] }),
];

describe('a backlog', () => {
  test('is shown as a table in the order of the file', () =>
    expect(show('backlog/list', { tasks: tasks.slice(0, 2) })).toEqual([
      'ID  STATUS       CATEGORY  DEPENDS ON  TITLE',
      'b   not_started  core      a, x        Task b',
      'd   done         api       —           Pipe | and line',
    ]));

  test('a backlog that is too wide shows title and dependencies below each task', () => {
    const long = 'implement-the-staging-directory-with-its-rendering';
    const list = [task(long, { category: 'api', title: 'Render\nit' }), task('b', { dependencies: [long, 'x'] })];
    expect(show('backlog/list', { tasks: list }, { columns: 60 })).toEqual([
      'STATUS       CATEGORY  ID',
      `not_started  api       ${long}`,
      '    Render it',
      'not_started  core      b',
      '    Task b',
      '    depends on',
      `    ${long}, x`,
    ]);
  });

  test('grouped by status is sorted so that dependencies come first', () => {
    const lines = show('backlog/list', { tasks }, { groupBy: 'status' });
    expect(lines.map((line) => line.trim().split(/ +/)[0])).toEqual([
      ...['not_started', 'ID', 'a', 'b', ''],
      ...['blocked', 'ID', 'p', 'q', ''],
      ...['done', 'ID', 'd'],
    ]);
  });

  test('in Markdown is a table for each category, without ids and with escaped cells', () =>
    expect(show('backlog/list', { tasks }, { format: 'markdown' })).toEqual([
      '## api',
      '',
      '| title | status | deps |',
      '| --- | --- | --- |',
      '| Pipe \\| and line | done | — |',
      '',
      '## core',
      '',
      '| title | status | deps |',
      '| --- | --- | --- |',
      '| Task a | not_started | — |',
      '| Task b | not_started | a, x |',
      '| Task p | blocked | q |',
      '| Task q | blocked | p |',
    ]));

  test('in Markdown grouped by status has a heading for each status', () => {
    const lines = show('backlog/list', { tasks }, { format: 'markdown', groupBy: 'status' });
    expect(lines.filter((line) => line.startsWith('#'))).toEqual(['## not_started', '## blocked', '## done']);
  });

  test('without tasks says so', () => {
    expect(show('backlog/list', { tasks: [] })).toEqual(['No tasks.']);
    expect(show('backlog/list', { tasks: [] }, { format: 'markdown' })).toEqual(['_(no tasks)_']);
  });
});

describe('lists', () => {
  test.each<[VerbName, unknown, string[]]>([
    ['memory/list', { entries: [{ id: 'a', title: 'Alpha' }] }, ['ID  TITLE', 'a   Alpha']],
    ['memory/list', { entries: [] }, ['No entries.']],
    [
      'memory/list',
      { entries: ['a', 'b'].map((id) => ({ id, title: `T\n${id}`, body: 'x\n\ny\u001b\n' })) },
      ['T a  a', 'x', '', 'y', '', 'T b  b', 'x', '', 'y'],
    ],
    ['received/list', { messages: [] }, ['No messages wait for triage.']],
    [
      'received/list',
      {
        messages: ['a', 'b'].map((id) => ({
          ...{ id, from: 'person', at: 'T', reason: 'Seen', body: 'One\n\ntwo', state: 'new' },
        })),
      },
      [
        ...['a  new, from person, T', '  Seen', '  │ One', '  │', '  │ two', ''],
        ...['b  new, from person, T', '  Seen', '  │ One', '  │', '  │ two'],
      ],
    ],
    ['message/list', { messages: [] }, ['The plan has sent no messages.']],
    [
      'message/list',
      { messages: [{ id: 'a', to: 'shop', at: 'T', reason: 'Theirs', body: 'One', outcome: 'on its way' }] },
      ['a  to shop, T, on its way', '  Theirs', '  │ One'],
    ],
    [
      'session/list',
      { sessions: [{ id: 's', timestamp: '2026', phase: 'work', title: 'T' }], total: 3 },
      ['ID  WHEN  PHASE  TITLE', 's   2026  work   T', '2 older records; see all with --all.'],
    ],
    [
      'session/list',
      { sessions: [{ id: 's', timestamp: '2026-11-27T03:36:50Z', phase: 'work', title: 'T' }], total: 1 },
      ['ID  WHEN              PHASE  TITLE', `s   ${localTime('2026-11-27T03:36:50Z')}  work   T`],
    ],
    ['session/list', { sessions: [], total: 0 }, ['No session records.']],
    [
      'backlog/lint-dependencies',
      { drifts: [{ id: 'a', missing: ['b', 'c'] }] },
      ['TASK  NAMES WITHOUT DEPENDING ON', 'a     b, c'],
    ],
    ['backlog/lint-dependencies', { drifts: [] }, ['Every task that a description names is also a dependency.']],
    ['phase/show', { phase: 'triage' }, ['triage']],
    ['phase-summary/render', { phase: 'triage', items: [] }, ['No change.']],
    [
      'phase-summary/render',
      { items: [{ label: 'NEW', id: 'a', title: 'Al\npha' }], words: { before: 2, after: 1 } },
      ['[NEW] Al pha (a)', '[STATS] 2 words before', '        1 words after'],
    ],
  ])('show %s of %j', (name, result, expected) => expect(show(name, result)).toEqual(expected));

  test('show the answer of another version as YAML', () =>
    expect(show('memory/list', { entries: 3 })).toEqual(['entries: 3']));
});

test('a record shows short fields in columns and texts below them', () => {
  const record = {
    id: 'a',
    dependencies: ['b', 'c'],
    description: 'One\u001b[2J.\n\nTwo.\n',
    blocked_reason: null,
    evidence: [{ path: 'x' }],
    count: 3,
  };
  expect(show('backlog/show', record)).toEqual([
    'id            a',
    'dependencies  b, c',
    'evidence      - path: x',
    'count         3',
    '',
    'description',
    'One[2J.',
    '',
    'Two.',
  ]);
});

test('a record in YAML or JSON has every field', () => {
  const record = { id: 'a', description: 'One.\nTwo.\n', list: [] };
  expect(show('backlog/show', record, { format: 'yaml' })).toEqual([
    ...['id: a', 'description: |', '  One.', '  Two.', 'list: []'],
  ]);
  expect(JSON.parse(show('backlog/show', record, { format: 'json' }).join('\n'))).toEqual(record);
});

test('only backlog/list can be shown in Markdown', () => {
  const reading = verbNames.filter((name) => 'reads' in verbs[name]);
  expect(reading.filter((name) => formatsOf(name).includes('markdown'))).toEqual(['backlog/list']);
});

describe('the change of a verb', () => {
  const view: RecordView = { format: 'text', style, columns: 80 };
  const change = (name: VerbName, result: unknown, summary: string) => formatChange(name, { result, summary }, view);

  test('is shown as a sentence', () =>
    expect(change('backlog/add', { id: 'a' }, 'added task a')).toEqual(['Added task a.']));

  test('gets no capital letter if it begins with an id', () =>
    expect(change('backlog/set-status', { id: 'two-words' }, 'two-words is done')).toEqual(['two-words is done.']));

  test('lists each repaired status', () => {
    const repairs = [{ id: 'a', from: 'in_progress', to: 'done', reason: 'results_non_empty' }];
    expect(change('backlog/repair-stale-statuses', { repairs }, 'repaired 1 stale status')).toEqual([
      'TASK  STATUS              BECAUSE',
      'a     in_progress → done  results_non_empty',
      'Repaired 1 stale status.',
    ]);
    expect(change('backlog/repair-stale-statuses', { repairs: [] }, 'found no stale statuses')).toEqual([
      'Found no stale statuses.',
    ]);
  });
});
