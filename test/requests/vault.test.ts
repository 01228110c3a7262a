import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/failureOf.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

test('hello refuses another protocol version and names both', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  expect(await core.api.request('hello', { protocol: 1 })).toMatchObject({ protocol: 1, vault: world.vault });
  expect(await failureOf(() => core.api.request('hello', { protocol: 99 }))).toMatchObject({
    code: 'server/protocol',
    message: 'You speak version 99 of the protocol, the owner of the vault version 1.',
  });
});

/** A vault with a broken memory and a damaged mailbox. */
async function makeBroken() {
  const world = await makeWorld({ plan: { 'memory.yaml': 'entries: [\n' } });
  await mkdir(join(world.vault, 'runtime/mailboxes'), { recursive: true });
  await writeFile(join(world.vault, 'runtime/mailboxes/greeter%2Fproject-root.jsonl'), 'nonsense\nmore\n');
  return world;
}

describe.each(['owner', 'local'] as const)('with the role %s', (role) => {
  test.each(['verify', 'rescan'] as const)('%s reports broken files and faulted actors', async (name) => {
    const world = await makeBroken();
    const { core } = await startCore(world, { role });
    const { diagnostics } = await core.api.request(name, {});
    const { plan } = world;
    expect(diagnostics).toMatchObject([
      { code: expect.stringMatching(/^yaml\//), severity: 'error', subject: plan },
      { code: 'mailbox/corrupt', severity: 'error', subject: plan },
    ]);
  });
});

test('a rescan reports each problem of the registry once', async () => {
  const world = await makeWorld();
  await writeFile(join(world.vault, 'projects.yaml'), 'projects: [\n');
  const { core } = await startCore(world, { role: 'local' });
  const { diagnostics } = await core.api.request('rescan', {});
  const told = diagnostics.map((problem) => JSON.stringify(problem));
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told).size).toBe(told.length);
});

test('a rescan makes and commits the files for Obsidian when asked to', async () => {
  const world = await makeWorld();
  await world.git('-C', world.vault, 'rm', '--quiet', 'Plans.md');
  await world.git('-C', world.vault, 'commit', '--quiet', '-m', 'No dashboard');
  const { core } = await startCore(world, { role: 'local' });
  expect(await core.api.request('rescan', {})).not.toHaveProperty('made');
  expect(await core.api.request('rescan', { obsidian: true })).toMatchObject({ made: ['Plans.md'] });
  expect(await world.git('-C', world.vault, 'show', '--format=%s', '--name-only')).toBe(
    'Add the files for Obsidian\n\nPlans.md\n',
  );
});

describe('adopt', () => {
  /** Checks the registry entry of a second project with this origin. */
  async function check(origin: string | undefined, expected: string): Promise<void> {
    const world = await makeWorld();
    const project = join(world.root, 'second');
    await world.git('init', '--quiet', project);
    if (origin !== undefined) await world.git('-C', project, 'remote', 'add', 'origin', origin);
    const { core } = await startCore(world, { role: 'local' });
    await core.api.request('adopt', { project, description: 'Is the second one' });
    const text = await readFile(join(world.vault, 'projects.yaml'), 'utf8');
    expect(text.slice(text.indexOf('- name: second'))).toBe(expected);
    expect(text).not.toContain('secret');
  }

  test('records the project’s remote without its password', () =>
    check('https://ada:secret@example.org/a.git', '- name: second\n  remote: https://example.org/a.git\n'));
  test('records no remote for a project without one', () => check(undefined, '- name: second\n'));

  test('refuses a folder that does not exist', async () => {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    const params = { project: join(world.root, 'nowhere'), description: 'Is not there' };
    expect(await failureOf(() => core.api.request('adopt', params))).toMatchObject({ code: 'project/missing' });
  });
});

test('a link, a work tree of git and a submodule are adopted at their real place', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  await symlink(world.project, join(world.root, 'link'));
  await world.git('worktree', 'add', '--quiet', '-b', 'other', join(world.root, 'tree'));
  await world.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', world.project, 'sub');
  const adopt = (below: string) =>
    core.api.request('adopt', {
      project: join(world.root, below),
      name: below.replace('/', '-'),
      description: 'Is one',
    });
  expect(await failureOf(() => adopt('link'))).toMatchObject({ code: 'project/exists' });
  expect((await adopt('tree')).plan).toBe('tree/project-root');
  await symlink(join(world.project, 'sub'), join(world.root, 'sub'));
  expect((await adopt('sub')).plan).toBe('sub/project-root');
});

describe('adopt refuses', () => {
  test.each<[string, (world: World) => Promise<string>, string]>([
    ['the root of the file system', async () => '/', 'project/badPlace'],
    ['the home folder', async (world) => world.environment['HOME'] ?? '', 'project/badPlace'],
    ['a file', async (world) => join(world.project, 'README.md'), 'project/missing'],
    ['a file as a folder', async (world) => join(world.project, 'README.md', 'x'), 'project/missing'],
    ['the folder of git', async (world) => join(world.project, '.git'), 'project/badPlace'],
    [
      'a bare repository',
      async (world) => {
        await world.git('init', '--quiet', '--bare', join(world.root, 'bare'));
        return join(world.root, 'bare');
      },
      'project/badPlace',
    ],
    ['a folder below ravel/', async (world) => world.planDirectory, 'project/badPlace'],
    [
      'a link into the vault',
      async (world) => {
        await symlink(join(world.vault, 'knowledge'), join(world.root, 'link'));
        return join(world.root, 'link');
      },
      'project/inVault',
    ],
  ])('%s', async (_name, place, code) => {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    const params = { project: await place(world), name: 'second', description: 'Is no project' };
    expect(await failureOf(() => core.api.request('adopt', params))).toMatchObject({ code });
    expect(await readdir(join(world.vault, 'projects'))).toEqual(['greeter']);
  });

  test.each([
    ['the vault itself', ''],
    ['a folder inside the vault', 'knowledge'],
  ])('%s', async (_name, below) => {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    const params = { project: join(world.vault, below), description: 'Is the vault' };
    expect(await failureOf(() => core.api.request('adopt', params))).toMatchObject({ code: 'project/inVault' });
  });
});
