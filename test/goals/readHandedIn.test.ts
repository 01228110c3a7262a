import { expect, test } from 'vitest';
import { readHandedIn } from '../../src/goals/readHandedIn.ts';
import { emptyProposal, type PlanProposal } from '../../src/model/planProposal.ts';

/** The plans with the titles of their tasks. */
function outline({ plans }: PlanProposal): Record<string, string[]> {
  return Object.fromEntries(plans.map(({ slug, tasks = [] }) => [slug, tasks.map(({ title }) => title)]));
}

function read(text: string) {
  const result = readHandedIn(text, 'plan.md');
  if ('problems' in result) throw new Error(result.problems.join(' '));
  return { ...result, outline: outline(result.value) };
}

test.each<[string, string, string]>([
  [
    'a list',
    '- Index\n- Rank\n- **index**\n- Index\n',
    'Lines 1, 3, 4: several tasks have the title "Index". Change or remove one.',
  ],
  [
    'a plan of a list',
    '- Search\n  - Index\n  - Rank\n\n  - index\n- Index\n',
    'Lines 2, 5: several tasks have the title "Index". Change or remove one.',
  ],
  [
    'a heading',
    '# Road\n\n## A\n- One\n- One\n\n## B\n- One\n',
    'Lines 4, 5: several tasks have the title "One". Change or remove one.',
  ],
  [
    'its own form',
    'description: Two\nplans:\n  - slug: .\n    tasks:\n      - title: One\n      - title: one\n',
    'Line 6: ',
  ],
])('a title that stands twice in %s is named with its lines', (_where, text, expected) => {
  const result = readHandedIn(text, 'plan.md');
  expect('problems' in result && result.problems).toEqual([expect.stringContaining(expected)]);
});

test.each<[string, string, Record<string, string[]>]>([
  [
    'a flat list is tasks of the plan itself',
    '- Index the catalogue\n* Rank by stock\n3. Show it\n',
    { '.': ['Index the catalogue', 'Rank by stock', 'Show it'] },
  ],
  [
    'an item with items below it is a plan, and what is ticked is left out',
    '- Search\n  - [ ] Index\n  - [x] Done before\n- [x] Old\n  - Never seen\n- Alone\n',
    { '.': ['Alone'], search: ['Index'] },
  ],
  [
    'a list of ticked items below an item leaves nothing of it',
    '- Search\n  - [x] Index\n- Alone\n',
    { '.': ['Alone'] },
  ],
  [
    'several headings are plans',
    '# Roadmap\n\n## Search\n\nFinding things.\n\n- Index\n\n## Pay\n- Cards\n',
    { search: ['Index'], pay: ['Cards'] },
  ],
  ['one heading is a title', '# Roadmap\n\n- Index\n\tsome words\n', { '.': ['Index'] }],
  [
    'equal names of plans have slugs of their own',
    '- A b\n  - one\n- A b!\n  - two\n',
    { 'a-b': ['one'], 'a-b-2': ['two'] },
  ],
  ['a fenced list is text', '```\n- no task\n```\n- a task\n', { '.': ['a task'] }],
  ['line ends of other systems and tabs are read', '- Search\r\n\t- Index\r\n', { search: ['Index'] }],
])('in Markdown, %s', (_name, text, expected) => {
  expect(read(text).outline).toEqual(expected);
});

test('what stands below an item describes its task, with the items of a third level', () => {
  const { value, notes } = read(
    '# The shop\n\n- Search\n  for buyers\n  - **Index**\n\n    by colour\n    - and size\n    - [x] and price\n',
  );
  expect(value).toMatchObject({
    description: 'The shop',
    plans: [{ slug: 'search', title: 'Search', description: 'for buyers' }],
  });
  expect(value.plans[0]?.tasks).toEqual([{ title: 'Index', category: 'task', description: 'by colour\n- and size' }]);
  expect(notes).toEqual(['1 ticked item left out.']);
});

test('issues of a forge become tasks: open ones, with their number and first label, and unique titles', () => {
  const issues = [
    { number: 7, title: 'Crash on empty name', body: 'It crashes.', labels: [{ name: 'bug' }, { name: 'ui' }] },
    { number: 8, title: 'crash on empty name', body: null, labels: [] },
    { number: 9, title: 'Old', state: 'CLOSED' },
    { iid: 10, title: 'From another forge', description: 'Words.', labels: ['docs'], state: 'opened' },
  ];
  const { value, notes } = read(JSON.stringify(issues));
  expect(value.plans).toEqual([
    {
      slug: '.',
      tasks: [
        { title: 'Crash on empty name', category: 'bug', description: 'From issue #7.\n\nIt crashes.' },
        { title: 'crash on empty name (#8)', category: 'issue', description: 'From issue #8.' },
        { title: 'From another forge', category: 'docs', description: 'From issue #10.\n\nWords.' },
      ],
    },
  ]);
  expect(notes).toEqual(['1 closed issue left out.']);
});

test('YAML is read in the form of a proposal', () => {
  const text = 'description: Search\nplans:\n- slug: "."\n  tasks:\n  - title: Index it\n';
  expect(read(text).outline).toEqual({ '.': ['Index it'] });
  expect('value' in readHandedIn(emptyProposal, 'x')).toBe(true);
});

test('JSON of a proposal is one, and no issue', () => {
  const proposal = {
    description: 'Search',
    plans: [{ slug: 'page', description: 'x', tasks: [{ title: 'List it' }] }],
  };
  expect(readHandedIn(JSON.stringify(proposal), 'the page')).toEqual({ value: proposal, notes: [] });
});

test.each([
  ['an empty text', ' \n', 'empty'],
  ['prose', 'We should search more.', 'no list with an open item'],
  ['only ticked items', '- [x] Done', 'no list with an open item'],
  ['JSON that is cut', '[{"title": "a"', 'not JSON'],
  ['JSON of something else', '[{"name": "a"}]', 'not a list of issues: 0.title'],
  ['no issues', '[]', 'no open issue'],
  ['YAML with a mistake', 'description: x\nplans:\n- slug: [', 'Line'],
  [
    'YAML with an unknown key',
    'description: x\nplans:\n- slug: a\n  tasks:\n  - title: t\n    depends_on: [b]\n',
    'depends_on',
  ],
  ['YAML that lacks a field', 'description: x\nplans:\n- tasks: []\n', 'slug'],
])('%s is refused with a reason', (_name, text, reason) => {
  const result = readHandedIn(text, 'list.md');
  expect('problems' in result ? result.problems.join(' ') : '').toContain(reason);
});
