import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Core, createVault } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { type RavelServer, startServer } from '../../src/server/server.ts';
import { type OpenOptions, openCore } from './openCore.ts';
import { copyTemplate } from './templates.ts';
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
  const root = await makeTemporaryDirectory();
  // Before the folder is removed: a session that was not ended would write into it for ever.
  onTestFinished(async () => {
    const { inProcessSessions } = await import('./inProcessSessions.ts');
    await inProcessSessions.endBelow(root);
  });
  return makeWorldIn(root, options);
}

/** The same in a folder that is there already; the caller that made it removes it. */
export async function makeWorldIn(root: string, options: WorldOptions = {}): Promise<World> {
  const { files = demoFiles, identity = true, name = 'greeter', below = name } = options;
  const isTop = options.below === undefined;
  const made = { files, identity, below, isTop };
  await copyTemplate({ world: made }, root, (directory) => makeTemplate(directory, made));
  const { repository, project, vault } = placesOf(root, below);
  const projectRoot = isTop ? project : repository;
  const environment = environmentOf(root);
  const git = (...args: string[]) => run('git', args, project, environment);
  await moveIn(vault, project);
  if (options.settings !== undefined) await writeFile(join(vault, 'daemon.toml'), options.settings);
  const scenario = join(root, 'scenario.yaml');
  if (options.scenario !== undefined) await writeFile(scenario, options.scenario);
  await writeFiles(join(project, 'ravel/project-root'), options.plan ?? {});
  const planDirectory = join(project, 'ravel/project-root');
  return {
    root,
    vault,
    repository: projectRoot,
    project,
    plan: planOf(project),
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
    sessionSocketPath: core.sessionSocketPath,
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

interface Template {
  readonly files: Readonly<Record<string, string>>;
  readonly identity: boolean;
  readonly below: string;
  /** Whether the project is the top of its repository. */
  readonly isTop: boolean;
}

function placesOf(root: string, below: string) {
  const repository = join(root, 'repository');
  return { repository, project: join(repository, below), vault: join(root, 'vault') };
}

function planOf(project: string): string {
  return `${basename(project)}/project-root`;
}

/** A committed project that a new vault has adopted. */
async function makeTemplate(root: string, { files, identity, below, isTop }: Template): Promise<void> {
  const { repository, project, vault } = placesOf(root, below);
  const environment = environmentOf(root);
  await writeHome(environment['HOME'] ?? '', identity);
  await writeFiles(project, files);
  const git = (...args: string[]) => run('git', args, isTop ? project : repository, environment);
  await git('init', '--quiet', '--initial-branch=main');
  if (identity) {
    await git('add', '-A');
    await git('commit', '--quiet', '-m', 'Start');
  }
  await createVault({ root: vault, name: 'test', disk: nodeDisk, clock: systemClock, environment, version: '0.0.0' });
  const core = await openCore({ vault, environment }, { role: 'local' });
  const { plan } = await core.api.request('adopt', { project, description: 'Greets people politely' });
  await core.stop();
  if (plan !== planOf(project)) throw new Error(`The project was adopted as ${plan}.`);
  // Examples that git gives to every repository; nothing runs them, and every copy would have them twice.
  for (const hooks of [join(isTop ? project : repository, '.git/hooks'), join(vault, '.git/hooks')]) {
    for (const name of await readdir(hooks)) await rm(join(hooks, name));
  }
}

/** Lets a copied vault know where its project is now. */
async function moveIn(vault: string, project: string): Promise<void> {
  const link = join(vault, 'projects', basename(project));
  await unlink(link);
  await symlink(join(project, 'ravel'), link);
  const places = join(vault, 'projects.local.yaml');
  // The folder's name may hold what YAML or a replacement would read as its own.
  await writeFile(places, stringify({ projects: [{ name: basename(project), path: project }] }));
}

function environmentOf(root: string): Record<string, string> {
  const home = join(root, 'home');
  return { HOME: home, PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', TMPDIR: home, LC_ALL: 'C.UTF-8' };
}

async function writeHome(home: string, identity: boolean): Promise<void> {
  const user = identity ? '[user]\n\tname = Ada\n\temail = ada@example.org\n' : '';
  await writeFiles(home, { '.gitconfig': `${user}[init]\n\tdefaultBranch = main\n` });
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
