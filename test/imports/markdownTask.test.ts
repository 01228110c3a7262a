import { describe, expect, test } from 'vitest';
import { parseMarkdown } from '../../src/imports/markdownLines.ts';
import { beginsTask, isHandoffMark, type MarkdownTask, parseTask } from '../../src/imports/markdownTask.ts';

function parse(heading: string, block: string): MarkdownTask {
  const text = parseMarkdown(block);
  return parseTask(heading, text, { start: 0, end: text.lines.length });
}

describe('the title of a task', () => {
  test.each<[string, string, readonly string[]]>([
    ['Round `prices`', 'Round `prices`', []],
    ['Round `[pricing]`', 'Round', ['pricing']],
    ['Round [pricing]  `[two words]`', 'Round', ['pricing', 'two words']],
    ['Fix list[0]', 'Fix list[0]', []],
    ['See [this](there)', 'See [this](there)', []],
    ['`[tag]`', '`[tag]`', []],
  ])('and its tags come from the heading "%s"', (heading, title, tags) =>
    expect(parse(heading, '')).toMatchObject({ title, tags }),
  );
});

describe('the category of a task', () => {
  test.each([
    ['T [a] [b]', '', 'a'],
    ['T [a]', '- **Category:** `c`', 'c'],
    ['T', '', 'uncategorized'],
  ])('with the heading "%s" and the block %j is %s', (heading, block, category) =>
    expect(parse(heading, block).category).toBe(category),
  );
});

describe('the status of a task', () => {
  test.each<[string, Partial<MarkdownTask>]>([
    ['`not_started`', { status: 'not_started', remarks: [] }],
    ['not started', { status: 'not_started', remarks: [] }],
    ['In-progress', { status: 'in_progress', remarks: [] }],
    ['done (Session 12, in May)', { status: 'done', statusNote: 'Session 12, in May' }],
    ['done. In May', { status: 'done', statusNote: 'In May' }],
    ['done — in May', { status: 'done', statusNote: 'in May' }],
    ['blocked (reason: no key)', { status: 'blocked', blockedReason: 'no key' }],
    ['blocked', { status: 'blocked' }],
    ['waiting', { status: 'not_started', statusNote: 'waiting', remarks: [expect.stringContaining('"waiting"')] }],
    ['doneish', { status: 'not_started', statusNote: 'doneish' }],
    ['', { status: 'not_started', remarks: ['it has no status'] }],
  ])('written as "%s" is read', (text, expected) =>
    expect(parse('T', `- **Status:** ${text}`)).toMatchObject(expected),
  );
});

describe('the fields of a task', () => {
  test('are read from bullets, with indented text below them', () => {
    const task = parse('T', '- **Status:** done\n- **Description:** One\n  two\n\n    three\n- **Results**: Four\n');
    expect(task).toMatchObject({ status: 'done', description: 'One\ntwo\n\n  three\n', results: 'Four\n' });
  });
  test('are kept under their own key if they are unknown', () => {
    const task = parse('T', '- **Priority:** high\n- **Acceptance Criteria:**\n  - a\n  - b\n- **Title:** t\n');
    expect(task.others).toEqual({ priority: 'high', 'acceptance-criteria': '- a\n- b\n', 'title-2': 't' });
  });
  test('are read from bare lines, and bullets are then part of a text', () => {
    const block = '**Status:** done\n**Owner:** Ada\n**Description:**\n\nA\n- **B:** c\n**D:** e\n**Results:** f\n';
    expect(parse('T', block)).toMatchObject({
      status: 'done',
      description: 'A\n- **B:** c\n**D:** e\n',
      results: 'f\n',
      others: { owner: 'Ada' },
    });
  });
  test('are joined if they appear twice', () => {
    expect(parse('T', '- **Results:** a\n- **Results:** b\n').results).toBe('a\n\nb\n');
  });
  test('are not read from a fenced block', () => {
    expect(parse('T', '- **Description:** a\n```\n- **Status:** done\n```\n').status).toBe('not_started');
  });
  test.each(['_pending_', '', '_none_', 'None.', '—', 'TBD', '_not yet_', 'n/a'])(
    'hold no results and no hand-off if these are %j',
    (text) => {
      const task = parse('T', `- **Results:** ${text}\n- **Hand-off:** ${text}\n`);
      expect(task).not.toHaveProperty('results');
      expect(task).not.toHaveProperty('handoff');
    },
  );
  test.each(['None of the three worked', 'Pending: two of them', 'Not what we hoped for'])(
    'hold the results %j',
    (text) => {
      expect(parse('T', `- **Results:** ${text}`).results).toBe(`${text}\n`);
    },
  );
  test('name dependencies in a line or as bullets, with the line that they begin in', () => {
    const block = '- **Status:** done\n- **Dependencies:**\n  - A\n  - B,\n    and C\n- **Description:** d\n';
    expect(parse('T', block)).toMatchObject({ dependencies: 'A; B, and C', dependenciesLine: 1 });
    expect(parse('T', '- **Dependencies:** A - B\n')).toMatchObject({ dependencies: 'A - B', dependenciesLine: 0 });
    expect(parse('T', '- **Status:** done\n')).not.toHaveProperty('dependenciesLine');
  });
});

describe('the hand-off of a task is read', () => {
  test.each([
    ['after a separator', '- **Results:** r\n\n---\n\n[HANDOFF] a\n\n  b\n', 'a\n\nb\n'],
    ['from a heading', '- **Results:** r\n### [HANDOFF]\n\na\n', 'a\n'],
    ['from a field', '- **Results:** r\n- **Hand-off:** a\n', 'a\n'],
  ])('%s', (_name, block, handoff) => expect(parse('T', block)).toMatchObject({ results: 'r\n', handoff }));
});

test.each<[string, boolean, boolean]>([
  ['- **Status:** done', true, false],
  ['**Category:** a', true, false],
  ['- **Priority:** a', false, false],
  ['  - **Status:** done', false, false],
  ['**[HANDOFF]** a', false, true],
])('the line "%s" begins a task: %s, begins a hand-off: %s', (text, task, handoff) => {
  expect(beginsTask(parseMarkdown(text), 0)).toBe(task);
  expect(isHandoffMark(parseMarkdown(text), 0)).toBe(handoff);
});
