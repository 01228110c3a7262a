import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { formatProbes, type ProbeName, probeProblem } from '../../../src/harness/confinement/probes.ts';
import { type StandIn, writeStandIn } from '../../support/bubblewrapStandIn.ts';
import { testNeeding } from '../../support/machine.ts';
import { makeSandboxWorld, type SandboxWorld } from '../../support/sandboxWorld.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const needs = ['Linux', 'bubblewrap', 'user namespaces'] as const;

/** A sandbox in which exactly one protection is missing. */
interface Gap extends Omit<StandIn, 'added'> {
  readonly what: string;
  readonly added?: (world: SandboxWorld) => readonly string[];
  /** The rest of the sentence “A command in the sandbox”. */
  readonly told: string | ((world: SandboxWorld) => string);
  /** A session can bring this about by what it does to its project, so that work does not begin. */
  readonly state?: 'refused';
}

/** The name of the file that the probe tries to write. */
const target = '.ravel-probe-secret-of-a-';
const secret = 'secret-of-a-test-0';
const unshared = ['--unshare-user', '--unshare-ipc', '--unshare-uts'];
const bind = (path: string) => ['--bind', path, path];
const written = (folder: string) => `could write to ${join(folder, target)}`;

const gaps: Readonly<Record<ProbeName, readonly Gap[]>> = {
  read: [
    {
      what: "the session's folder",
      // The vault itself tells nothing.
      added: ({ vault, place }) => [...bind(join(place.sessionDirectory, 'probe')), '--chmod', '0111', vault],
      told: 'could read what is kept from it',
    },
    {
      what: 'the vault',
      added: ({ vault }) => ['--dir', join(vault, 'plans')],
      told: 'could read what is kept from it',
    },
    {
      what: 'a folder of keys',
      added: ({ home }) => ['--ro-bind', join(home, '.ssh'), join(home, '.ssh')],
      told: 'could read what is kept from it',
    },
    {
      what: 'what lies beside the project',
      added: ({ root }) => ['--dir', join(root, 'beside')],
      told: 'could read what is kept from it',
    },
    {
      what: 'what else lies at the root',
      added: () => ['--dir', '/elsewhere'],
      told: 'could read what is kept from it',
    },
  ],
  write: [
    {
      what: 'the plans',
      added: ({ place }) => bind(place.ravelDirectory),
      told: (w) => written(w.place.ravelDirectory),
    },
    {
      what: "git's own files",
      added: ({ place }) => bind(place.repository.gitDirectory),
      told: (w) => written(w.place.repository.gitDirectory),
    },
    {
      what: 'the home folder',
      added: ({ home }) => [...bind(home), '--tmpfs', join(home, '.ssh')],
      told: (w) => written(w.home),
    },
    {
      what: "the session's folder",
      added: ({ place }) => bind(place.sessionDirectory),
      // It shows the vault, too.
      told: (w) => `${written(w.place.sessionDirectory)}, and could read what is kept from it`,
    },
  ],
  host: [
    {
      what: 'its own network',
      instead: ['--unshare-all', ...unshared, '--unshare-pid'],
      told: 'could reach the network',
    },
  ],
  socket: [
    {
      what: 'the hidden socket',
      added: ({ place }) => bind(place.socketPath),
      // It stands beside the project.
      told: "could read what is kept from it, and could reach the socket of the vault's owner",
    },
  ],
  variable: [
    {
      what: 'a new environment',
      added: () => ['--setenv', 'X', secret],
      told: 'could see a variable that is kept from it',
    },
    {
      what: 'the environment of the process that starts it',
      added: () => ['--unsetenv', 'X'],
      environment: { X: secret },
      told: 'could see a variable that is kept from it',
    },
  ],
  process: [
    {
      what: 'its own processes',
      instead: ['--unshare-all', ...unshared, '--unshare-net'],
      told: 'could see processes outside of it',
    },
  ],
  'allowed-write': [
    {
      what: 'the right to write',
      added: ({ project }) => ['--remount-ro', project],
      told: 'could not write into the project',
      state: 'refused',
    },
  ],
  'allowed-temporary': [
    { what: 'temporary files', added: () => ['--remount-ro', '/tmp'], told: 'could not write a temporary file' },
  ],
};

async function check(gap: Gap | undefined): Promise<void> {
  const folder = await makeTemporaryDirectory();
  const environment = { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin` };
  const root = await makeTemporaryDirectory();
  const world = makeSandboxWorld(root, { environment, place: { socketPath: join(root, 'daemon.sock') } });
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(world.place.socketPath, resolve));
  onTestFinished(() => void server.close());
  if (gap !== undefined) writeStandIn(folder, { ...gap, added: gap.added?.(world) ?? [] });
  const found = await world.confiner.confine(world.place, new AbortController().signal);
  if (gap === undefined) return expect(found).toMatchObject({ state: 'confined' });
  const told = typeof gap.told === 'string' ? gap.told : gap.told(world);
  expect(found).toMatchObject({ state: gap.state ?? 'unconfined', reason: `A command in the sandbox ${told}.` });
  // Nothing that was tried is left behind.
  expect(world.git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(world.vault, 'daemon.toml'), 'utf8')).toBe('CANARY-vault\n');
}

describe('a sandbox without one of its protections does not count, and the probe of that one says so', () => {
  for (const [name, cases] of Object.entries(gaps)) {
    for (const gap of cases) testNeeding(needs, `${name}: ${gap.what}`, () => check(gap));
  }
});

testNeeding(needs, 'a sandbox with all of them is confined', () => check(undefined));

describe('a probe whose program is missing', () => {
  /** A folder for PATH with what a sandbox needs, but for one program. */
  function toolsWithout(missing: string, root: string): string {
    const folder = join(root, 'home', 'bin');
    mkdirSync(folder, { recursive: true });
    const tools = [
      'bwrap',
      'bash',
      'sh',
      'env',
      'cp',
      'mv',
      'tr',
      'git',
      'cat',
      'grep',
      'ls',
      'readlink',
      'mktemp',
      'rm',
    ];
    for (const tool of [...tools, 'perl']) {
      if (tool !== missing) symlinkSync(join('/usr/bin', tool), join(folder, tool));
    }
    return folder;
  }

  async function checkConfined(missing: string, answer: string | undefined): Promise<void> {
    const root = await makeTemporaryDirectory();
    const environment = { PATH: toolsWithout(missing, root) };
    const world = makeSandboxWorld(root, { environment, place: { socketPath: join(root, 'daemon.sock') } });
    const found = await world.confiner.confine(world.place, new AbortController().signal);
    expect(found).toMatchObject(answer === undefined ? { state: 'confined' } : { state: 'unconfined', reason: answer });
  }

  const untried = (name: string) => `The sandbox could not be tried: ${name} cannot be found in it.`;
  for (const name of ['cat', 'readlink']) {
    testNeeding(needs, `leaves the session unconfined: ${name}`, () => checkConfined(name, untried(name)));
  }
  for (const name of ['grep', 'ls', 'perl']) {
    testNeeding(needs, `is not needed with namespaces: ${name}`, () => checkConfined(name, undefined));
  }

  test('has not held: perl, without namespaces', async () => {
    const folder = await makeTemporaryDirectory();
    const probes = formatProbes({
      ...{ project: folder, forbiddenFile: join(folder, 'no'), secret, forbiddenFolders: [], surroundings: [] },
      ...{
        forbiddenTargets: [join(folder, 'target')],
        socketPath: join(folder, 'socket'),
        allowedTarget: join(folder, 'new'),
        network: 'open',
      },
    });
    const env = { HOME: folder, PATH: toolsWithout('perl', folder) };
    const output = execFileSync('/bin/bash', ['-c', probes], { env, encoding: 'utf8' });
    expect(output.split('\n')).not.toContain('socket');
    expect(probeProblem(output, [])).toBe(untried('perl'));
  });
});
