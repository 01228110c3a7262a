import { spawn } from 'node:child_process';
import { chmod, mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { encodeRecord } from '../../src/actors/record.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import type { Check } from '../../src/model/requests/doctor.ts';
import { message } from '../actors/messages.ts';
import { openCore } from '../support/openCore.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { makeWorld, startCore, type World, type WorldOptions } from '../support/world.ts';

/** The id of every session, approval and message that these tests make up. */
const ulid = '01JD0000000000000000000001';

interface Scene {
  readonly options?: WorldOptions;
  readonly disk?: Disk;
  readonly environment?: Readonly<Record<string, string>>;
  readonly arrange?: (world: World) => Promise<unknown>;
}

const scripted = '[run]\nharness = "scripted"\n';

const mailbox = 'runtime/mailboxes/greeter%2Fproject-root.jsonl';

const question = [
  ...[`id: ${ulid}`, 'createdAt: today', 'contentHash: x', 'kind: needs-input', 'plan: greeter/project-root'],
  ...[`session: ${ulid}`, 'subject: Which colour?', 'options: []', 'details: {question: Which colour?}', ''],
].join('\n');

/** The checks of a core without ownership that are not ok. */
async function examine({ options, disk, environment, arrange }: Scene): Promise<readonly Check[]> {
  const world = await makeWorld({ settings: scripted, ...options });
  await arrange?.(world);
  const place = { vault: world.vault, environment: { ...world.environment, ...environment } };
  const core = await openCore(place, { role: 'local', ...(disk !== undefined && { disk }) });
  const { checks } = await core.api.request('doctor', {});
  await core.stop();
  return checks.filter(({ severity, check }) => severity !== 'ok' && check !== 'owner' && check !== 'watching');
}

async function check(scene: Scene, expected: readonly Partial<Record<keyof Check, unknown>>[]): Promise<void> {
  const found = (await examine(scene)).filter(({ subject }) => subject !== 'claude-code' || scene.environment);
  expect(found).toMatchObject(expected);
  expect(found).toHaveLength(expected.length);
}

async function place(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

const runState = (world: World, text: string) => place(world.vault, 'runtime/plans/greeter%2Fproject-root.yaml', text);

test('doctor finds nothing wrong in a sound vault', () => check({}, []));

test('doctor finds the wrong links that a rescan finds', async () => {
  const world = await makeWorld({ settings: scripted });
  await symlink(world.repository, join(world.vault, 'projects', 'ghost'));
  const core = await openCore({ vault: world.vault, environment: world.environment }, { role: 'local' });
  const rescanned = (await core.api.request('rescan', {})).diagnostics.map(({ message }) => message);
  const { checks } = await core.api.request('doctor', {});
  await core.stop();
  const found = checks.filter(({ check, severity }) => check === 'projects' && severity !== 'ok');
  expect(rescanned).toContain('projects/ghost stands in neither projects.yaml nor projects.local.yaml.');
  const ghost = found.filter(({ message }) =>
    message.endsWith('stands in neither projects.yaml nor projects.local.yaml.'),
  );
  expect(ghost).toMatchObject([{ subject: 'ghost', severity: 'warning' }]);
});

test('doctor names the line where routing.yaml cannot be used', () =>
  check({ arrange: ({ vault }) => place(vault, 'routing.yaml', 'rules:\n- id: a\n  any: [x\n') }, [
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
      { check: 'disk', severity: 'warning', message: '500 MiB are free where the vault lies.' },
    ]));
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
    await place(home, '.claude/.credentials.json', 'not for us');
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
      await place(home, '.local/bin/claude', `#!/bin/sh\n${script}\n`);
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

describe('doctor on plans and messages', () => {
  const paused = 'cycleRun: {cycles: 3, done: 1, cycleBefore: 0, startedAt: x, paused: true}\n';
  test('mentions a paused run with the command that resumes it', () =>
    check({ arrange: (world) => runState(world, paused) }, [
      { check: 'plans', message: expect.stringContaining('1 of 3 cycles'), fix: expect.stringContaining('--resume') },
    ]));
  test('mentions of a paused run with an interrupted phase the phase alone, with which the run goes on', () =>
    check(
      {
        arrange: (world) =>
          runState(
            world,
            `interrupted: {phase: work, session: ${ulid}, reason: 'it was late', failed: false, at: x}\n${paused}`,
          ),
      },
      [
        {
          ...{ check: 'plans', severity: 'info', message: 'work did not finish: it was late.' },
          fix: expect.stringContaining('ravel retry greeter/project-root'),
        },
      ],
    ));
  test('shows only the first line of a reason', () =>
    check(
      {
        arrange: (world) =>
          runState(
            world,
            `interrupted: {phase: work, session: ${ulid}, reason: "it said:\\nNo", failed: true, at: x}\n`,
          ),
      },
      [{ check: 'plans', message: 'work did not finish: it said: …' }],
    ));
  test('mentions a phase that is open by hand', () =>
    check(
      {
        arrange: (world) =>
          runState(world, `running: {phase: work, step: session, session: ${ulid}, harness: person, startedAt: x}\n`),
      },
      [{ check: 'plans', severity: 'info', fix: '`ravel run greeter/project-root --by-hand`' }],
    ));
  test('reports an unreadable run state', () =>
    check({ arrange: (world) => runState(world, 'cycle: many\n') }, [{ check: 'plans', severity: 'error' }]));
  test('warns of a live session that belongs to no phase', async () => {
    const child = spawn('sleep', ['60'], { detached: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    const identity = await createProcesses(nodeDisk).identify(child.pid ?? 0);
    const limits = { timeMs: 1, outputBytes: 1, costUsd: 1, orphanMs: 1, orphanAfterStopMs: 1 };
    const record = { state: 'running', session: ulid, plan: 'p', phase: 'work', harness: 'scripted', limits };
    const host = JSON.stringify({ ...record, startedAt: '2026-01-01T00:00:00.000Z', ...identity });
    const arrange = (world: World) => place(world.vault, `runtime/sessions/${ulid}/host.json`, host);
    await check({ arrange }, [
      { check: 'plans', severity: 'warning', subject: ulid, fix: `\`kill -- -${child.pid}\`` },
    ]);
    const running = `running: {phase: work, step: session, session: ${ulid}, startedAt: x}\n`;
    await check({ arrange: (world) => Promise.all([arrange(world), runState(world, running)]) }, []);
  });
  test('warns of a rendered view with a person’s text in it', () =>
    check({ arrange: (world) => world.writePlan('memory.md', 'My own\n') }, [
      { check: 'views', severity: 'warning', fix: expect.stringMatching(/rm '.*memory\.md'/) },
    ]));
  test('mentions an open approval and reports an unreadable one', () =>
    check(
      {
        arrange: async (world) => {
          const id = ulid.replace('1', '2');
          await place(world.vault, `runtime/approvals/${ulid}.yaml`, 'nonsense: true\n');
          await place(world.vault, `runtime/approvals/${id}.yaml`, question.replace(ulid, id));
        },
      },
      [
        { check: 'approvals', severity: 'error' },
        { check: 'approvals', severity: 'info', message: expect.stringContaining('Which colour?') },
      ],
    ));
  test('does not mention a question that is already decided', () =>
    check(
      {
        arrange: async (world) => {
          await place(world.vault, `runtime/approvals/${ulid}.yaml`, question);
          await place(world.vault, `decisions/${ulid}.yaml`, `${question}decision: reject\nby: ada\nat: today\n`);
        },
      },
      [],
    ));
  test('reports a damaged mailbox by file and line', () =>
    check({ arrange: (world) => place(world.vault, mailbox, 'nonsense\nmore\n') }, [
      {
        ...{ check: 'messages', severity: 'error', subject: 'greeter/project-root' },
        ...{
          message: expect.stringMatching(/Line 1 of .*project-root\.jsonl/),
          fix: expect.stringContaining('revive'),
        },
      },
    ]));
  test('reports a plan that was stopped after crashes and has messages waiting', () =>
    check(
      {
        arrange: async (world) => {
          await place(world.vault, mailbox, encodeRecord(1, { ...message(1), to: toQualifiedId(world.plan) }));
          await place(world.vault, mailbox.replace('mailboxes', 'plans').replace('.jsonl', '.crashes.json'), '[1,2,3]');
        },
      },
      [{ check: 'messages', severity: 'error', message: expect.stringMatching(/crash.* 1 message waits\.$/) }],
    ));
  test('reports unreadable messages that are being routed or sent', () =>
    check(
      {
        async arrange(world) {
          await place(world.vault, `runtime/routing/${ulid}.json`, '{"message":');
          await place(world.vault, `runtime/sending/${ulid}.json`, '{"id":');
        },
      },
      ['routing', 'sending'].map((folder) => ({
        ...{ check: 'messages', severity: 'error', subject: ulid },
        message: expect.stringContaining(`runtime/${folder}/${ulid}.json`),
        fix: expect.stringContaining('remove'),
      })),
    ));
  test('mentions a dead letter and reports an unreadable one', () =>
    check(
      {
        arrange: async (world) => {
          const message = { id: ulid, type: 'note', from: 'person', to: 'greeter/project-root', text: 'Hello' };
          const reason = { code: 'message/crashed', message: 'It crashed.' };
          const counts = { attempts: 2, redelivered: 0, effects: {} };
          const letter = { id: ulid, actor: 'greeter/project-root', message, reason, at: 'today', ...counts };
          const folder = 'runtime/dead-letters/greeter%2Fproject-root';
          await place(world.vault, `${folder}/${ulid}.json`, JSON.stringify(letter));
          await place(world.vault, `${folder}/${ulid.replace('1', '2')}.json`, '{');
        },
      },
      [
        { check: 'messages', severity: 'error' },
        {
          check: 'messages',
          severity: 'warning',
          message: '1 dead letter waits for your word.',
          fix: '`ravel dead-letters`',
        },
      ],
    ));
});

describe('doctor on the locks of plans', () => {
  const gone = { pid: 2 ** 31 - 1, startTime: 'long ago', bootId: 'before' };

  test('counts those that are held and those that were left', () =>
    check(
      {
        async arrange(world) {
          const holder = await createProcesses(nodeDisk).self();
          await place(world.vault, 'runtime/locks/greeter%2Fproject-root.lock', JSON.stringify(holder));
          await place(world.vault, 'runtime/locks/removed%2Fproject-root.lock', JSON.stringify(gone));
          await place(world.vault, 'runtime/plans/renamed%2Fproject-root.lock.7', JSON.stringify(gone));
        },
      },
      [
        { check: 'stale-files', severity: 'info', message: 'Plans that are being changed just now: 1.' },
        { check: 'stale-files', severity: 'info', message: expect.stringContaining('have ended: 2.') },
      ],
    ));
});

describe('doctor beside an owner', () => {
  test('names the owner and reports a faulted actor', async () => {
    const world = await makeWorld({ settings: scripted });
    await place(world.vault, mailbox, 'nonsense\nmore\n');
    const { core } = await startCore(world);
    const { checks } = await core.api.request('doctor', {});
    expect(checks).toContainEqual(
      expect.objectContaining({ check: 'owner', severity: 'ok', message: `Process ${process.pid} owns the vault.` }),
    );
    expect(checks).toContainEqual(
      expect.objectContaining({
        check: 'messages',
        severity: 'error',
        subject: 'greeter/project-root',
        fix: 'repair it, then `ravel revive greeter/project-root`',
      }),
    );
  });
});

describe('the clean request', () => {
  test('lists leftovers without an owner, but only the owner removes them', async () => {
    const world = await makeWorld({ settings: `${scripted}[retention]\ndays = 0.0000001\nmib = 1\n` });
    const session = (name: string) => `runtime/sessions/${name}/spool`;
    await place(world.vault, session(ulid), 'x');
    await makeOld(join(world.vault, 'runtime/sessions', ulid));
    const local = await openCore(world, { role: 'local' });
    const listed = await local.api.request('clean', { dryRun: true });
    expect(listed).toMatchObject({ count: 1, bytes: 1, removed: false, leftovers: [{ path: `sessions/${ulid}` }] });
    const refused = await local.api.request('clean', {}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ diagnostic: { code: 'vault/owned' } });
    const { checks } = await local.api.request('doctor', {});
    expect(checks.at(-1)).toMatchObject({ check: 'stale-files', severity: 'info', fix: '`ravel doctor --clean`' });
    await local.stop();
    const { core } = await startCore(world);
    expect(await core.api.request('clean', {})).toMatchObject({ count: 1, removed: true });
    expect(await core.api.request('clean', {})).toMatchObject({ count: 0, leftovers: [] });
  });
});

async function makeOld(folder: string): Promise<void> {
  await utimes(join(folder, 'spool'), 1, 1);
  await utimes(folder, 1, 1);
}
