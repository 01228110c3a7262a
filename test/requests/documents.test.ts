import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDocuments, task } from '../support/documentWorld.ts';

describe('a document', () => {
  test.each([
    ['backlog.yaml', 'backlog'],
    ['memory.yaml', 'memory'],
    ['phase.md', 'phase'],
    ['plan-state.md', 'planState'],
    ['session-log.yaml', 'sessionLog'],
    ['routing.yaml', 'routing'],
    ['projects.yaml', 'projects'],
    ['ravel.toml', 'identity'],
    ['daemon.toml', 'settings'],
    ['experts/rust.md', 'expert'],
  ])('named %s has the kind %s', async (name, kind) => {
    const { api, file } = await openDocuments();
    expect((await api.request('inspect_document', { file: file(name), text: '' })).document?.kind).toBe(kind);
  });

  test.each(['README.md', 'prompt-work.md', 'backlog.md', 'deeper/backlog.yaml'])('is not %s', async (name) => {
    const { api, file } = await openDocuments();
    expect(await api.request('inspect_document', { file: file(name), text: '' })).toEqual({});
  });

  test('can be opened by its real path, and its references have real paths', async () => {
    const { world, api } = await openDocuments();
    const text = 'dispatches:\n- target-plan: greeter/project-root/search\n  reason: A\n  body: B\n';
    const real = join(world.project, 'ravel/project-root/dispatches.yaml');
    const { document: inspected } = await api.request('inspect_document', { file: real, text });
    expect(inspected).toMatchObject({
      file: join(world.vault, 'projects', world.plan, 'dispatches.yaml'),
      plan: world.plan,
      findings: [],
    });
    expect(inspected?.references[0]?.target?.file).toBe(join(world.project, 'ravel/project-root/search/plan-state.md'));
  });

  test('is in the folders that the documents request names', async () => {
    const { world, api } = await openDocuments();
    const { folders } = await api.request('documents', {});
    expect(folders.map(({ folder }) => folder)).toEqual([world.vault, join(world.project, 'ravel')]);
    expect(folders[1]?.patterns[0]).toContain('backlog.yaml');
    expect(folders[1]?.link).toBe(join(world.vault, 'projects', 'greeter'));
  });

  test('nothing is shown of a document that does not exist', async () => {
    const { api, file } = await openDocuments();
    expect(await api.request('inspect_document', { file: file('commits.yaml') })).toEqual({});
  });
});

describe('inspect_document', () => {
  test('shows records with the ranges of their ids', async () => {
    const { api, file } = await openDocuments();
    const text = `tasks:\n${task('a')}received:\n- id: m\n  from: expert:rust\n  at: now\n  reason: Please\n  body: |\n    Long\n  state: new\n`;
    const { document: inspected } = await api.request('inspect_document', { file: file('backlog.yaml'), text });
    expect(inspected?.records).toMatchObject([
      { kind: 'task', list: 'tasks', id: 'a', title: 'Do a', state: 'not_started', range: { end: { line: 4 } } },
      {
        kind: 'message',
        list: 'received',
        id: 'm',
        title: 'Please',
        state: 'new',
        idRange: { start: { line: 6, character: 6 } },
      },
    ]);
    expect(inspected?.references).toMatchObject([{ kind: 'expert', id: 'expert:rust', title: 'Knows Rust' }]);
  });

  test('shows referenced tasks even when the text has an error elsewhere', async () => {
    const { api, file } = await openDocuments();
    const text = `tasks:\n${task('a')}${task('b', '  dependencies: [a]\n')}  status: done\n`;
    const { document: inspected } = await api.request('inspect_document', { file: file('backlog.yaml'), text });
    expect(inspected?.findings.map(({ code }) => code)).toEqual(['yaml/syntax']);
    expect(inspected?.references).toMatchObject([
      { id: 'a', title: 'Do a', state: 'not_started', target: { range: { start: { line: 1 } } } },
    ]);
  });

  test('shows claims of the latest session in the memory', async () => {
    const { world, api, file } = await openDocuments();
    await world.writePlan(
      'latest-session.yaml',
      'id: s\ntimestamp: now\nphase: work\nbody: B\nclaims:\n- id: c1\n  text: It works\n',
    );
    const text = 'entries:\n- id: a\n  title: A\n  body: B\n  claims: [c1, c2]\n';
    const { document: inspected } = await api.request('inspect_document', { file: file('memory.yaml'), text });
    expect(inspected?.references).toMatchObject([
      { id: 'c1', title: 'It works', target: { range: { start: { line: 5 } } } },
      { id: 'c2' },
    ]);
    expect(inspected?.findings.map(({ code }) => code)).toEqual(['state/unknownRecord']);
  });

  test('does not follow links out of the vault', async () => {
    const { world, api, file } = await openDocuments();
    await writeFile(join(world.root, 'secret.md'), 'secret');
    await mkdir(join(world.vault, 'knowledge'), { recursive: true });
    await symlink(join(world.root, 'secret.md'), join(world.vault, 'knowledge/way-out.md'));
    await writeFile(join(world.vault, 'knowledge/fine.md'), 'fine');
    const links = [
      'knowledge/fine',
      '../secret',
      'knowledge/../../secret',
      'knowledge/way-out',
      `projects/${world.plan}/plan-state`,
    ];
    const text = `entries:\n- id: a\n  title: A\n  body: ${links.map((link) => `[[${link}]]`).join(' ')}\n`;
    const { document: inspected } = await api.request('inspect_document', { file: file('memory.yaml'), text });
    expect(inspected?.references.filter(({ target }) => target !== undefined).map(({ id }) => id)).toEqual([
      'knowledge/fine',
      `projects/${world.plan}/plan-state`,
    ]);
  });

  test.each([
    ['an alias bomb', `a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\ntasks: [*c]\n`, 'yaml/bomb'],
    ['a deeply nested text', `tasks: ${'['.repeat(50_000)}`, 'yaml/bomb'],
    ['a very long line', `tasks: "${'x'.repeat(600_000)}"\n`, 'disk/tooLarge'],
    ['control characters', 'tasks:\n- id: "a\\u0007"\n  title: \u0007\n', 'yaml/schema'],
  ])('refuses %s with a finding', async (_name, text, code) => {
    const { api, file } = await openDocuments();
    const { document: inspected } = await api.request('inspect_document', { file: file('backlog.yaml'), text });
    expect(inspected?.findings.map((one) => one.code)).toContain(code);
    await api.request('repairs', { file: file('backlog.yaml'), text });
    await api.request('complete_at', { file: file('backlog.yaml'), text, position: { line: 0, character: 7 } });
  });
});

/** The labels of the completions at `¦`. */
async function completions(name: string, marked: string): Promise<string[]> {
  const { api, file } = await openDocuments();
  const line = marked.split('\n').findIndex((one) => one.includes('¦'));
  const character = (marked.split('\n')[line] ?? '').indexOf('¦');
  const params = { file: file(name), text: marked.replace('¦', ''), position: { line, character } };
  return (await api.request('complete_at', params)).completions.map(({ label }) => label);
}

describe('complete_at offers', () => {
  test.each([
    [
      'keys of a task',
      'backlog.yaml',
      `tasks:\n${task('a')}  ¦`,
      ['blocked_reason', 'dependencies', 'description', 'results', 'handoff', 'sent'],
    ],
    [
      'keys at the beginning of a record',
      'backlog.yaml',
      'tasks:\n- ¦\n  title: A',
      ['id', 'category', 'status', 'blocked_reason', 'dependencies', 'description', 'results', 'handoff', 'sent'],
    ],
    ['the statuses', 'backlog.yaml', 'tasks:\n- status: ¦', ['not_started', 'in_progress', 'done', 'blocked']],
    [
      'other tasks as dependencies',
      'backlog.yaml',
      `tasks:\n${task('a')}${task('b')}${task('c', '  dependencies: [a, ¦]\n')}`,
      ['b'],
    ],
    ['plans as targets', 'dispatches.yaml', 'dispatches:\n- target-plan: gr¦', ['greeter/project-root/search']],
    ['experts as targets', 'queries.yaml', 'queries:\n- target-expert: ¦', ['rust']],
    [
      'every place as the target of a rule',
      'routing.yaml',
      'rules:\n- target: ¦',
      ['expert:rust', 'greeter', 'greeter/project-root', 'greeter/project-root/search'],
    ],
    [
      'plans in a link',
      'memory.yaml',
      'entries:\n- body: see [[¦',
      ['greeter/project-root', 'greeter/project-root/search'],
    ],
    [
      'the phases in phase.md',
      'phase.md',
      're¦',
      [
        'work',
        'analyse-work',
        'git-commit-work',
        'reflect',
        'git-commit-reflect',
        'dream',
        'git-commit-dream',
        'triage',
        'git-commit-triage',
      ],
    ],
    ['the values of frontmatter', 'experts/rust.md', '---\nactor-type: ¦\n---\n', ['expert']],
    ['nothing below the frontmatter', 'experts/rust.md', '---\nactor-type: expert\n---\nactor-type: ¦', []],
    ['the settings of a section', 'daemon.toml', '[vault]\n¦', ['commit']],
    ['nothing in prose', 'memory.yaml', 'entries:\n- body: |\n    tit¦', []],
  ])('%s', async (_name, file, marked, expected) => {
    const labels = await completions(file, marked);
    if (file === 'routing.yaml') labels.sort();
    expect(labels).toEqual(expected);
  });

  test('plans that can be found by their description', async () => {
    const { api, file } = await openDocuments();
    const text = 'dispatches:\n- target-plan: ';
    const params = { file: file('dispatches.yaml'), text, position: { line: 1, character: 15 } };
    const [first] = (await api.request('complete_at', params)).completions;
    expect(first).toMatchObject({
      documentation: 'Finding things',
      filter: 'greeter/project-root/search Finding things',
    });
  });
});

describe('describe_at explains', () => {
  test.each([
    [
      'a key by its meaning',
      'backlog.yaml',
      'tasks:\n- id: a\n  st¦atus: done',
      'meaning',
      '`not_started`, `in_progress`, `done` or `blocked`.',
    ],
    [
      'a setting by its meaning',
      'daemon.toml',
      '[watch]\nen¦abled = true',
      'meaning',
      'Whether the owner of the vault notices by itself what you change in the files of the vault and its plans.',
    ],
    [
      'a plan by its description',
      'dispatches.yaml',
      'dispatches:\n- target-plan: greeter/¦project-root/search',
      'title',
      'Finding things',
    ],
  ])('%s', async (_name, name, marked, where, expected) => {
    const { api, file } = await openDocuments();
    const line = marked.split('\n').findIndex((one) => one.includes('¦'));
    const character = (marked.split('\n')[line] ?? '').indexOf('¦');
    const told = await api.request('describe_at', {
      file: file(name),
      text: marked.replace('¦', ''),
      position: { line, character },
    });
    expect(where === 'meaning' ? told.meaning : told.reference?.title).toBe(expected);
  });
});
