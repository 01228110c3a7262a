import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { checkDisk } from '../../src/doctor/machineChecks.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { openCore } from '../support/openCore.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { makeWorld } from '../support/world.ts';
import { check, scripted, writeIn } from './doctorWorld.ts';

test('doctor finds nothing wrong in a sound vault', () => check({}, []));

test('doctor finds the wrong links that a rescan finds', async () => {
  const world = await makeWorld({ settings: scripted });
  await symlink(world.repository, join(world.vault, 'projects', 'ghost'));
  const core = await openCore({ vault: world.vault, environment: world.environment }, { role: 'local' });
  const rescanned = (await core.api.request('rescan', {})).diagnostics.map(({ message }) => message);
  const { checks } = await core.api.request('doctor', {});
  await core.stop();
  const found = checks.filter(({ check, severity }) => check === 'projects' && severity !== 'ok');
  expect(rescanned).toContain('projects/ghost is in neither projects.yaml nor projects.local.yaml.');
  const ghost = found.filter(({ message }) => message.endsWith('is in neither projects.yaml nor projects.local.yaml.'));
  expect(ghost).toMatchObject([{ subject: 'ghost', severity: 'warning' }]);
});

test('doctor names the line that makes routing.yaml unusable', () =>
  check({ arrange: ({ vault }) => writeIn(vault, 'routing.yaml', 'rules:\n- id: a\n  any: [x\n') }, [
    {
      check: 'rules',
      severity: 'error',
      subject: expect.stringMatching(/routing\.yaml:\d+$/),
      message: expect.stringContaining('no rule decides'),
    },
  ]));

describe('doctor on the machine', () => {
  const withFree = (bytes: number): Disk => ({ ...nodeDisk, freeBytes: async () => bytes });
  test('warns of little free space', () =>
    check({ disk: withFree(500 * 1024 * 1024) }, [
      { check: 'disk', severity: 'warning', message: '500 MiB are free on the disk of the vault.' },
    ]));
  test('counts much free space in GiB', () =>
    checkDisk({ disk: withFree(78_375 * 1024 * 1024), layout: new VaultLayout('/vault') }).then((checks) =>
      expect(checks).toMatchObject([{ severity: 'ok', message: '76 GiB are free on the disk of the vault.' }]),
    ));
  test('reports almost no free space as an error', () =>
    check({ disk: withFree(1024) }, [{ check: 'disk', severity: 'error' }]));
  test('reports a missing git', () =>
    check({ environment: { PATH: '/nonexistent' } }, [
      { check: 'git', severity: 'error', fix: expect.stringContaining('Install git') },
      { check: 'harness', severity: 'info' },
      { check: 'projects', severity: 'error' },
    ]));
  test('reports a missing git identity', () =>
    check({ arrange: (world) => writeFile(join(world.root, 'home/.gitconfig'), '') }, [
      { check: 'git', severity: 'error', fix: expect.stringContaining('git config --global user.name') },
      { check: 'projects', severity: 'error', subject: 'greeter' },
    ]));
  test('warns of low inotify limits with the commands that raise them', () => {
    const readFile: Disk['readFile'] = async (path, inspect) =>
      path.startsWith('/proc/sys/fs/inotify') ? Buffer.from('8\n') : nodeDisk.readFile(path, inspect);
    return makeWorld().then(async (world) => {
      const core = await openCore(world, { role: 'local', disk: { ...nodeDisk, readFile } });
      const { checks } = await core.api.request('doctor', {});
      await core.stop();
      expect(checks.filter(({ check: name }) => name === 'watching')).toMatchObject([
        { severity: 'warning', fix: '`sudo sysctl fs.inotify.max_user_watches=524288`' },
        { severity: 'warning', fix: '`sudo sysctl fs.inotify.max_user_instances=512`' },
      ]);
    });
  });
});

describe('doctor on Claude Code', () => {
  /** Puts a program `claude` on PATH and checks what doctor finds of it. */
  async function checkClaude(
    script: string | undefined,
    expected: readonly object[],
    scene: { readonly environment?: Readonly<Record<string, string>>; readonly settings?: string } = {},
  ): Promise<void> {
    const world = await makeWorld({ settings: scene.settings ?? '' });
    const programs = join(world.root, 'programs');
    await mkdir(programs);
    if (script !== undefined) {
      await writeFile(join(programs, 'claude'), `#!/bin/sh\n${script}\n`);
      await chmod(join(programs, 'claude'), 0o755);
    }
    const path = `${programs}:/usr/bin:/bin`;
    const environment = { ...world.environment, PATH: path, SECRET: 'x', ...scene.environment };
    const core = await openCore({ vault: world.vault, environment }, { role: 'local' });
    const { checks } = await core.api.request('doctor', {});
    await core.stop();
    expect(checks.filter(({ subject }) => subject === 'claude-code')).toMatchObject(expected);
  }

  const says = 'echo "2.1.0 (Claude Code)$SECRET"';
  const found = { severity: 'ok', message: expect.stringMatching(/^2\.1\.0 \(Claude Code\), as \//) };

  test('reads the version in a clean environment and warns of a missing login', () =>
    checkClaude(says, [found, { severity: 'warning', message: expect.stringContaining('No login') }]));
  test('accepts an API key in the environment', () =>
    checkClaude(says, [found, { severity: 'ok', message: 'ANTHROPIC_API_KEY is set.' }], {
      environment: { ANTHROPIC_API_KEY: 'k' },
    }));
  test('accepts a login stored below the given HOME', async () => {
    const home = await makeTemporaryDirectory();
    await writeIn(home, '.claude/.credentials.json', 'not for us');
    const message = `A login is stored in ${home}/.claude.`;
    await checkClaude(says, [found, { severity: 'ok', message }], { environment: { HOME: home } });
  });
  test('only mentions a missing program when another harness is the default', () =>
    checkClaude(undefined, [{ severity: 'info', fix: expect.stringContaining('Install Claude Code') }], {
      settings: scripted,
    }));
  test('warns of a version that is too old', () =>
    checkClaude('echo "2.0.76 (Claude Code)"', [
      {
        severity: 'warning',
        message: expect.stringContaining('older than 2.1.0'),
        fix: expect.stringContaining('update'),
      },
    ]));
  test('reports a missing program as an error when it is the default harness', () =>
    checkClaude(undefined, [{ severity: 'error' }]));
  test('reports a program that exits with an error', () =>
    checkClaude('exit 3', [{ severity: 'error', fix: expect.stringMatching(/claude --version` shows/) }]));
});

describe('the harnesses request', () => {
  async function look(script: string | undefined, mode = 0o755, environment: Readonly<Record<string, string>> = {}) {
    const world = await makeWorld();
    const home = await makeTemporaryDirectory();
    const program = join(home, '.local/bin/claude');
    if (script !== undefined) {
      await writeIn(home, '.local/bin/claude', `#!/bin/sh\n${script}\n`);
      await chmod(program, mode);
    }
    const all = { ...world.environment, HOME: home, PATH: '/usr/bin:/bin', ...environment };
    const core = await openCore({ vault: world.vault, environment: all }, { role: 'local' });
    const { harnesses } = await core.api.request('harnesses', { harness: 'claude-code' });
    await core.stop();
    return { look: harnesses[0], count: harnesses.length, program };
  }

  test.each<[string, Parameters<typeof look>, object]>([
    [
      'reports missing when nothing is installed',
      [undefined],
      { state: 'missing', fix: expect.stringContaining('Install') },
    ],
    [
      'reports notExecutable without the permission to execute',
      ['exit 0', 0o644],
      { state: 'notExecutable', fix: expect.stringContaining('chmod +x') },
    ],
    ['reports silent when the program prints nothing', ['exit 0'], { state: 'silent' }],
    [
      'reports tooOld with both versions',
      ['echo 1.0.128'],
      { state: 'tooOld', version: '1.0.128', oldestVersion: '2.1.0' },
    ],
    ['reports noLogin when no login is stored', ['echo 2.1.5'], { state: 'noLogin', login: { state: 'missing' } }],
    [
      'reports ready with a version and a login',
      ['echo 2.1.5', 0o755, { ANTHROPIC_API_KEY: 'k' }],
      { state: 'ready', version: '2.1.5' },
    ],
  ])('%s', async (_name, given, expected) => {
    const { look: found, count, program } = await look(...given);
    expect(found).toMatchObject({ harness: 'claude-code', isDefault: true, ...expected });
    expect(count).toBe(1);
    // Not on PATH, but where an installer puts it.
    if (found?.program !== undefined) expect(found.program).toBe(program);
  });
});

describe('doctor on the vault', () => {
  test('warns of an unknown setting', () =>
    check({ options: { settings: `${scripted}[limits]\nsesion-minutes = 3\n` } }, [
      { check: 'settings', severity: 'warning', message: expect.stringContaining('sesion-minutes') },
    ]));
  test('reports a runtime folder and a socket that others can open, with the commands that close them', () =>
    check(
      {
        arrange: async (world) => {
          await writeFile(join(world.vault, 'runtime/daemon.sock'), '', { mode: 0o666 });
          await chmod(join(world.vault, 'runtime/daemon.sock'), 0o666);
          await chmod(join(world.vault, 'runtime'), 0o755);
        },
      },
      [
        { check: 'permissions', severity: 'error', fix: expect.stringMatching(/^`chmod 700 '.*\/runtime'`$/) },
        { check: 'permissions', severity: 'error', fix: expect.stringMatching(/^`chmod 600 '.*\.sock'`$/) },
      ],
    ));
  test('mentions missing files for Obsidian', () =>
    check({ arrange: (world) => rm(join(world.vault, '.obsidian'), { recursive: true }) }, [
      { check: 'editor', severity: 'info', fix: expect.stringContaining('ravel rescan --obsidian') },
    ]));
  test('reports a project link that leads nowhere', () =>
    check({ arrange: (world) => symlink('/nonexistent', join(world.vault, 'projects/lost')) }, [
      { check: 'projects', severity: 'warning', subject: 'lost' },
      { check: 'projects', severity: 'error', fix: expect.any(String) },
    ]));
  test('warns of a project without a link', () =>
    check({ arrange: (world) => rm(join(world.vault, 'projects/greeter')) }, [
      { check: 'projects', severity: 'warning', subject: 'greeter', fix: expect.stringContaining('ravel rescan') },
    ]));
  test('reports a repository with a merge in progress', () =>
    check({ arrange: (world) => writeFile(join(world.repository, '.git/MERGE_HEAD'), '') }, [
      { check: 'projects', severity: 'error', subject: 'greeter', message: expect.stringContaining('merge') },
    ]));
  test('reports a project whose folder is gone', () =>
    check({ arrange: (world) => rename(world.repository, `${world.repository}-moved`) }, [
      { check: 'projects', severity: 'error', subject: 'greeter', fix: expect.stringContaining('ravel adopt') },
      { check: 'projects', severity: 'error', subject: 'projects/greeter' },
    ]));
  test('mentions hooks that a commit would run', () =>
    check({ arrange: (world) => world.hook('commit-msg', 'exit 0') }, [
      { check: 'projects', severity: 'info', message: expect.stringContaining('hooks commit-msg;') },
    ]));
});
