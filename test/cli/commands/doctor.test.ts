import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { oldestNode } from '../../../src/cli/commands/doctor.ts';
import { failure } from '../../../src/model/codes.ts';
import type { Check, Cleaning } from '../../../src/model/requests/doctor.ts';
import { serve } from '../../server/socket.ts';
import { createFakeApi } from '../../support/fakeApi.ts';
import { createFakePorts, type FakeOptions, jsonLines } from '../fakePorts.ts';

const well: Check = { check: 'git', severity: 'ok', subject: 'git', message: 'git version 2.40.' };
const warning: Check = { check: 'views', severity: 'warning', subject: 'demo', message: 'Edited.', fix: '`rm it`' };
const error: Check = { check: 'disk', severity: 'error', subject: '/vault', message: 'Full.' };

describe('ravel doctor sums up and exits', () => {
  test.each<[string, readonly Check[], number, string]>([
    ['with 0 if all is well', [well], 0, 'Nothing is wrong.'],
    ['with 0 after warnings', [well, warning], 0, '1 warning.'],
    ['with 1 after an error', [error, error, warning], 1, '2 errors, 1 warning.'],
  ])('%s', async (_when, checks, code, summary) => {
    const ports = await createFakePorts({ doctor: () => ({ checks }) });
    expect(await runCommandLine(['doctor'], ports)).toBe(code);
    expect(ports.written.stdout.trimEnd().split('\n').at(-1)).toBe(summary);
  });
});

test('ravel doctor shows each check with its fix and the sum', async () => {
  const ports = await createFakePorts({ doctor: () => ({ checks: [well, warning, error] }) });
  await runCommandLine(['doctor'], ports);
  expect(ports.written.stdout).toBe(
    [
      '✓ node         node: Node 20.19.0, Ravel 1.2.3.',
      '✓ git          git: git version 2.40.',
      '! views        demo: Edited.',
      '               fix: `rm it`',
      '✗ disk         /vault: Full.',
      '',
      '1 error, 1 warning.',
      '',
    ].join('\n'),
  );
});

test('ravel doctor --json prints all checks', async () => {
  const ports = await createFakePorts({ doctor: () => ({ checks: [warning] }) });
  expect(await runCommandLine(['doctor', '--json'], ports)).toBe(0);
  expect(jsonLines(ports.written.stdout)).toMatchObject([{ result: { checks: [{ check: 'node' }, warning] } }]);
});

test('the oldest Node that the doctor accepts is that of package.json', async () => {
  const { engines } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(engines.node).toBe(`>=${oldestNode}`);
});

test.each([
  ['18.20.4', 1],
  ['20.9.0', 1],
  ['20.19.0', 0],
  ['24.0.1', 0],
])('on Node %s ravel doctor exits with %i', async (nodeVersion, code) => {
  const ports = await createFakePorts({ doctor: () => ({ checks: [] }) });
  expect(await runCommandLine(['doctor'], { ...ports, nodeVersion })).toBe(code);
});

describe('a vault that cannot be opened is an error of the doctor', () => {
  test.each([
    [failure('vault/none', '/vault', 'No vault.'), 'vault'],
    [failure('vault/badSettings', '/vault/daemon.toml', 'Bad.'), 'settings'],
    [failure('server/protocol', '/vault', 'Other versions.'), 'owner'],
  ])('with the reason and its fix: %s', async (reason, check) => {
    const open = () => Promise.reject(reason);
    const ports = await createFakePorts({}, { core: { open } });
    expect(await runCommandLine(['doctor', '--json'], ports)).toBe(1);
    const { message, help: fix } = reason.diagnostic;
    expect(jsonLines(ports.written.stdout)).toMatchObject([
      { result: { checks: [{ check: 'node' }, { check, severity: 'error', message, fix }] } },
    ]);
  });
});

test.each([
  ['1.2.3', 'ok'],
  ['1.2.0', 'warning'],
])('an owner of version %s is rated %s', async (version, severity) => {
  const server = await serve(
    createFakeApi({
      doctor: () => ({ checks: [] }),
      hello: () => ({ protocol: 1, version, vault: '/vault', pid: 7 }),
    }),
  );
  const findOwner = async () => ({ socketPath: server.socketPath, pid: 7 });
  const ports = await createFakePorts({}, { core: { findOwner } });
  expect(await runCommandLine(['doctor', '--json'], ports)).toBe(0);
  expect(jsonLines(ports.written.stdout)).toMatchObject([
    { result: { checks: [{ check: 'node' }, { check: 'owner', severity }] } },
  ]);
  await server.stop();
});

test('an owner that does not answer is an error, and the other checks run without it', async () => {
  const findOwner = async () => ({ socketPath: '/nobody/there', pid: 7 });
  const ports = await createFakePorts({ doctor: () => ({ checks: [well] }) }, { core: { findOwner } });
  expect(await runCommandLine(['doctor', '--json'], ports)).toBe(1);
  expect(jsonLines(ports.written.stdout)).toMatchObject([
    {
      result: {
        checks: [
          { check: 'node' },
          { check: 'owner', severity: 'error', message: 'Process 7 owns the vault, but does not answer.' },
          well,
        ],
      },
    },
  ]);
  expect(ports.asked).toEqual(['open /vault as local', 'stop']);
});

describe('ravel doctor --clean', () => {
  const leftover = { path: 'sessions/A', kind: 'session', bytes: 2048, changedAt: '2026-01-02T03:04:05Z', fate: 'old' };
  const found = { sessionFolders: [leftover], count: 1, bytes: 2048, removed: false, unremoved: [] } as Cleaning;
  const nothing: Cleaning = { sessionFolders: [], count: 0, bytes: 0, removed: false, unremoved: [] };

  /** Checks the roles in which the core was opened, and what was printed. */
  async function check(
    args: readonly string[],
    options: FakeOptions & { readonly cleaning?: Cleaning },
    expected: { readonly roles: readonly string[]; readonly says: RegExp; readonly code?: number },
  ): Promise<void> {
    const { cleaning = found } = options;
    const ports = await createFakePorts(
      {
        clean: ({ dryRun }) => ({
          ...cleaning,
          removed: dryRun !== true,
          unremoved: dryRun === true ? [] : cleaning.unremoved,
        }),
      },
      options,
    );
    expect(await runCommandLine(['doctor', '--clean', ...args], ports)).toBe(expected.code ?? 0);
    expect(ports.asked.filter((line) => line.startsWith('open'))).toEqual(
      expected.roles.map((role) => `open /vault as ${role}`),
    );
    expect(ports.written.stdout).toMatch(expected.says);
  }

  test('without a terminal only lists what would go', () =>
    check([], {}, { roles: ['local'], says: /sessions\/A\n1 folder, 2\.0 kB can be removed\.\nRemove it with/ }));
  test('with --yes removes it', () =>
    check(['--yes'], {}, { roles: ['local', 'owner'], says: /sessions\/A\n1 folder, 2\.0 kB: removed\.\n$/ }));
  test('asks a person, and removes it after "y"', () =>
    check(
      [],
      { isTty: true, answers: ['y'] },
      { roles: ['local', 'owner'], says: /can be removed\.\n.*sessions\/A\n.*removed/ },
    ));
  test('removes nothing if the person says no or nothing', async () => {
    await check([], { isTty: true, answers: ['n'] }, { roles: ['local'], says: /Nothing was removed/ });
    await check([], { isTty: true }, { roles: ['local'], says: /Nothing was removed/ });
  });
  test('with --json asks nothing, even on a terminal', () =>
    check(['--json'], { isTty: true, answers: ['y'] }, { roles: ['local'], says: /"removed":false/ }));
  test('does not become the owner if there is nothing to remove', () =>
    check(['--yes'], { cleaning: nothing }, { roles: ['local'], says: /Nothing can be removed/ }));
  test('says what stays and why, and ends with 1', () => {
    const unremoved = [{ path: 'sessions/A', reason: 'No permission.' }];
    const says = /sessions\/A stays: No permission\.\n1 folder, 2\.0 kB: removed, except 1\.\n$/;
    return check(['--yes'], { cleaning: { ...found, unremoved } }, { roles: ['local', 'owner'], says, code: 1 });
  });
  test('counts what it does not list', () =>
    check([], { cleaning: { ...found, count: 1_500 } }, { roles: ['local'], says: /and 1499 more\n1,500 folders/ }));
});
