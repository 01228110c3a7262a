import { existsSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DirectoryEntry } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { ConfinedPlace, Confiner } from '../../../src/harness/confinement/confinement.ts';
import { createConfiner } from '../../../src/harness/confinement/confiner.ts';
import { confineSession, findHiddenFiles } from '../../../src/plans/sessions/confineSession.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';
import type { PlanLocation } from '../../../src/vault/walk.ts';
import { failureOf } from '../../support/failureOf.ts';
import { testNeeding } from '../../support/machine.ts';
import { missingConfiner, noConfiner } from '../../support/noConfiner.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';
import { runIn } from '../../support/sandboxWorld.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

describe('the sandbox of a project that is', () => {
  /** `confined`, why it is not, or the code of the error with which work does not begin. */
  type Answer = 'confined' | RegExp | { readonly code: string };
  type Place = (world: PlanWorld) => Promise<PlanLocation>;

  const at = ({ location }: PlanWorld, projectDirectory: string): PlanLocation => ({
    ...location,
    ...{ projectDirectory, ravelDirectory: join(projectDirectory, 'ravel') },
  });
  const cases: Readonly<Record<string, readonly [Place, Answer]>> = {
    'the top of a repository': [async ({ location }) => location, 'confined'],
    'a symbolic link to one': [
      async ({ project, plan, locate }) => {
        renameSync(project, `${project}-real`);
        symlinkSync(`${project}-real`, project);
        return locate(plan);
      },
      'confined',
    ],
    'a further working tree': [
      async (world) => {
        const tree = join(world.folder, 'tree');
        await world.git('worktree', 'add', '--quiet', '-b', 'tree', tree);
        return at(world, tree);
      },
      'confined',
    ],
    'a submodule': [
      async (world) => {
        await world.git('clone', '--quiet', '.', join(world.folder, 'other'));
        const add = ['submodule', '--quiet', 'add', join(world.folder, 'other'), 'sub'];
        await world.git('-c', 'protocol.file.allow=always', ...add);
        return at(world, join(world.project, 'sub'));
      },
      'confined',
    ],
    'a bare repository': [
      async (world) => {
        const bare = join(world.folder, 'bare.git');
        await world.git('clone', '--quiet', '--bare', '.', bare);
        return at(world, bare);
      },
      { code: 'git/notARepository' },
    ],
    'the home folder': [
      async (world) => {
        await world.git('init', '--quiet', world.folder);
        return at(world, world.folder);
      },
      /^The project holds your home folder\.$/,
    ],
    'below a repository that is the home folder': [
      async (world) => {
        await world.git('init', '--quiet', world.folder);
        world.write('plain/a.txt', 'one\n');
        return at(world, join(world.folder, 'plain'));
      },
      /^The repository holds your home folder\.$/,
    ],
    'a folder in which a session left a link as .git': [
      async (world) => {
        world.write('Demo/plain/a.txt', 'one\n');
        symlinkSync('../.git', join(world.project, 'plain/.git'));
        return at(world, join(world.project, 'plain'));
      },
      { code: 'sandbox/unavailable' },
    ],
    'the file system, which is no repository': [async (world) => at(world, '/'), { code: 'git/notARepository' }],
  };
  for (const [name, [place, answer]] of Object.entries(cases)) {
    testNeeding(needs, name, async () => {
      const world = await makePlanWorld({ source: { 'a.txt': 'one\n' } });
      const { environment, runScript, newUlid } = world.services;
      const newSecret = () => `secret-of-a-test-${newUlid()}`;
      const confiner = createConfiner({ disk: nodeDisk, environment, runScript, newSecret });
      const location = await place(world);
      const confine = () =>
        confineSession({ ...world.services, confiner }, location, newUlid(), new AbortController().signal);
      if (typeof answer === 'object' && 'code' in answer) {
        expect(await failureOf(confine)).toMatchObject({ code: answer.code });
        return;
      }
      const found = await confine();
      if (answer !== 'confined') {
        expect(found).toMatchObject({ state: 'unconfined', reason: expect.stringMatching(answer) as string });
        return;
      }
      if (found.state !== 'confined') throw new Error(found.reason);
      const project = location.projectDirectory;
      const command = 'echo x > new.txt; echo x > ../new.txt; git config user.name Eve; echo x > ~/new.txt';
      await runIn({ project, environment: { PATH: process.env['PATH'] ?? '' } }, found.shell, command);
      expect(existsSync(join(project, 'new.txt'))).toBe(true);
      expect([join(project, '../new.txt'), join(world.folder, 'new.txt')].filter(existsSync)).toEqual([]);
      expect(await world.git('-C', project, 'config', 'user.name')).toBe('Ada\n');
    });
  }
});

testNeeding(needs, 'files with secrets around a project look empty, also if the vault is beside it', async () => {
  const world = await makePlanWorld({ source: { 'a.txt': 'one\n' } });
  const { environment, runScript, newUlid } = world.services;
  const newSecret = () => `secret-of-a-test-${newUlid()}`;
  const confiner = createConfiner({ disk: nodeDisk, environment, runScript, newSecret });
  const vault = join(world.project, 'vault');
  for (const path of ['.env', 'other/.env', 'vault/.env']) world.write(`Demo/${path}`, 'TOKEN=CANARY\n');
  world.write('Demo/part/b.txt', 'two\n');
  const services = { ...world.services, confiner, layout: new VaultLayout(vault) };
  const part = join(world.project, 'part');
  const location = { ...world.location, projectDirectory: part, ravelDirectory: join(part, 'ravel') };
  const found = await confineSession(services, location, newUlid(), new AbortController().signal);
  if (found.state !== 'confined') throw new Error(found.reason);
  const project = location.projectDirectory;
  const run = (command: string) =>
    runIn({ project, environment: { PATH: process.env['PATH'] ?? '' } }, found.shell, command);
  expect(await run('cat ../.env ../other/.env ../a.txt; ls -A ../vault')).toEqual({ code: 0, output: 'one\n' });
});

/** The listing of a folder with more entries than a search takes; they share one object, since only their number counts. */
const crowded = async () => new Array<DirectoryEntry>(1_000_001).fill({ name: 'a', kind: 'directory' });

describe('a project in which not all files with secrets can be found', () => {
  const confine = async (commands: 'preferred' | 'required', confiner: Confiner) => {
    const world = await makePlanWorld({ source: { 'a.txt': 'one\n' }, settings: { sandbox: { commands } } });
    const services = { ...world.services, disk: { ...world.services.disk, readDirectory: crowded }, confiner };
    return confineSession(services, world.location, services.newUlid(), new AbortController().signal);
  };

  test.each(['preferred', 'required'] as const)('has no work if sandboxes are %s', async (commands) => {
    expect(await failureOf(() => confine(commands, noConfiner))).toMatchObject({
      code: 'sandbox/unavailable',
      message: expect.stringContaining('Files with secrets cannot be hidden') as string,
    });
  });

  test('has work on a machine that has no sandbox', async () => {
    expect(await confine('preferred', missingConfiner)).toMatchObject({ state: 'unconfined' });
  });
});

test('the commands of a session are shown what the settings name', async () => {
  const { services, location } = await makePlanWorld({ source: { 'a.txt': 'one\n' } });
  const places: ConfinedPlace[] = [];
  const confine = (place: ConfinedPlace) => {
    places.push(place);
    return Promise.resolve({ state: 'confined', shell: '/bin/sh' } as const);
  };
  const sandbox = { ...services.settings.sandbox, readable: ['~/data', '/sdk'] };
  const asked = {
    ...services,
    ...{ settings: { ...services.settings, sandbox }, environment: { HOME: '/me' } },
    confiner: { ...services.confiner, confine },
  };
  await confineSession(asked, location, services.newUlid(), new AbortController().signal);
  expect(places[0]?.readable).toEqual(expect.arrayContaining(['/me/data', '/sdk']));
});

describe('findHiddenFiles', () => {
  test('names secrets beside a folder with very many files', async () => {
    const login = ['_auth', 'Token=made-up\n'].join('');
    const secrets = { '.npmrc': login, 'deploy/credentials.json': '{}\n' };
    const { project, services } = await makePlanWorld({ source: { '.gitignore': 'out/\n', 'out/0': '', ...secrets } });
    const many = Array.from({ length: 20_001 }, (_, at) => ({ name: `${at}`, kind: 'file' as const }));
    const disk = {
      ...services.disk,
      readDirectory: (path: string) =>
        path === join(project, 'out') ? Promise.resolve(many) : services.disk.readDirectory(path),
    };
    const expected = Object.keys(secrets).map((name) => join(project, name));
    expect(await findHiddenFiles({ disk }, project)).toEqual(expect.arrayContaining(expected));
  });
});

testNeeding(needs, 'a command changes no file of any folder that decides what others run', async () => {
  const deciding = ['packages/a/.npmrc', 'packages/a/.vscode/tasks.json', 'packages/a/AGENTS.md', '.npmrc'];
  const source = Object.fromEntries([...deciding, 'packages/a/a.txt'].map((path) => [path, 'one\n']));
  const world = await makePlanWorld({ source });
  const { environment, runScript, newUlid } = world.services;
  const confiner = createConfiner({
    disk: nodeDisk,
    environment,
    runScript,
    newSecret: () => `secret-of-${newUlid()}`,
  });
  const services = { ...world.services, confiner };
  const found = await confineSession(services, world.location, newUlid(), new AbortController().signal);
  if (found.state !== 'confined') throw new Error(found.reason);
  const command = `for f in ${Object.keys(source).join(' ')}; do echo evil > $f; rm -f $f; done; echo x > packages/a/.vscode/new`;
  await runIn({ project: world.project, environment: { PATH: process.env['PATH'] ?? '' } }, found.shell, command);
  expect((await world.git('status', '--porcelain')).trim()).toBe('D packages/a/a.txt');
});
