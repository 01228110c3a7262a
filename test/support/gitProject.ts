import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createGit, type Git } from '../../src/git/git.ts';
import { copyTemplate } from './templates.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

export interface GitProjectOptions {
  /** Files of the first commit, by path from the project; without it there are no commits yet. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether a name and an address are configured; true unless told. */
  readonly identity?: boolean;
  /** Where in the repository the project lies, as 'a/b'; the root unless told. */
  readonly below?: string;
  readonly clock?: Clock;
}

/** A real repository in a temporary folder, and a person who works in it with plain git. */
export interface GitProject {
  readonly root: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The program's own hands. */
  readonly git: Git;
  /** Runs git as the person does, in the project; returns what it printed. */
  person(...args: string[]): Promise<string>;
  /** Paths are relative to the project. */
  write(path: string, text: string): Promise<void>;
  read(path: string): Promise<string>;
  remove(path: string): Promise<void>;
  /** Installs a hook: the body of a shell script. */
  hook(name: string, script: string): Promise<void>;
  /** Lines of `git status --porcelain=v2` for the whole repository, sorted. */
  status(): Promise<string[]>;
}

/** Call it inside a test; everything is removed when the test is finished. */
export async function makeGitProject(options: GitProjectOptions = {}): Promise<GitProject> {
  const base = await makeTemporaryDirectory();
  const { files, identity = true, below = '' } = options;
  const environment = environmentOf(base);
  await copyTemplate({ gitProject: { files, identity, below } }, base, (directory) =>
    makeRepository(directory, { files, identity, below }),
  );
  const root = join(base, 'repository');
  const directory = join(root, below);
  const person = (...args: string[]) => runGit(directory, environment, args);
  const project: GitProject = {
    root,
    directory,
    environment,
    git: createGit({ environment, clock: options.clock ?? systemClock, disk: nodeDisk }),
    person,
    async write(path, text) {
      const file = join(directory, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    read: (path) => readFile(join(directory, path), 'utf8'),
    remove: (path) => rm(join(directory, path), { recursive: true }),
    async hook(name, script) {
      const file = join(root, '.git', 'hooks', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `#!/bin/sh\n${script}\n`);
      await chmod(file, 0o755);
    },
    async status() {
      const text = await runGit(root, environment, ['status', '--porcelain=v2', '--untracked-files=all']);
      return text.split('\n').filter(Boolean).sort();
    },
  };
  return project;
}

interface Template {
  readonly files: GitProjectOptions['files'] | undefined;
  readonly identity: boolean;
  readonly below: string;
}

async function makeRepository(base: string, { files, identity, below }: Template): Promise<void> {
  const root = join(base, 'repository');
  const environment = environmentOf(base);
  await writeHome(environment['HOME'] ?? '', identity);
  await mkdir(join(root, below), { recursive: true });
  await runGit(root, environment, ['init', '--quiet', '--initial-branch=main']);
  if (files === undefined) return;
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, below, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  await runGit(root, environment, ['add', '--all']);
  const name = identity ? [] : ['-c', 'user.name=Somebody', '-c', 'user.email=somebody@example.org'];
  await runGit(root, environment, [...name, 'commit', '--quiet', '--message=Begin']);
}

/** Writes a file whose name is no UTF-8, where the system allows it; returns how its name is read, if there is one. */
export async function writeUnreadableName(directory: string): Promise<string[]> {
  if (process.platform === 'darwin') return [];
  await writeFile(Buffer.concat([Buffer.from(`${directory}/`), Buffer.from([0xff])]), 'x\n');
  return ['\ufffd'];
}

async function writeHome(home: string, identity: boolean): Promise<void> {
  await mkdir(home);
  const user = identity ? '[user]\n\tname = Person\n\temail = person@example.org\n' : '';
  await writeFile(join(home, '.gitconfig'), `[advice]\n\tdetachedHead = false\n${user}`);
}

function environmentOf(base: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: join(base, 'home'), GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
}

const execute = promisify(execFile);

async function runGit(cwd: string, env: Readonly<Record<string, string>>, args: readonly string[]): Promise<string> {
  const { stdout } = await execute('git', args, { cwd, env: { ...env }, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
