import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { commitPaths } from '../../src/git/commit.ts';
import { applyCommitSpec } from '../../src/git/commitSpec.ts';
import { diffStatsOfCommit, diffStatsSince } from '../../src/git/diffStats.ts';
import { createGit, type Git } from '../../src/git/git.ts';
import type { AcceptedPrograms } from '../../src/git/hardening.ts';
import { readHooks } from '../../src/git/hooks.ts';
import { firstCommitWith, showCommit } from '../../src/git/origins.ts';
import { readRemote } from '../../src/git/remote.ts';
import { inspectRepository } from '../../src/git/repository.ts';
import {
  changedPaths,
  commitsWithTrailer,
  diffSince,
  readBlob,
  showFile,
  treeSnapshot,
} from '../../src/git/snapshot.ts';
import { readStatus } from '../../src/git/status.ts';
import { initRepository, untrackedPaths } from '../../src/git/vaultRepository.ts';
import { type GitProject, makeGitProject } from '../support/gitProject.ts';

const session = '01HZZZZZZZZZZZZZZZZZZZZZZZ';

/** A project with a program beside it that leaves a mark when anybody runs it. */
async function makeScene() {
  const project = await makeGitProject({ files: { a: '1\n', b: '1\n', 'sub.txt': 'x\n' } });
  const canary = join(project.root, '..', 'canary.sh');
  const mark = join(project.root, '..', 'mark');
  await writeFile(canary, `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 0\n`);
  await chmod(canary, 0o755);
  const marks = () => readFile(mark, 'utf8').catch(() => '');
  return { project, canary, marks, forget: () => rm(mark, { force: true }) };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

function gitOf(project: GitProject, accepted: AcceptedPrograms = { settings: new Set(), hooks: new Map() }): Git {
  const { environment } = project;
  return createGit({ environment, clock: systemClock, disk: nodeDisk, accepted: async () => accepted });
}

const looks: readonly ((git: Git, project: GitProject, baseline: string) => Promise<unknown>)[] = [
  (git, { directory }) => inspectRepository(git, directory),
  (git, { directory }) => readStatus(git, directory),
  (git, { directory }, baseline) => diffSince(git, directory, baseline, []),
  (git, { directory }, baseline) => changedPaths(git, directory, baseline, []),
  (git, { directory }, baseline) => treeSnapshot(git, directory, baseline, []),
  (git, { directory }, baseline) => diffStatsSince(git, { directory, baseline, exclude: [] }),
  (git, { directory }, baseline) => diffStatsOfCommit(git, directory, baseline),
  (git, { directory }) => firstCommitWith(git, directory, { path: 'a', pattern: '1' }),
  (git, { directory }, baseline) => showCommit(git, directory, baseline),
  (git, { directory }) => commitsWithTrailer(git, directory, ['Ravel-Entry', 'x']),
  (git, { directory }, baseline) => showFile(git, directory, baseline, 'a'),
  (git, { directory }, baseline) => readBlob(git, directory, baseline, 'a'),
  (git, { directory }) => readHooks(git, directory),
  (git, { directory }) => readRemote(git, directory),
  (git, { directory }) => untrackedPaths(git, directory, '.'),
  (git, { directory }) => initRepository(git, join(directory, 'made')),
];

/** All that the owner does with git in a project; what fails may fail, as long as nothing is run. */
async function ownCycle(git: Git, project: GitProject): Promise<readonly unknown[]> {
  const baseline = (await project.person('-c', 'core.fsmonitor=false', 'rev-parse', 'HEAD')).trim();
  const failures: unknown[] = [];
  const attempt = (run: Promise<unknown>) => run.catch((error: unknown) => failures.push(error));
  for (const look of looks) await attempt(look(git, project, baseline));
  const { directory } = project;
  const entry = { paths: ['b'], message: 'Change b' } as const;
  const spec = { directory, exclude: [], session, plan: 'P/p', phase: 'git-commit-work' } as const;
  await attempt(commitPaths(git, { directory, paths: ['a'], exclude: [], message: 'Change a', trailers: [] }));
  await attempt(applyCommitSpec(git, { ...spec, entries: [{ ...entry, paths: ['b'] }], onEntry: () => undefined }));
  return failures;
}

/** Writes a hook that runs the canary. */
async function writeHook({ canary }: Scene, folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `#!/bin/sh\nexec '${canary}' ${name}\n`);
  await chmod(join(folder, name), 0o755);
}

interface Attack {
  readonly name: string;
  /** What any process of a session may have written. */
  readonly arrange: (scene: Scene) => Promise<unknown>;
  /** A command of plain git that falls for it, which shows that the attack is one. */
  readonly control: readonly string[];
}

const config = ({ project }: Scene, key: string, value: string) => project.person('config', key, value);

async function convert(scene: Scene, attributes: string, keys: readonly string[], path = '.gitattributes') {
  await scene.project.write(path, attributes);
  for (const key of keys) await config(scene, key, scene.canary);
}

const hookNames = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  ...['post-index-change', 'reference-transaction'],
];

const attacks: readonly Attack[] = [
  {
    name: 'core.fsmonitor',
    arrange: (scene) => config(scene, 'core.fsmonitor', scene.canary),
    control: ['status'],
  },
  {
    name: 'core.hooksPath',
    async arrange(scene) {
      const folder = join(scene.project.root, 'tools');
      for (const name of hookNames) await writeHook(scene, folder, name);
      await config(scene, 'core.hooksPath', 'tools');
    },
    control: ['commit', '-qam', 'x'],
  },
  {
    name: '.git/hooks',
    async arrange(scene) {
      const folder = join(scene.project.root, '.git', 'hooks');
      for (const name of hookNames) await writeHook(scene, folder, name);
    },
    control: ['commit', '-qam', 'x'],
  },
  {
    name: 'a hook for what no commit needs',
    arrange: (scene) => writeHook(scene, join(scene.project.root, '.git', 'hooks'), 'post-index-change'),
    control: ['add', 'a'],
  },
  {
    name: 'a clean filter by .gitattributes',
    arrange: (scene) => convert(scene, '* filter=f\n', ['filter.f.clean']),
    control: ['add', 'a'],
  },
  {
    name: 'a filter process',
    arrange: (scene) => convert(scene, '* filter=f\n', ['filter.f.process']),
    control: ['status'],
  },
  {
    name: 'a clean filter by .git/info/attributes',
    arrange: (scene) => convert(scene, '* filter=a=b\n', ['filter.a=b.clean'], '.git/info/attributes'),
    control: ['add', 'a'],
  },
  {
    name: 'a clean filter by core.attributesFile',
    async arrange(scene) {
      await convert(scene, '* filter=f\n', ['filter.f.clean'], 'tools/attributes');
      await config(scene, 'core.attributesFile', join(scene.project.root, 'tools/attributes'));
    },
    control: ['add', 'a'],
  },
  {
    name: 'a filter in an included file',
    async arrange(scene) {
      await scene.project.write('.gitattributes', '* filter=f\n');
      await scene.project.write('tools/more', `[filter "f"]\n\tclean = ${scene.canary}\n`);
      await config(scene, 'include.path', '../tools/more');
    },
    control: ['add', 'a'],
  },
  {
    name: 'a filter in a file included on a condition',
    async arrange(scene) {
      await scene.project.write('.gitattributes', '* filter=f\n');
      await scene.project.write('tools/more', `[filter "f"]\n\tclean = ${scene.canary}\n`);
      await config(scene, 'includeIf.onbranch:main.path', '../tools/more');
    },
    control: ['add', 'a'],
  },
  {
    name: 'a filter in the settings of the work tree',
    async arrange(scene) {
      await config(scene, 'extensions.worktreeConfig', 'true');
      await scene.project.write('.gitattributes', '* filter=f\n');
      await scene.project.person('config', '--worktree', 'filter.f.clean', scene.canary);
    },
    control: ['add', 'a'],
  },
  {
    name: 'a filter whose name is no UTF-8',
    async arrange(scene) {
      const bytes = (text: string) => Buffer.from(text, 'latin1');
      await writeFile(join(scene.project.root, '.gitattributes'), bytes('* filter=\xff\n'));
      const file = join(scene.project.root, '.git', 'config');
      const before = await readFile(file, 'latin1');
      await writeFile(file, bytes(`${before}[filter "\xff"]\n\tclean = ${scene.canary}\n`));
    },
    control: ['add', 'a'],
  },
  {
    name: "a person's own filter, overridden in the repository",
    async arrange(scene) {
      await scene.project.person('config', '--global', 'filter.lfs.clean', 'cat');
      await convert(scene, '* filter=lfs\n', ['filter.lfs.clean']);
    },
    control: ['add', 'a'],
  },
  {
    name: 'a text converter',
    arrange: (scene) => convert(scene, '* diff=d\n', ['diff.d.textconv']),
    control: ['log', '-S1', '--', 'a'],
  },
  {
    name: 'an external diff',
    arrange: (scene) => config(scene, 'diff.external', scene.canary),
    control: ['diff'],
  },
  {
    name: 'the command of a diff driver',
    arrange: (scene) => convert(scene, '* diff=d\n', ['diff.d.command']),
    control: ['diff'],
  },
  {
    name: 'a program that signs',
    async arrange(scene) {
      await config(scene, 'commit.gpgSign', 'true');
      await config(scene, 'gpg.program', scene.canary);
    },
    control: ['commit', '-qam', 'x'],
  },
  {
    name: 'a program that names the key to sign with',
    async arrange(scene) {
      await config(scene, 'commit.gpgSign', 'true');
      await config(scene, 'gpg.format', 'ssh');
      await config(scene, 'gpg.ssh.defaultKeyCommand', scene.canary);
    },
    control: ['commit', '-qam', 'x'],
  },
  {
    name: 'an editor',
    arrange: (scene) => config(scene, 'core.editor', scene.canary),
    control: ['commit', '-qa'],
  },
  {
    name: 'a remote from which a missing object is fetched',
    async arrange(scene) {
      const { project, canary } = scene;
      await config(scene, 'extensions.partialClone', 'origin');
      await config(scene, 'core.repositoryFormatVersion', '1');
      await config(scene, 'remote.origin.promisor', 'true');
      await config(scene, 'remote.origin.url', project.root);
      await config(scene, 'remote.origin.uploadpack', canary);
      const hash = (await project.person('rev-parse', 'HEAD:a')).trim();
      await rm(join(project.root, '.git', 'objects', hash.slice(0, 2), hash.slice(2)));
    },
    control: ['show', 'HEAD:a'],
  },
  {
    name: 'a submodule with settings of its own',
    async arrange(scene) {
      const { project, canary } = scene;
      const inside = (...args: string[]) => project.person('-C', 'mod', ...args);
      await mkdir(join(project.root, 'mod'));
      await inside('init', '--quiet');
      await project.write('mod/c', '1\n');
      await inside('add', 'c');
      await inside('commit', '--quiet', '--message=c');
      await project.person('add', 'mod');
      await project.person('commit', '--quiet', '--message=mod');
      await project.write('mod/.gitattributes', '* filter=f\n');
      await inside('config', 'filter.f.clean', canary);
      await project.write('mod/c', '2\n');
    },
    control: ['status'],
  },
  {
    name: 'a repository of its own in the place of the old one',
    async arrange(scene) {
      const { project, canary } = scene;
      await mkdir(join(project.root, 'tools'), { recursive: true });
      await project.person('clone', '--quiet', '--no-local', '.', 'tools/other');
      await project.person('-C', 'tools/other', 'config', 'filter.f.clean', canary);
      await rm(join(project.root, '.git'), { recursive: true });
      await project.write('.git', 'gitdir: tools/other/.git\n');
      await project.write('.gitattributes', '* filter=f\n');
    },
    control: ['add', 'a'],
  },
];

describe('nothing is run that a session put into a repository', () => {
  for (const { name, arrange, control } of attacks) {
    test(name, async () => {
      const scene = await makeScene();
      const { project } = scene;
      await arrange(scene);
      await scene.forget();
      // The same size, so that only a comparison of the content can tell.
      await project.write('a', '2\n');
      await project.write('b', '2\n');
      await ownCycle(gitOf(project), project);
      expect(await scene.marks()).toBe('');
      // The control goes last: it may leave anything behind.
      await project.write('a', '3\n');
      await project.person(...control).catch(() => undefined);
      expect(await scene.marks()).not.toBe('');
    });
  }
});

describe('what a repository had before, or a person accepted,', () => {
  const accept = (settings: readonly string[], hooks: Record<string, string> = {}): AcceptedPrograms => ({
    settings: new Set(settings),
    hooks: new Map(Object.entries(hooks)),
  });

  test('runs as it was: a filter stores what it makes of a file', async () => {
    const scene = await makeScene();
    const { project } = scene;
    await project.write('.gitattributes', 'a filter=upper\n');
    await config(scene, 'filter.upper.clean', 'tr a-z A-Z');
    await project.write('a', 'text\n');
    const git = gitOf(project, accept(['filter.upper.clean=tr a-z A-Z']));
    const { directory } = project;
    await commitPaths(git, { directory, paths: ['a'], exclude: [], message: 'Change a', trailers: [] });
    expect(await project.person('show', 'HEAD:a')).toBe('TEXT\n');
  });

  test('is not stored unfiltered if its filter is not accepted', async () => {
    const scene = await makeScene();
    const { project } = scene;
    await project.write('.gitattributes', 'a filter=upper\n');
    await config(scene, 'filter.upper.clean', 'tr a-z A-Z');
    await project.write('a', 'secret\n');
    const git = gitOf(project);
    const { directory } = project;
    const commit = commitPaths(git, { directory, paths: ['a'], exclude: [], message: 'Change a', trailers: [] });
    await expect(commit).rejects.toMatchObject({ code: 'git/failed' });
    expect(await project.person('show', 'HEAD:a')).toBe('1\n');
    expect(await diffSince(git, directory, 'HEAD', [])).toContain('+secret');
  });

  test("leaves a person's own filters and signatures as they are", async () => {
    const scene = await makeScene();
    const { project } = scene;
    await project.person('config', '--global', 'filter.upper.clean', 'tr a-z A-Z');
    await config(scene, 'filter.upper.process', scene.canary);
    await config(scene, 'filter.upper.clean', scene.canary);
    await project.write('.gitattributes', 'a filter=upper\n');
    await project.write('a', 'text\n');
    const { directory } = project;
    await project.person('config', '--unset', 'filter.upper.process');
    await commitPaths(gitOf(project), { directory, paths: ['a'], exclude: [], message: 'Change a', trailers: [] });
    expect(await project.person('show', 'HEAD:a')).toBe('TEXT\n');
    await project.person('config', '--global', 'commit.gpgSign', 'true');
    await project.person('config', '--global', 'gpg.program', scene.canary);
    await project.write('a', 'again\n');
    const request = { directory, paths: ['a'], exclude: [], message: 'Change a', trailers: [] } as const;
    await commitPaths(gitOf(project), request).catch(() => undefined);
    expect(await scene.marks()).toContain('canary');
  });

  test('includes hooks by their content: one that changed keeps the commit from being made', async () => {
    const scene = await makeScene();
    const { project } = scene;
    await project.hook('pre-commit', 'echo ran > hook-ran');
    const [hook] = await readHooks(project.git, project.directory);
    const git = gitOf(project, accept([], { 'pre-commit': hook?.sha256 ?? '' }));
    const { directory } = project;
    const commit = () => commitPaths(git, { directory, paths: ['a'], exclude: [], message: 'A', trailers: [] });
    await project.write('a', '2\n');
    await commit();
    expect(await project.read('hook-ran')).toBe('ran\n');
    await project.hook('pre-commit', `'${scene.canary}'`);
    await project.write('a', '3\n');
    await expect(commit()).rejects.toMatchObject({
      diagnostic: { code: 'git/unaccepted', message: expect.stringContaining('pre-commit') },
    });
    expect(await scene.marks()).toBe('');
  });
});
