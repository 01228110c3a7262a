import { access, mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';
import type { ProcessIdentity } from '../../src/base/processes.ts';
import { commitPaths, refreshIndex } from '../../src/git/commit.ts';
import type { Git } from '../../src/git/git.ts';
import { waitForIndex, withTemporaryIndex } from '../../src/git/temporaryIndex.ts';
import { failure } from '../../src/model/codes.ts';
import { makeGitProject } from '../support/gitProject.ts';

/** A clock on which waiting takes no time; `onWait` can change files in the meantime. */
function makeHastyClock(onWait: (nowMs: number) => Promise<void> = async () => undefined): Clock {
  let nowMs = 0;
  return {
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    schedule(delayMs, callback) {
      nowMs += delayMs;
      void onWait(nowMs).then(callback);
      return toDisposable(() => undefined);
    },
  };
}

const locked = () => failure('git/indexLocked', 'Demo', 'locked');

describe('waitForIndex', () => {
  test('retries until the lock is gone', async () => {
    const { git } = await makeGitProject();
    let attempts = 0;
    const operation = async () => {
      attempts++;
      if (attempts < 11) throw locked();
      return 'done';
    };
    const clock = makeHastyClock();
    expect(await waitForIndex({ ...git, clock }, operation)).toBe('done');
    // Short pauses first, then at most 640 ms.
    expect(clock.monotonicMs()).toBe(40 + 80 + 160 + 320 + 6 * 640);
  });

  test('gives up after 15 seconds', async () => {
    const { git } = await makeGitProject();
    const clock = makeHastyClock();
    const operation = async () => {
      throw locked();
    };
    await expect(waitForIndex({ ...git, clock }, operation)).rejects.toMatchObject({ code: 'git/indexLocked' });
    expect(clock.monotonicMs()).toBe(600 + 23 * 640);
  });

  test('rethrows any other failure at once', async () => {
    const { git } = await makeGitProject();
    const clock = makeHastyClock();
    const operation = async () => {
      throw failure('git/failed', 'Demo', 'broken');
    };
    await expect(waitForIndex({ ...git, clock }, operation)).rejects.toMatchObject({ code: 'git/failed' });
    expect(clock.monotonicMs()).toBe(0);
  });
});

describe('a lock of another program', () => {
  async function makeLocked(onWait?: (lock: string, nowMs: number) => Promise<void>) {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('a', 'x');
    const lock = join(project.root, '.git', 'index.lock');
    await writeFile(lock, 'somebody');
    const clock = makeHastyClock(async (nowMs) => onWait?.(lock, nowMs));
    const git: Git = { ...project.git, clock };
    const request = { directory: project.directory, paths: ['a'], exclude: [], message: 'Change', trailers: [] };
    return { project, lock, git, clock, commit: () => commitPaths(git, request) };
  }

  test('a lock of another program that goes away after a moment is waited for', async () => {
    const { project, git, clock, commit } = await makeLocked(async (_lock, nowMs) => {
      if (nowMs === 600) await project.remove('.git/index.lock');
    });
    expect(await commit()).toMatchObject({ outcome: 'committed' });
    expect(clock.monotonicMs()).toBe(600);
    expect(git.clock).toBe(clock);
    expect(await project.status()).toEqual([]);
  });

  test('a lock of another program that stays causes git/indexLocked, is not removed, and nothing is committed', async () => {
    const { project, lock, commit, git } = await makeLocked();
    await expect(commit()).rejects.toMatchObject({ code: 'git/indexLocked' });
    await expect(refreshIndex(git, project.directory, 'HEAD')).rejects.toMatchObject({ code: 'git/indexLocked' });
    await access(lock);
    expect(await project.person('log', '--format=%s')).toBe('Begin\n');
  });

  test('a lock of another program that appears right after the commit causes an error that names the commit', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('a', 'x');
    await project.hook('post-commit', 'touch .git/index.lock');
    const git = { ...project.git, clock: makeHastyClock() };
    const request = { directory: project.directory, paths: ['a'], exclude: [], message: 'Change', trailers: [] };
    const error = await commitPaths(git, request).catch((caught: unknown) => caught);
    const head = (await project.person('rev-parse', 'HEAD')).trim();
    expect(error).toMatchObject({ code: 'git/indexLocked', message: expect.stringContaining(head) });
    await project.remove('.git/index.lock');
    await refreshIndex(git, project.directory, 'HEAD');
    expect(await project.status()).toEqual([]);
  });
});

describe('withTemporaryIndex', () => {
  const leftovers = async (folder: string) => (await readdir(folder)).filter((name) => name.startsWith('ravel'));

  test('removes its index afterwards, even after a failure', async () => {
    const { git, root } = await makeGitProject();
    const folder = join(root, '.git');
    await withTemporaryIndex(git, folder, (indexFile) => writeFile(indexFile, 'x'));
    const failing = withTemporaryIndex(git, folder, async (indexFile) => {
      await writeFile(`${indexFile}.lock`, 'x');
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await leftovers(folder)).toEqual([]);
  });

  test('uses a different name from a concurrent one and from one left by a crash', async () => {
    const { git, root } = await makeGitProject();
    const folder = join(root, '.git');
    const clock = makeHastyClock();
    await mkdir(join(folder, 'ravel-index-0-0'));
    const paths = await withTemporaryIndex({ ...git, clock }, folder, (outer) =>
      withTemporaryIndex({ ...git, clock }, folder, async (inner) => [outer, inner]),
    );
    expect(new Set(paths).size).toBe(2);
    expect(await leftovers(folder)).toEqual(['ravel-index-0-0']);
  });

  test('fails if the git directory cannot be written to', async () => {
    const { git, root } = await makeGitProject();
    const use = async () => undefined;
    await expect(withTemporaryIndex(git, join(root, 'none'), use)).rejects.toMatchObject({ code: 'git/failed' });
  });

  test.each([
    ['removed when that process is gone', undefined, 8, false],
    ['removed when a later process has its pid', 'later', 8, false],
    ['kept while that process lives', 'then', 8, true],
    ['kept for a week, since its process may live in a container', undefined, 6, true],
  ])('the folder of another process is %s', async (_title, startTime, ageDays, isKept) => {
    const { git, root } = await makeGitProject();
    const gitDirectory = join(root, '.git');
    const other = { pid: 7, startTime: 'then', bootId: 'boot' };
    const table = startTime === undefined ? undefined : { ...other, startTime };
    const use = (self: ProcessIdentity, indexFile: (path: string) => Promise<string>) =>
      withTemporaryIndex(
        { ...git, processes: { self: async () => self, identify: async () => table } },
        gitDirectory,
        indexFile,
      );
    const left = await use(other, async (path) => dirname(path));
    await mkdir(left);
    await writeFile(join(left, 'index'), 'x');
    const made = new Date(git.clock.wallMs() - ageDays * 24 * 60 * 60_000);
    await utimes(left, made, made);
    await use({ pid: 1, startTime: 'now', bootId: 'boot' }, async (path) => path);
    expect(await leftovers(gitDirectory)).toEqual(isKept ? [basename(left)] : []);
  });

  test('a folder that names no process is removed after a week', async () => {
    const { git, root } = await makeGitProject();
    const gitDirectory = join(root, '.git');
    for (const [name, ageDays] of [
      ['ravel-index-m1abc-0', 8],
      ['ravel-index-m2abc-0', 6],
    ] as const) {
      await mkdir(join(gitDirectory, name));
      const made = new Date(git.clock.wallMs() - ageDays * 24 * 60 * 60_000);
      await utimes(join(gitDirectory, name), made, made);
    }
    await withTemporaryIndex(git, gitDirectory, async (path) => path);
    expect(await leftovers(gitDirectory)).toEqual(['ravel-index-m2abc-0']);
  });

  test('a process that cannot be looked up keeps its folder, and the commit continues', async () => {
    const { git, root } = await makeGitProject();
    const gitDirectory = join(root, '.git');
    const self = async () => ({ pid: 7, startTime: 'now', bootId: 'boot' });
    const identify = () => Promise.reject(failure('disk/failed', '7', 'No descriptor is free.'));
    const left = join(gitDirectory, `ravel-index-9-${'0'.repeat(16)}-0`);
    await mkdir(left);
    await utimes(left, new Date(0), new Date(0));
    const use = withTemporaryIndex({ ...git, processes: { self, identify } }, gitDirectory, async () => 'used');
    expect(await use).toBe('used');
    expect(await leftovers(gitDirectory)).toEqual([basename(left)]);
  });
});
