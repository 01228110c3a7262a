import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import type { PlanFile } from '../../src/model/plan.ts';
import { checkSeal } from '../../src/vault/viewSeal.ts';
import {
  formatBacklogView,
  formatMemoryView,
  formatSessionLogView,
  saveViews,
  type ViewMeta,
} from '../../src/vault/views.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const meta: ViewMeta = { plan: toQualifiedId('Demo/project-root'), phase: 'triage' };

/** The view without its hash. */
function normalised(text: string): string {
  expect(checkSeal(text)).toBe('generated');
  return text.replace(/sha256:[0-9a-f]{64}/, 'sha256:HASH');
}

/** Acts on a terminal, or hides what a line says. */
const hostile = 'Mend \u001b]0;x\u0007 \u009b2J the\u202ednah\u200b';

describe('formatting views', () => {
  test.each([
    [
      'backlog',
      formatBacklogView(
        {
          tasks: [
            {
              ...{ id: hostile, title: hostile, category: hostile, status: 'not_started' },
              ...{ description: hostile, handoff: hostile, results: hostile },
            },
          ],
        },
        meta,
      ),
    ],
    ['memory', formatMemoryView({ entries: [{ id: hostile, title: hostile, body: hostile, source: hostile }] }, meta)],
    [
      'session log',
      formatSessionLogView(
        { sessions: [{ id: hostile, timestamp: hostile, phase: 'work', body: hostile, session: hostile }] },
        meta,
      ),
    ],
  ])('the view of the %s spells out what would act on a terminal or hide', (_name, view) => {
    expect(view).toContain('\\u{1b}]0;x\\u{7} \\u{9b}2J the\\u{202e}dnah\\u{200b}');
    expect(/[^\P{Cc}\t\n]|\u202e|\u200b/u.test(view)).toBe(false);
    expect(checkSeal(view)).toBe('generated');
  });

  test('shows phase, counts and tasks of the backlog', () => {
    const tasks = [{ id: 'a', title: 'Add it', category: 'core', status: 'not_started' as const, handoff: 'x' }];
    expect(normalised(formatBacklogView({ tasks }, meta))).toBe(`---
plan: "Demo/project-root"
project: "Demo"
phase: triage
ready: 1
blocked: 0
in-progress: 0
done: 0
received: 0
hand-offs: 1
dispatched: 0
tags: [ravel-view]
---
*Ravel makes this view from backlog.yaml; change that file instead.* %%sha256:HASH%%
# Backlog of [[projects/Demo/project-root/plan-state|Demo/project-root]]

## core

| title | status | deps |
| --- | --- | --- |
| [[#^a\\|Add it]] | not_started | — |

**Add it** ^a

*Hand-off:*

x
`);
  });

  test('shows one block for each memory entry', () => {
    const entries = [
      { id: 'first', title: 'The first\nfact', body: 'It holds.\n', source: 'decision', since: '2026-01-02' },
      { id: 'no block', title: 'Second', body: 'Two words\n\n- more' },
    ];
    expect(normalised(formatMemoryView({ entries }, meta))).toContain(`entries: 2
words: 10
tags: [ravel-view]
---
*Ravel makes this view from memory.yaml; change that file instead.* %%sha256:HASH%%
# Memory of [[projects/Demo/project-root/plan-state|Demo/project-root]]

## The first fact

\`first\` (decision, 2026-01-02) ^first

It holds.

## Second

\`no block\`

Two words

- more
`);
    expect(formatMemoryView({}, meta)).toContain('_(no entries)_');
  });

  test('shows the newest session first', () => {
    const sessions = [
      { id: 's1', timestamp: '2026-01-01T00:00:00Z', phase: 'work', body: 'One.\n' },
      { id: 's2', timestamp: '2026-01-02T00:00:00Z', phase: 'work', body: 'Two.\n', session: 'ULID' },
    ];
    expect(normalised(formatSessionLogView({ sessions }, meta))).toContain(`sessions: 2
tags: [ravel-view]
---
*Ravel makes this view from session-log.yaml; change that file instead.* %%sha256:HASH%%
# Session log of [[projects/Demo/project-root/plan-state|Demo/project-root]]

## 2026-01-02T00:00:00Z work

\`s2\` (ULID) ^s2

Two.

## 2026-01-01T00:00:00Z work

\`s1\` ^s1

One.
`);
    expect(formatSessionLogView({}, meta)).toContain('_(no sessions)_');
  });
});

describe('saveViews', () => {
  let directory: string;
  const texts = new Map<PlanFile, string>([
    ['backlog.yaml', 'tasks: []\n'],
    ['memory.yaml', 'entries: []\n'],
    ['session-log.yaml', 'sessions: []\n'],
  ]);

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });

  const path = (name: string) => join(directory, name);
  const read = (name: string) => readFileSync(path(name), 'utf8');

  async function check(given: ReadonlyMap<PlanFile, string>, written: string[], problems: string[], at = meta) {
    const result = await saveViews(nodeDisk, directory, given, at);
    expect(result.written).toEqual(written);
    expect(
      result.diagnostics.map((one) => `${one.code} ${one.severity} ${one.file?.replace(`${directory}/`, '')}`),
    ).toEqual(problems);
    return result.diagnostics;
  }

  test('writes only views that changed', async () => {
    await check(texts, ['backlog.md', 'memory.md', 'session-log.md'], []);
    await check(texts, [], []);
    const more = new Map(texts).set('memory.yaml', 'entries:\n- id: a\n  title: A\n  body: B\n');
    await check(more, ['memory.md'], []);
    expect(read('memory.md')).toContain('## A');
    await check(more, ['backlog.md', 'memory.md', 'session-log.md'], [], { ...meta, phase: 'work' });
    expect(read('backlog.md')).toContain('phase: work');
  });

  test('makes no view of a missing or unreadable source', async () => {
    await check(new Map([['memory.yaml', 'entries: [']]), [], []);
  });

  test('keeps a view that a person edited, and reports the first changed line', async () => {
    await check(texts, ['backlog.md', 'memory.md', 'session-log.md'], []);
    const edited = read('backlog.md').replace('_(no tasks)_', 'my own words');
    writeFileSync(path('backlog.md'), edited);
    const [problem] = await check(texts, [], ['view/edited warning backlog.md'], { ...meta });
    expect(read('backlog.md')).toBe(edited);
    expect(problem?.message).toBe(
      'backlog.md was edited by hand and is left as it is; line 17 is "my own words", backlog.yaml makes it "_(no tasks)_".',
    );
    expect(problem?.range?.start.line).toBe(16);
    expect(problem?.subject).toBe('Demo/project-root');
  });

  test('keeps an edited view even if its source changed as well', async () => {
    await check(texts, ['backlog.md', 'memory.md', 'session-log.md'], []);
    writeFileSync(path('memory.md'), `${read('memory.md')}mine\n`);
    const more = new Map(texts).set('memory.yaml', 'entries:\n- id: a\n  title: A\n  body: B\n');
    await check(more, [], ['view/edited warning memory.md']);
    expect(read('memory.md')).toMatch(/mine\n$/);
  });

  test.each([
    ['of older tasks in Markdown', '# Backlog\n\n### Task one `[tag]`\n- **Status:** done\n'],
    ['that is empty', ''],
  ])('never overwrites a file %s', async (_, original) => {
    writeFileSync(path('backlog.md'), original);
    const [problem] = await check(texts, ['memory.md', 'session-log.md'], ['view/edited warning backlog.md']);
    expect(read('backlog.md')).toBe(original);
    expect(problem?.message).toContain('not made by Ravel');
  });

  test('never overwrites a file that is not UTF-8', async () => {
    writeFileSync(path('backlog.md'), Buffer.from([0xff, 0xfe]));
    await check(texts, ['memory.md', 'session-log.md'], ['view/edited warning backlog.md']);
    expect(readFileSync(path('backlog.md'))).toEqual(Buffer.from([0xff, 0xfe]));
  });

  test('keeps a view that a person saves at the same moment', async () => {
    await check(texts, ['backlog.md', 'memory.md', 'session-log.md'], []);
    const disk = {
      ...nodeDisk,
      async open(file: string, ...rest: [mode: 'read' | 'append' | 'exclusive' | 'update', permissions?: number]) {
        if (file.includes('.memory.md.')) writeFileSync(path('memory.md'), 'theirs');
        return nodeDisk.open(file, ...rest);
      },
    };
    const result = await saveViews(disk, directory, texts, { ...meta, phase: 'work' });
    expect(result.written).toEqual(['backlog.md', 'session-log.md']);
    expect(result.diagnostics).toMatchObject([{ code: 'view/edited', severity: 'warning' }]);
    expect(read('memory.md')).toBe('theirs');
  });
});
