import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { draftPlan, isReadOnImport } from '../../src/imports/draftPlan.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { planFiles } from '../../src/model/plan.ts';
import type { ImportedFile } from '../../src/model/requests/imports.ts';

const target = {
  id: toQualifiedId('shop/project-root/core'),
  description: 'The core of the shop',
  planPath: 'ravel/project-root/core',
};

/** Drafts a folder that holds these files. */
function draft(files: Readonly<Record<string, string>>) {
  const texts = new Map(Object.entries(files).filter(([path]) => isReadOnImport(path)));
  const source = { directory: '/source', files: Object.keys(files).sort(), leftOut: [], texts };
  const { draft: result, ...counts } = draftPlan(source, target);
  const textOf = (path: string): string | undefined => {
    const content = result.files.get(path);
    if (content === undefined) return undefined;
    return 'text' in content ? content.text : files[content.copyOf];
  };
  const row = (path: string): ImportedFile | undefined => result.report.find((file) => file.path === path);
  return { ...counts, result, textOf, row, warnings: result.diagnostics.map(({ message }) => message) };
}

function fixture(form: string): Record<string, string> {
  const folder = new URL(`../fixtures/plans/${form}/`, import.meta.url);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
}

const empty = { 'phase.md': 'work', 'backlog.yaml': 'tasks: []\n', 'memory.yaml': 'entries: []\n' };

describe('a drafted plan from YAML', () => {
  test('keeps every file byte for byte, except converted prompts', () => {
    const files = fixture('yaml');
    const { result, textOf, row, ...counts } = draft(files);
    expect(counts).toMatchObject({ tasks: 2, entries: 2, sessions: 1 });
    const converted = ['prompt-work.md', 'related-plans.md'];
    for (const [path, text] of Object.entries(files)) {
      expect(textOf(converted.includes(path) ? `imported/${path}` : path)).toBe(text);
      expect(row(path)?.as).toBe(converted.includes(path) ? 'converted' : 'taken');
    }
    const added = ['imported/.gitignore', 'imported/prompt-work.md', 'imported/related-plans.md', 'plan-state.md'];
    expect([...result.files.keys()].sort()).toEqual([...Object.keys(files), ...added].sort());
    expect(parse(textOf('plan-state.md')?.split('---')[1] ?? '')).toMatchObject({ description: target.description });
  });

  test('has prompt additions with only the tokens its phases have', () => {
    const { textOf, warnings } = draft(fixture('yaml'));
    expect(textOf('prompt-work.md')).toBe(
      'Read docs/prices.md first, then ravel/project-root/core/related-plans.md. Use TOOL_READ.\n',
    );
    expect(textOf('related-plans.md')).toContain('- ../till prints');
    expect(warnings).toEqual([expect.stringContaining('plain text now: TOOL_READ')]);
  });

  test.each(['\ufefftasks: []\n', 'tasks: []\r\n', 'tasks: [] # none'])('keeps %j unchanged', (text) => {
    const { textOf, row } = draft({ ...empty, 'backlog.yaml': text });
    expect(textOf('backlog.yaml')).toBe(text);
    expect(row('backlog.yaml')?.as).toBe('taken');
  });

  test.each<[string, string, string, number]>([
    ['backlog.yaml', 'tasks:\n- id: a\n  title: "b\n', 'yaml/syntax', 3],
    ['memory.yaml', 'entries:\n- id: a\n', 'yaml/schema', 1],
    ['backlog.yaml', 'tasks:\n- {id: a, title: b, category: c, status: later}\n', 'yaml/schema', 1],
    ['session-log.yaml', 'sessions: [&a x, *a]\n', 'yaml/bomb', 0],
    ['commits.yaml', 'commits: [\n', 'yaml/syntax', 1],
  ])('reports an error for %s with %j', (path, text, code, line) => {
    const errors = draft({ ...empty, [path]: text }).result.diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors[0]).toMatchObject({ code, file: `/source/${path}`, range: { start: { line } } });
  });

  test('keeps Markdown that is still beside the YAML aside', () => {
    const { textOf, row, tasks } = draft({ ...empty, 'backlog.md': '### A\n- **Status:** done\n' });
    expect(tasks).toBe(0);
    expect(row('imported/backlog.md')).toMatchObject({ as: 'kept', note: 'backlog.yaml is taken instead' });
    expect(textOf('imported/.gitignore')).toContain('\n!/backlog.md\n');
  });

  test('keeps scratch files of another form aside', () => {
    const { row, warnings } = draft({ ...empty, 'dispatches.yaml': 'dispatches: [{target: a, kind: child}]\n' });
    expect(row('imported/dispatches.yaml')?.as).toBe('kept');
    expect(warnings).toHaveLength(1);
    expect(draft({ ...empty, 'commits.yaml': 'commits: []\n' }).row('commits.yaml')?.as).toBe('taken');
  });
});

describe('Markdown in another form', () => {
  test.each([
    ['backlog.md', '# Backlog\n\n- [ ] Round prices\n- [x] Show the currency\n', 'tasks'],
    ['backlog.md', '## Round prices\n## Show the currency\n', 'tasks'],
    ['session-log.md', '# Log\n\n2026-01-31: rounded prices\n', 'sessions'],
  ])('in %s gives no records, one warning with the file name, and stays as prose', (path, text, list) => {
    const { result, textOf, ...counts } = draft({ 'phase.md': 'work', 'memory.md': '## A\n\na\n', [path]: text });
    expect(counts).toMatchObject({ [list]: 0 });
    const unclear = result.diagnostics.filter(({ code }) => code === 'import/unclear');
    expect(unclear).toEqual([
      expect.objectContaining({
        ...{ severity: 'warning', file: `/source/${path}` },
        message: expect.stringContaining(`${path} has no ${list} that could be read`),
      }),
    ]);
    expect(textOf('plan-state.md')).toContain(text.trim().split('\n').at(-1));
  });

  test.each(['', '# Backlog\n', '\n\n# Backlog\n\n---\n'])('such as %j is empty and causes no warning', (text) => {
    const { warnings } = draft({ 'phase.md': 'work', 'memory.md': '## A\n\na\n', 'backlog.md': text });
    expect(warnings).toEqual([]);
  });
});

describe('a drafted plan from Markdown', () => {
  const drafted = draft(fixture('markdown'));
  const tasks: Record<string, unknown>[] = parse(drafted.textOf('backlog.yaml') ?? '').tasks;

  test('takes task fields from bullets', () => {
    expect(tasks).toEqual([
      {
        id: 'round-prices-half-up-and-say-so',
        title: 'Round prices, half up, and say so',
        category: 'pricing',
        tags: ['pricing', 'money'],
        status: 'done',
        'status-note': 'second session',
        dependencies: [],
        description: expect.stringMatching(/^Totals are rounded down, see\n`docs\/prices\.md`\.\n(?:.*\n)*.*up\.\n$/),
        results: 'Rounded in `../till/round.mjs`.\n',
      },
      {
        id: 'show-the-currency',
        title: 'Show the currency',
        category: 'pages',
        status: 'blocked',
        blocked_reason: 'waits for a word from the shop',
        dependencies: ['round-prices-half-up-and-say-so', 'print-receipts'],
        'dependencies-note': 'and whatever the till needs',
        description: 'Every price says its currency.\n',
        priority: 'high',
      },
      {
        id: 'print-receipts',
        title: 'Print receipts',
        category: 'uncategorized',
        status: 'in_progress',
        dependencies: [],
        'dependencies-note': 'none (but paper)',
        description: 'On paper.\n',
        handoff: 'The printer is settled.\n\nIt is the one by the door.\n',
      },
    ]);
  });

  test('takes memory, sessions and the latest session', () => {
    expect(drafted).toMatchObject({ tasks: 3, entries: 3, sessions: 2 });
    const [first, why] = parse(drafted.textOf('memory.yaml') ?? '').entries;
    expect(first).toMatchObject({ id: 'prices-are-integers', title: 'Prices are integers' });
    expect(first.body).toContain('says `ravel/project-root/core/memory.md`.\n');
    expect(why).toMatchObject({ id: 'why', title: 'Why', tags: ['Prices are integers'] });
    expect(why.body).toContain('`{{PROJECT}}` in it');
    expect(parse(drafted.textOf('latest-session.yaml') ?? '')).toMatchObject({ id: '2026-02-04-pages-the-first' });
  });

  test('keeps every original, and the text that is in no record', () => {
    for (const [path, text] of Object.entries(fixture('markdown'))) {
      expect([drafted.textOf(path), drafted.textOf(`imported/${path}`)]).toContain(text);
    }
    const state = drafted.textOf('plan-state.md');
    expect(state).toContain('## From backlog.md\n\n# Backlog of the shop\n\nThe tasks follow `docs/plan.md`.');
    expect(state).toContain('## Ideas\n\nPerhaps a shop window, one day.\n');
    expect(state).toContain('## From memory.md\n\n# Memory of the shop\n\nWhat was learned, newest last.\n');
    const unlinked = expect.stringContaining('"and whatever the till needs"');
    expect(drafted.warnings).toEqual([expect.stringContaining('VAULT_CATALOG'), unlinked]);
  });

  test('takes task fields from bare lines', () => {
    const bare = draft(fixture('bare'));
    expect(parse(bare.textOf('backlog.yaml') ?? '').tasks).toEqual([
      {
        id: 'round-prices',
        title: 'Round prices',
        category: 'pricing',
        status: 'not_started',
        dependencies: [],
        description:
          'Totals are rounded down.\n\n- **Mind:** half a cent goes up.\n\n**Note:** this line is part of the text.\n',
        owner: 'Ada',
      },
      {
        id: 'show-the-currency',
        title: 'Show the currency',
        category: 'pages',
        status: 'done',
        dependencies: ['round-prices'],
        'dependencies-note': 'Nothing like it',
        description: 'Every price says its currency.\n',
        results: 'It does.\n',
        handoff: 'The symbol stands in front.\n',
      },
    ]);
  });

  test('only keeps a latest session that holds several sessions', () => {
    const latest = '### Session 1 (t) — A\n\na\n\n### Session 2 (t) — B\n\nb\n';
    const { row, warnings } = draft({ ...empty, 'latest-session.md': latest });
    expect(row('latest-session.yaml')).toBeUndefined();
    expect(row('imported/latest-session.md')?.as).toBe('kept');
    expect(warnings).toEqual([expect.stringContaining('holds 2 sessions')]);
  });

  test('reports an error for a file too large to be edited', () => {
    const text = `## A\n\n${'x'.repeat(17 * 1024 * 1024)}\n`;
    const { 'memory.yaml': _, ...others } = empty;
    expect(draft({ ...others, 'memory.md': text }).result.diagnostics).toEqual([
      expect.objectContaining({ code: 'disk/tooLarge', severity: 'error' }),
    ]);
  });
});

describe('the phase of a drafted plan', () => {
  test.each<[string | undefined, string, string, number]>([
    ['reflect\n', 'reflect\n', 'taken', 0],
    ['git-commit-triage', 'git-commit-triage', 'taken', 0],
    ['compact\n', 'dream\n', 'converted', 0],
    ['dreaming\n', 'work\n', 'converted', 1],
    ['', 'work\n', 'converted', 1],
    [undefined, 'work\n', 'made', 1],
  ])('is taken from %j as %j (%s)', (given, expected, as, warnings) => {
    const { 'phase.md': _, ...others } = empty;
    const drafted = draft(given === undefined ? others : { ...others, 'phase.md': given });
    expect(drafted.textOf('phase.md')).toBe(expected);
    expect(drafted.row('phase.md')?.as).toBe(as);
    expect(drafted.warnings).toHaveLength(warnings);
    if (as === 'converted') expect(drafted.textOf('imported/phase.md')).toBe(given);
  });
});

describe('the word count of the last dream', () => {
  const sha = '0123456789abcdef0123456789abcdef01234567';
  test.each<[Record<string, string>, string, string]>([
    [{ 'dream-word-count': '6860' }, '6860', 'taken'],
    [{}, '0\n', 'made'],
    [{ 'dream-baseline': sha }, '0\n', 'made'],
    [{ 'dream-baseline': '1234' }, '1234\n', 'made'],
    [{ 'compact-baseline': '77\n' }, '77\n', 'made'],
    [{ 'dream-word-count': 'many', 'dream-baseline': '5' }, '5\n', 'made'],
  ])('from %j is %j (%s)', (files, expected, as) => {
    const drafted = draft({ ...empty, ...files });
    expect(drafted.textOf('dream-word-count')).toBe(expected);
    expect(drafted.row('dream-word-count')?.as).toBe(as);
    for (const [path, text] of Object.entries(files)) {
      expect([drafted.textOf(path), drafted.textOf(`imported/${path}`)]).toContain(text);
    }
  });
});

describe('other files of a drafted plan', () => {
  test('are kept at any depth', () => {
    const { row } = draft({ ...empty, 'notes/a.md': '{{PROJECT}}/x', 'pre-work.sh': 'x', 'config.lua': 'x' });
    expect(row('notes/a.md')).toEqual({ path: 'notes/a.md', as: 'taken' });
    expect(row('pre-work.sh')?.as).toBe('taken');
    expect(row('config.lua')).toMatchObject({ as: 'taken', note: 'Ravel does not read it' });
  });
  test('keep their place if an original has the same name', () => {
    const { textOf } = draft({ ...empty, 'backlog.md': 'a', 'imported/backlog.md': 'b' });
    expect(textOf('imported/backlog.md')).toBe('b');
    expect(textOf('imported/backlog.md.2')).toBe('a');
  });
  test.each<[Record<string, string>, string, string]>([
    [{ 'prompt-compact.md': 'a' }, 'prompt-dream.md', 'converted'],
    [{ 'prompt-compact.md': 'a', 'prompt-dream.md': 'b' }, 'imported/prompt-compact.md', 'kept'],
    [{ 'prompt-later.md': '{{X}}' }, 'prompt-later.md', 'taken'],
    [{ 'prompt-work.md': '{{TASK}}' }, 'prompt-work.md', 'taken'],
  ])('from %j give %s (%s)', (files, path, as) => expect(draft({ ...empty, ...files }).row(path)?.as).toBe(as));
});

test('a memory alone gives a plan with an empty backlog, and warnings say so', () => {
  const { row, warnings } = draft({ 'memory.md': '## A\n\na\n' });
  expect(['backlog.yaml', 'session-log.yaml', 'phase.md'].map((path) => row(path)?.as)).toEqual([
    'made',
    'made',
    'made',
  ]);
  expect(warnings).toEqual([
    expect.stringContaining('backlog.yaml was missing'),
    expect.stringContaining('phase.md was'),
  ]);
});

test('every file of the source is in the report', () => {
  const files = Object.fromEntries(Object.values(planFiles).map((path) => [path, '{}']));
  const { result } = draft({ ...files, ...empty, ...fixture('markdown') });
  const told = new Set(result.report.map(({ path, from }) => from ?? path));
  for (const path of [...Object.keys(files), ...Object.keys(fixture('markdown'))]) expect(told).toContain(path);
});

test('the marker plan-state.md is written last', () => {
  expect([...draft(fixture('markdown')).result.files.keys()].at(-1)).toBe('plan-state.md');
});
