import { expect, test } from 'vitest';
import type { RequestResults } from '../../../src/model/protocol.ts';
import type { EntryPage } from '../../../src/model/requests/knowledge.ts';
import {
  exploreChoices,
  exploreDocument,
  exploredPart,
  keptChoices,
  linkChoices,
} from '../../../src/ui/knowledge/exploreText.ts';

const found: RequestResults['explore_knowledge'] = {
  gaps: [{ kind: 'language', text: 'languages/zig has 1 entry.', entries: ['knowledge/languages/zig/a.md'] }],
  questions: [
    {
      ...{ question: 'Who pins?\n# Not a heading', times: 2, last: '2026-01-02T03:04:05Z', experts: ['expert:rust'] },
      missing: 'Who calls it',
    },
  ],
  connections: [
    {
      ...{ tags: ['async', 'retry'], score: 0.513, isCited: false, pairs: 1 },
      entries: [
        { entry: 'knowledge/a.md', title: 'A' },
        { entry: 'shop/knowledge/b.md', title: 'B' },
      ],
    },
  ],
  unproven: [{ entry: 'knowledge/c.md', title: 'C [x](y)', confidence: 'low', citations: 3 }],
  totals: { gaps: 30, questions: 1, connections: 1, unproven: 1 },
  compared: { entries: 2, of: 4 },
  diagnostics: [],
};

test('where the knowledge could grow is a page whose stretches open entries, ask again and add', () => {
  const { text, links } = exploreDocument(found, 'tag:async');
  const lines = text.split('\n');
  for (const line of [
    '# Where the knowledge could grow: #async',
    '## Gaps: 1 of 30',
    '- #async and #retry (0.51, 1 pair)',
    '  - Missing: Who calls it',
    '  - Add the entry · ask expert:rust',
    'Of 4 entries with a tag, 2 were compared.',
  ])
    expect(lines).toContain(line);
  expect(lines.some((line) => line.startsWith('# Not'))).toBe(false);
  const shown = links.map(({ line, start, end, to }) => [lines[line]?.slice(start, end), to] as const);
  expect(shown).toContainEqual(['B', { command: 'ravel.openEntry', arguments: [null, 'shop/knowledge/b.md'] }]);
  expect(shown).toContainEqual(['ask expert:rust', { command: 'ravel.askQuestion', arguments: ['expert:rust'] }]);
  expect(shown.filter(([words]) => words === 'Add the entry')).toHaveLength(1);
});

test('knowledge that lacks nothing says so', () => {
  const none = { gaps: [], questions: [], connections: [], unproven: [], compared: { entries: 0, of: 0 } };
  const totals = { gaps: 0, questions: 0, connections: 0, unproven: 0 };
  expect(exploreDocument({ ...found, ...none, totals }, 'all').text).toContain('Nothing is missing');
});

test('all of it, an axis or a tag can be looked at, also a tag with a colon', () => {
  const rows = [
    { axis: 'tools', tags: ['a:b'] },
    { axis: '', tags: ['a:b', 'c'] },
  ] as never;
  const values = exploreChoices(rows).map(({ value }) => value);
  expect(values).toEqual(['all', 'axis:tools', 'tag:a:b', 'tag:c']);
  expect(values.map(exploredPart)).toEqual([{}, { axis: 'tools' }, { tag: 'a:b' }, { tag: 'c' }]);
});

test('the links of an entry are listed in both directions; a link to nothing leads nowhere', () => {
  const page = {
    links: [
      { key: 'related', target: 'B', leadsTo: [{ entry: 'knowledge/b.md', title: 'B' }] },
      { key: 'related', target: 'Gone', leadsTo: [] },
    ],
    backlinks: [{ key: 'supersedes', entry: 'knowledge/c.md', title: 'C' }],
  } as Partial<EntryPage> as EntryPage;
  expect(linkChoices(page).map(({ label, description, value }) => [label, description, value])).toEqual([
    ['B', 'this entry: related', 'knowledge/b.md'],
    ['C', 'that entry: supersedes', 'knowledge/c.md'],
  ]);
});

test('what was found in a text is listed with what was refused and why', () => {
  const kept = [{ entry: 'knowledge/uncategorized/a.md', title: 'A', passage: 'as it stands' }];
  const refused = [
    { title: 'B', reason: 'It is known' },
    { title: '', reason: 'Part 2 has none' },
  ];
  expect(keptChoices({ kept, refused, unread: [] }).map(({ label, detail, value }) => [label, detail, value])).toEqual([
    ['A', 'as it stands', 'knowledge/uncategorized/a.md'],
    ['B', 'It is known', ''],
    ['Nothing was proposed', 'Part 2 has none', ''],
  ]);
  expect(keptChoices({ kept: [], refused: [], unread: [] })).toHaveLength(1);
});
