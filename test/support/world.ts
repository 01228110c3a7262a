import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Core, createVault } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { type RavelServer, startServer } from '../../src/server/server.ts';
import { type OpenOptions, openCore } from './openCore.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

export interface WorldOptions {
  /** Source files of the project's first commit. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files of the root plan, over the empty ones of an adoption. */
  readonly plan?: Readonly<Record<string, string>>;
  /** Text of daemon.toml. */
  readonly settings?: string;
  /** Text of a scenario for the scripted harness. */
  readonly scenario?: string;
  /** Where in the repository the project lies. */
  readonly below?: string;
  /** The name of the project and of its folder, where it lies at the top of its repository. */
  readonly name?: string;
  readonly identity?: boolean;
}

/** A vault, a real repository with one adopted project, and a person who works in it. */
export interface World {
  readonly root: string;
  readonly vault: string;
  readonly repository: string;
  readonly project: string;
  readonly plan: string;
  readonly planDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly scenario: string;
  /** Runs git as the person, in the project. */
  git(...args: string[]): Promise<string>;
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  readPlan(file: string): Promise<string>;
  writePlan(file: string, text: string): Promise<void>;
  removePlan(file: string): Promise<void>;
  /** A hook of the repository; the body of a shell script. */
  hook(name: string, script: string): Promise<void>;
}

const demoFiles: Readonly<Record<string, string>> = {
  'README.md': '# Greeter\n\nGreets people. Run the tests with `node --test`.\n',
  'greet.mjs': 'export function greet(name) {\n  return `Hello ${name}`;\n}\n',
};

/** Call it inside a test; everything is removed when the test is finished. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
  return makeWorldIn(await makeTemporaryDirectory(), options);
}

/** The same in a folder that is there already; whoever made that removes it. */
export async function makeWorldIn(root: string, options: WorldOptions = {}): Promise<World> {
  const environment = await makeHome(join(root, 'home'), options.identity ?? true);
  const repository = join(root, 'repository');
  const project = join(repository, options.below ?? options.name ?? 'greeter');
  const vault = join(root, 'vault');
  const git = (...args: string[]) => run('git', args, project, environment);
  const projectRoot = options.below === undefined ? project : repository;
  await mkdir(project, { recursive: true });
  await run('git', ['init', '--quiet', '--initial-branch=main'], projectRoot, environment);
  await writeFiles(project, options.files ?? demoFiles);
  if (options.identity ?? true) {
    await git('add', '-A');
    await git('commit', '--quiet', '-m', 'Start');
  }
  await createVault({
    root: vault,
    name: 'test',
    disk: nodeDisk,
    clock: systemClock,
    environment,
    version: '0.0.0',
  });
  if (options.settings !== undefined) await writeFile(join(vault, 'daemon.toml'), options.settings);
  const scenario = join(root, 'scenario.yaml');
  if (options.scenario !== undefined) await writeFile(scenario, options.scenario);
  const core = await openCore({ vault, environment }, { role: 'local' });
  const adopted = await core.api.request('adopt', { project, description: 'Greets people politely' });
  await core.stop();
  await writeFiles(join(project, 'ravel/project-root'), options.plan ?? {});
  const planDirectory = join(project, 'ravel/project-root');
  return {
    root,
    vault,
    repository: projectRoot,
    project,
    plan: adopted.plan,
    planDirectory,
    environment,
    scenario,
    git,
    read: (path) => readFile(join(project, path), 'utf8'),
    write: (path, text) => writeFiles(project, { [path]: text }),
    readPlan: (file) => readFile(join(planDirectory, file), 'utf8'),
    writePlan: (file, text) => writeFiles(planDirectory, { [file]: text }),
    removePlan: (file) => rm(join(planDirectory, file), { recursive: true }),
    async hook(name, script) {
      const file = join(projectRoot, '.git/hooks', name);
      await writeFiles(dirname(file), { [name]: `#!/bin/sh\n${script}\n` });
      await chmod(file, 0o755);
    },
  };
}

export interface RunningWorld {
  readonly core: Core;
  readonly server: RavelServer;
  readonly events: RavelEvent[];
}

/** Core and socket server of the vault's owner; stopped when the test is finished. */
export async function startCore(world: World, options: OpenOptions = {}): Promise<RunningWorld> {
  const core = await openCore(world, options);
  const events: RavelEvent[] = [];
  core.api.onEvent((event) => events.push(event));
  const server = await startServer({
    api: core.api,
    socketPath: core.socketPath,
    disk: nodeDisk,
    clock: systemClock,
    log: silentLogger,
  });
  onTestFinished(async () => {
    await server.stop();
    await core.stop();
  });
  return { core, server, events };
}

async function makeHome(home: string, identity: boolean): Promise<Record<string, string>> {
  await mkdir(home, { recursive: true });
  const user = identity ? '[user]\n\tname = Ada\n\temail = ada@example.org\n' : '';
  await writeFile(join(home, '.gitconfig'), `${user}[init]\n\tdefaultBranch = main\n`);
  return {
    HOME: home,
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_NOSYSTEM: '1',
    TMPDIR: home,
    LC_ALL: 'C.UTF-8',
  };
}

async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(directory, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env, encoding: 'utf8' });
  return stdout;
}
