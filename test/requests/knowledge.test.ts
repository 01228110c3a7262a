import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Api } from '../../src/model/protocol.ts';
import { declaration } from '../support/expertDeclaration.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

async function open(files: Readonly<Record<string, string>> = {}) {
  const world = await makeWorld();
  for (const [path, text] of Object.entries(files)) await write(world, path, text);
  const { core } = await startCore(world);
  const events: string[] = [];
  core.api.onEvent((event) => {
    if (event.type === 'knowledge.changed') events.push(event.did);
  });
  return { world, api: core.api, core, events };
}

async function write(world: World, path: string, text: string): Promise<void> {
  const file = join(world.vault, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

const read = (world: World, path: string) => readFile(join(world.vault, path), 'utf8');

const lastCommit = (world: World, directory: string) =>
  world.git('-C', directory, 'log', '-1', '--format=%s', '--name-only').then((text) => text.trim().split(/\n+/));

test('an entry is added, committed and told, and is found by its title', async () => {
  const { world, api, events } = await open();
  const added = await api.request('add_entry', {
    ...{ title: 'Retries need a limit', body: 'Without one, a client keeps a server down.', folder: 'techniques' },
    ...{ tags: ['retry'], kind: 'heuristic' },
  });
  const entry = 'knowledge/techniques/retries-need-a-limit.md';
  expect(added).toEqual({ did: 'Add Retries need a limit', entries: [entry], diagnostics: [] });
  expect(await lastCommit(world, world.vault)).toEqual(['Add Retries need a limit', entry]);
  expect(events).toEqual(['Add Retries need a limit']);
  const page = await api.request('entry', { entry: 'retries NEED a limit' });
  expect(page).toMatchObject({
    row: { entry, title: 'Retries need a limit', status: 'staged', confidence: 'low', axis: 'techniques', version: 1 },
    body: '\nWithout one, a client keeps a server down.\n',
    links: [],
    backlinks: [],
  });
  expect(page).not.toHaveProperty('uses');
});

test('an entry of a project is kept and committed there', async () => {
  const { world, api } = await open();
  await api.request('add_entry', { title: 'Greetings are short', body: 'They fit on one line.', project: 'greeter' });
  expect(await lastCommit(world, world.project)).toEqual([
    ...['Add Greetings are short', 'ravel/knowledge/greetings-are-short.md'],
  ]);
  const { entries } = await api.request('entries', { project: 'greeter' });
  expect(entries.map(({ entry, project, axis }) => [entry, project, axis])).toEqual([
    ['greeter/knowledge/greetings-are-short.md', 'greeter', ''],
  ]);
  const unknown = await failureOf(() => api.request('add_entry', { title: 'B', body: 'B', project: 'none' }));
  expect(unknown.code).toBe('project/unknown');
});

describe('what cannot become an entry is refused, and nothing is written:', () => {
  test.each<[string, object, string]>([
    ['text that is marked as private', { body: 'A <private>b</private>' }, 'write/private'],
    ['what was given', { body: 'One two three four five six.', given: ['one two three four five six'] }, 'write/echo'],
    ['a folder outside of the axes', { folder: 'misc' }, 'entry/badFolder'],
    ['a bad tag', { tags: ['two words'] }, 'write/badForm'],
    ['a title that is in use', { title: 'first' }, 'entry/exists'],
  ])('%s', async (_name, change, code) => {
    const { world, api, events } = await open({ 'knowledge/tools/first.md': '---\ntitle: First\n---\nText.\n' });
    const before = await lastCommit(world, world.vault);
    const params = { title: 'Second', body: 'Text.', ...change };
    expect((await failureOf(() => api.request('add_entry', params))).code).toBe(code);
    expect(await lastCommit(world, world.vault)).toEqual(before);
    expect(events).toEqual([]);
    expect((await api.request('entries', {})).total).toBe(1);
  });
});

test('a project that the vault does not have proves nothing', async () => {
  const { world, api } = await open({ 'knowledge/tools/a.md': '---\ntitle: A\n---\nText.\n' });
  const validate = () => api.request('validate_entry', { entry: 'A', project: 'made-up' });
  expect((await failureOf(validate)).code).toBe('project/unknown');
  expect(await read(world, 'knowledge/tools/a.md')).toBe('---\ntitle: A\n---\nText.\n');
});

describe('a secret is refused, and nothing is written:', () => {
  const token = ['gh', 'p_', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7'].join('');
  test.each<[string, (api: Api) => Promise<unknown>]>([
    ['in a new title', (api) => api.request('rename_entry', { entry: 'A', title: `Use ${token}` })],
    ['in how an entry was seen to hold', (api) => api.request('validate_entry', { entry: 'A', context: token })],
    ['in the reason to archive', (api) => api.request('archive_entry', { entry: 'A', reason: token })],
    ['in the reason to delete', (api) => api.request('delete_entry', { entry: 'A', reason: token })],
    ['in the reason of a link', (api) => api.request('contradict_entry', { entry: 'A', other: 'B', reason: token })],
    ['in the reason to supersede', (api) => api.request('supersede_entry', { entry: 'A', by: 'B', reason: token })],
  ])('%s', async (_name, ask) => {
    const text = '---\ntitle: A\n---\nText.\n';
    const { world, api, events } = await open({
      'knowledge/tools/a.md': text,
      'knowledge/tools/b.md': '---\ntitle: B\n---\n',
    });
    expect((await failureOf(() => ask(api))).code).toBe('write/secret');
    expect(await read(world, 'knowledge/tools/a.md')).toBe(text);
    expect(events).toEqual([]);
  });
});

describe('a name that does not stand for one entry is refused:', () => {
  test.each<[string, string, string, RegExp]>([
    ['an unknown one, with those that were likely meant', 'Retrys', 'entry/unknown', /No entry is called/],
    ['one of two entries', 'Twin', 'entry/ambiguous', /2 entries are called "Twin"/],
    ['that of a plain note', 'tools/plain', 'entry/plainNote', /without a title/],
    ['that of a broken entry', 'tools/broken.md', 'entry/badKey', /cannot be read/],
  ])('%s', async (_name, entry, code, message) => {
    const { api } = await open({
      'knowledge/tools/retries.md': '---\ntitle: Retries\n---\n',
      'knowledge/tools/a.md': '---\ntitle: Twin\n---\n',
      'knowledge/tools/b.md': '---\ntitle: Twin\n---\n',
      'knowledge/tools/plain.md': 'Text.\n',
      'knowledge/tools/broken.md': '---\ntitle: [\n---\n',
    });
    const refused = await failureOf(() => api.request('entry', { entry }));
    expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
    if (code === 'entry/unknown') expect(refused.help).toBe('Did you mean "Retries"?');
    expect((await failureOf(() => api.request('archive_entry', { entry, reason: 'Old' }))).code).toBe(code);
  });
});

test('entries are listed by axis, tag, kind, status and confidence, in pages', async () => {
  const { api } = await open({
    'knowledge/languages/a.md': '---\ntitle: A\ntags: [x]\nkind: decision\nconfidence: high\n---\n',
    'knowledge/tools/b.md': '---\ntitle: B\ntags: [x, y]\n---\n',
    'knowledge/tools/c.md': '---\ntitle: C\nstatus: staged\n---\n',
    'archive/knowledge/tools/d.md': '---\ntitle: D\n---\n',
  });
  const titles = async (params: object) => {
    const { entries, total } = await api.request('entries', params);
    return `${entries.map(({ title }) => title).join(' ')} of ${total}`;
  };
  expect(await titles({})).toBe('A B C of 3');
  expect(await titles({ axis: 'tools' })).toBe('B C of 2');
  expect(await titles({ tags: ['y', 'z'] })).toBe('B of 1');
  expect(await titles({ kinds: ['decision'] })).toBe('A of 1');
  expect(await titles({ statuses: ['archived', 'staged'] })).toBe('C D of 2');
  expect(await titles({ confidences: ['high'] })).toBe('A of 1');
  expect(await titles({ project: '' })).toBe('A B C of 3');
  expect(await titles({ from: 1, limit: 1 })).toBe('B of 3');
});

test('an entry goes to the archive and comes back, links still find it, and each step is a commit', async () => {
  const text = '---\ntitle: Old way # mine\nid: 01JD0000000000000000000000\nversion: 1\n---\nText.\n';
  const { world, api } = await open({
    'knowledge/tools/old.md': text,
    'knowledge/tools/new.md': '---\ntitle: New way\nrelated: ["[[Old way]]"]\n---\n',
  });
  await api.request('archive_entry', { entry: 'Old way', reason: 'It is old' });
  expect((await lastCommit(world, world.vault)).slice(0, 3)).toEqual([
    'Archive Old way',
    'archive/knowledge/tools/old.md',
  ]);
  expect((await api.request('entry', { entry: 'New way' })).links).toEqual([
    { key: 'related', target: 'Old way', leadsTo: [{ entry: 'archive/knowledge/tools/old.md', title: 'Old way' }] },
  ]);
  expect((await api.request('knowledge_links', {})).diagnostics).toEqual([]);
  await api.request('restore_entry', { entry: 'Old way' });
  expect(await read(world, 'knowledge/tools/old.md')).toBe(text.replace('version: 1', 'version: 3'));
  expect((await api.request('entries', { statuses: ['archived'] })).total).toBe(0);
});

test('an entry is superseded by a better one, and weaker evidence is sent to contradict', async () => {
  const { world, api } = await open({
    'knowledge/tools/old.md': '---\ntitle: Old\nconfidence: medium\n---\n',
    'knowledge/tools/new.md': '---\ntitle: New\n---\n',
  });
  const text = '# Two\n\nBefore.\n\n## Limits\n\nFive.\n\n## Empty\n\n## Superseded\n\nOld words.\n';
  await write(world, 'knowledge/tools/two.md', `---\ntitle: Two\n---\n${text}`);
  expect((await api.request('entry', { entry: 'Two' })).statements).toEqual(['', 'Limits']);
  const supersede = () => api.request('supersede_entry', { entry: 'Old', by: 'New', reason: 'Measured' });
  expect(await failureOf(supersede)).toMatchObject({
    code: 'entry/weakerEvidence',
    help: expect.stringContaining('ravel knowledge contradict'),
  });
  await api.request('validate_entry', { entry: 'New', project: 'greeter', context: 'An outage' });
  await supersede();
  expect(await read(world, 'knowledge/tools/new.md')).toContain("supersedes:\n- '[[Old]]'\n");
  expect(await world.git('-C', world.vault, 'log', '-1', '--format=%B')).toContain('Supersede Old by New\n\nMeasured');
  expect((await api.request('entry', { entry: 'Old' })).backlinks).toEqual([
    { key: 'supersedes', entry: 'knowledge/tools/new.md', title: 'New' },
  ]);
  const back = () => api.request('supersede_entry', { entry: 'New', by: 'Old', reason: 'Back' });
  expect((await failureOf(back)).code).toBe('entry/supersessionCycle');
  await api.request('contradict_entry', { entry: 'Old', other: 'New', reason: 'Both' });
  expect((await api.request('knowledge_links', {})).diagnostics).toEqual([]);
});

describe('the deletion of an entry', () => {
  const ask = (api: Api) => api.request('delete_entry', { entry: 'A', reason: 'It names a customer' });
  const decide = async (api: Api, approval: string, decision: 'accept' | 'reject') => {
    const { contentHash } = await api.request('approval', { approval });
    return api.request('decide', { approval, decision, contentHash });
  };

  test('needs an approval, which holds once', async () => {
    const { world, api } = await open({ 'knowledge/tools/a.md': '---\ntitle: A\n---\nText.\n' });
    const { approval } = await ask(api);
    expect((await ask(api)).approval).toBe(approval);
    expect((await api.request('approval', { approval })).shown).toContain('It names a customer');
    await decide(api, approval, 'accept');
    expect((await api.request('entries', {})).total).toBe(0);
    await write(world, 'knowledge/tools/a.md', '---\ntitle: A\n---\nText.\n');
    expect((await failureOf(() => decide(api, approval, 'accept'))).code).toBe('approval/decided');
    expect((await api.request('entries', {})).total).toBe(1);
    expect((await ask(api)).approval).not.toBe(approval);
  });

  test('does not happen if the entry changed since then', async () => {
    const { world, api } = await open({ 'knowledge/tools/a.md': '---\ntitle: A\n---\nText.\n' });
    const { approval } = await ask(api);
    await write(world, 'knowledge/tools/a.md', '---\ntitle: A\n---\nBetter text.\n');
    expect((await failureOf(() => decide(api, approval, 'accept'))).code).toBe('entry/deletionStale');
    await decide(api, approval, 'reject');
    expect(await read(world, 'knowledge/tools/a.md')).toContain('Better text.');
  });

  test.each<[string, string | undefined]>([
    ['broke', '---\ntitle: A\ntitle: B\n---\nText.\n'],
    ['is no entry any more', 'Text.\n'],
    ['was archived', undefined],
  ])('is not reported as done if the file %s since then', async (_name, text) => {
    const { world, api } = await open({ 'knowledge/tools/a.md': '---\ntitle: A\n---\nText.\n' });
    const { approval } = await ask(api);
    if (text === undefined) await api.request('archive_entry', { entry: 'A', reason: 'Old' });
    else await write(world, 'knowledge/tools/a.md', text);
    expect((await failureOf(() => decide(api, approval, 'accept'))).code).toBe('entry/deletionStale');
    if (text === undefined) expect((await api.request('entry', { entry: 'A' })).row.status).toBe('archived');
    else expect(await read(world, 'knowledge/tools/a.md')).toBe(text);
  });
});

test('an entry that a person opens counts as used, also for the next owner and for who only reads', async () => {
  const { world, api, core } = await open({ 'knowledge/tools/a.md': '---\ntitle: A\n---\n' });
  await api.request('record_use', { entry: 'A' });
  await api.request('record_use', { entry: 'A' });
  const uses = { opened: 2, cited: 0, weight: 2, sessions: 0 };
  expect((await api.request('entry', { entry: 'A' })).uses).toMatchObject(uses);
  await core.stop();
  const { core: reader } = await startCore(world, { role: 'local' });
  expect((await reader.api.request('entry', { entry: 'A' })).uses).toMatchObject(uses);
});

test('an entry that a person opens while the vault has no owner counts at once, and once for the next owner', async () => {
  const { world, core } = await open({ 'knowledge/tools/a.md': '---\ntitle: A\n---\n' });
  await core.api.request('record_use', { entry: 'A' });
  await core.stop();
  const { core: reader } = await startCore(world, { role: 'local' });
  await reader.api.request('record_use', { entry: 'A' });
  expect((await reader.api.request('entry', { entry: 'A' })).uses).toMatchObject({ opened: 2 });
  await reader.stop();
  for (let owners = 0; owners < 2; owners += 1) {
    const { core: next } = await startCore(world);
    expect((await next.api.request('entry', { entry: 'A' })).uses).toMatchObject({ opened: 2 });
    await next.stop();
  }
  expect(await readdir(join(world.vault, 'runtime/knowledge/uses-aside'))).toEqual([]);
});

test('the next owner finishes a change that a crash cut short', async () => {
  const { world, core } = await open({ 'knowledge/tools/a.md': '---\ntitle: A\n---\n' });
  await core.stop();
  await mkdir(join(world.vault, 'runtime/knowledge'), { recursive: true });
  const files = [{ project: '', isArchived: false, path: 'tools/b.md', after: '---\ntitle: B\n---\n' }];
  await writeFile(join(world.vault, 'runtime/knowledge/change.json'), JSON.stringify({ title: 'Add B', files }));
  const { core: next } = await startCore(world);
  await next.recovered;
  expect((await next.api.request('entry', { entry: 'B' })).row.title).toBe('B');
  expect(await lastCommit(world, world.vault)).toEqual(['Add B', 'knowledge/tools/b.md']);
});

test('exploring finds gaps, open questions, tags to connect and what is cited and not proven, of a tag or an axis', async () => {
  const id = '01JD0000000000000000000001';
  const gap = { id, at: '2026-01-01T00:00:00Z', expert: 'expert:rust', question: 'What is a pin?', entries: [] };
  const { api, core, world } = await open({
    'experts/rust.md': declaration({}),
    [`runtime/gaps/${id}.json`]: `${JSON.stringify(gap)}\n`,
    'knowledge/techniques/a.md':
      '---\ntitle: A\ntags: [retry]\nconfidence: high\n---\nA client that retries without a limit keeps a server down.\n',
    'knowledge/domains/b.md':
      '---\ntitle: B\ntags: [outage]\nconfidence: prospective\n---\nWithout a limit, clients that retry keep a server down.\n',
    'knowledge/languages/rust/c.md': '---\ntitle: C\ntags: [rust]\nrelated: ["[[B]]"]\n---\nRust is a language.\n',
  });
  const whole = await api.request('explore_knowledge', {});
  expect(whole).toMatchObject({
    questions: [{ question: 'What is a pin?', times: 1, experts: ['expert:rust'] }],
    connections: [{ tags: ['outage', 'retry'], entries: [{ title: 'B' }, { title: 'A' }], isCited: false, pairs: 1 }],
    unproven: [{ entry: 'knowledge/domains/b.md', confidence: 'prospective', citations: 1 }],
    totals: { gaps: 4, questions: 1, connections: 1, unproven: 1 },
    compared: { entries: 3, of: 3 },
  });
  expect(await api.request('explore_knowledge', {})).toEqual(whole);
  const rust = await api.request('explore_knowledge', { tag: 'rust', axis: 'languages' });
  expect(rust.totals).toEqual({ gaps: 2, questions: 1, connections: 0, unproven: 0 });
  const tools = await api.request('explore_knowledge', { axis: 'domains' });
  expect(tools.totals).toEqual({ gaps: 1, questions: 0, connections: 1, unproven: 1 });
  await core.stop();
  const { core: reader } = await startCore(world, { role: 'local' });
  expect(await reader.api.request('explore_knowledge', {})).toEqual(whole);
});
