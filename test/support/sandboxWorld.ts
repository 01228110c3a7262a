import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ConfinedPlace, Confiner } from '../../src/harness/confinement/confinement.ts';
import { createConfiner } from '../../src/harness/confinement/confiner.ts';
import { createScriptRunner } from '../../src/harness/scripts.ts';
import { defaultSettings } from '../../src/model/settings.ts';

export interface SandboxOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly place?: Partial<ConfinedPlace>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
  readonly disk?: Disk;
  readonly systemFolders?: readonly string[];
}

/** A project, a home and a vault in a folder of their own, and what builds a sandbox around the project. */
export interface SandboxWorld {
  readonly root: string;
  readonly project: string;
  readonly home: string;
  readonly vault: string;
  readonly place: ConfinedPlace;
  readonly environment: Readonly<Record<string, string>>;
  readonly confiner: Confiner;
  git(...args: string[]): string;
}

const defaultFiles: Readonly<Record<string, string>> = {
  'project/src/a.txt': 'one\n',
  'project/ravel/project-root/memory.yaml': 'entries: []\n',
  'project/.env': 'TOKEN=CANARY-env\n',
  'project/.npmrc': 'save-exact=true\n',
  'home/.ssh/id_rsa': 'CANARY-ssh\n',
  'home/.config/app/token': 'CANARY-config\n',
  'home/notes.txt': 'CANARY-home\n',
  'vault/daemon.toml': 'CANARY-vault\n',
};

export function makeSandboxWorld(root: string, options: SandboxOptions = {}): SandboxWorld {
  const [home, project, vault] = ['home', 'project', 'vault'].map((name) => join(realpathSync(root), name));
  if (home === undefined || project === undefined || vault === undefined) throw new Error('three folders');
  const sessionDirectory = join(vault, 'runtime/sessions/01');
  mkdirSync(sessionDirectory, { recursive: true });
  for (const [path, text] of Object.entries({ ...defaultFiles, ...options.files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    ...options.environment,
  };
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
      cwd: project,
      env: environment,
      encoding: 'utf8',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'Begin');
  const { disk = nodeDisk, platform, systemFolders } = options;
  const runScript = createScriptRunner({ clock: systemClock, environment, settings: defaultSettings });
  let secrets = 0;
  return {
    ...{ root, project, home, vault, environment, git },
    confiner: createConfiner({
      ...{ disk, environment, runScript },
      ...(platform !== undefined && { platform }),
      ...(systemFolders !== undefined && { systemFolders }),
      newSecret: () => `secret-of-a-test-${String(secrets++)}`,
    }),
    place: {
      ...{ project, vault, sessionDirectory },
      ravelDirectory: join(project, 'ravel'),
      repository: { root: project, gitDirectory: join(project, '.git'), commonDirectory: join(project, '.git') },
      secretFiles: [join(project, '.env')],
      trackedSecrets: [join(project, '.env')],
      fixed: [join(project, '.npmrc')],
      socketPath: join(vault, 'runtime/daemon.sock'),
      variables: [],
      network: 'closed',
      readable: [],
      ...options.place,
    },
  };
}

export interface SandboxRun {
  readonly code: number;
  readonly output: string;
}

/** Runs a command through the program that a sandbox made. */
export function runIn(
  world: Pick<SandboxWorld, 'project' | 'environment'>,
  shell: string,
  command: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<SandboxRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(shell, [command], {
      cwd: world.project,
      env: { ...world.environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 128, output }));
  });
}
