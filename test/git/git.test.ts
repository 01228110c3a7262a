import { spawnSync } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createGit, type GitOptions, gitText } from '../../src/git/git.ts';
import { splitNul } from '../../src/git/splitNul.ts';
import { failure } from '../../src/model/codes.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeGitProject } from '../support/gitProject.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** A program that stands in for git: the body of a shell script. */
async function makeProgram(script: string): Promise<{ folder: string; program: string }> {
  const folder = await makeTemporaryDirectory();
  const program = join(folder, 'program');
  await writeFile(program, `#!/bin/sh\n${script}\n`);
  await chmod(program, 0o755);
  return { folder, program };
}

function gitWith(options: Partial<GitOptions>) {
  return createGit({ environment: process.env, clock: systemClock, disk: nodeDisk, ...options });
}

/** Polls, because the end of a process that is not our child raises no event here. A zombie counts as gone. */
async function isGone(pid: number): Promise<boolean> {
  const deadline = Date.now() + 5000;
  while (Date.now() < deadline) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    if (/^State:\s+Z/m.test(status)) return true;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return false;
}

test('git starts again if a stand-in for commondir was taken away while it began', async () => {
  const gone = 'fatal: failed to read .git/commondir: No such file or directory';
  const { folder, program } = await makeProgram(
    `cat > got; [ -e again ] || { touch again; echo "${gone}" >&2; exit 128; }; cat got`,
  );
  expect(await gitText(gitWith({ program }), folder, ['status'], { stdin: 'asked' })).toBe('asked');
});

test('git starts only in allowed folders', async () => {
  const { folder, program } = await makeProgram('touch started');
  const mayStart = () => Promise.reject(failure('vault/lost', folder, 'Another process owns the vault now.'));
  const git = gitWith({ program, mayStart });
  expect(await failureOf(() => git.run(folder, ['commit']))).toMatchObject({ code: 'vault/lost' });
  expect(await readdir(folder)).toEqual(['program']);
});

describe('the environment of git', () => {
  const check = async (environment: Record<string, string>, name: string, expected: string) => {
    const { folder, program } = await makeProgram(`printf %s "$${name}"`);
    const git = gitWith({ environment: { PATH: process.env['PATH'], ...environment }, program });
    expect(await gitText(git, folder, [])).toBe(expected);
  };

  test.each([
    ['HOME', '/somewhere', '/somewhere'],
    ['XDG_CONFIG_HOME', '/somewhere', '/somewhere'],
    ['GIT_CONFIG_GLOBAL', '/somewhere', '/somewhere'],
    ['GIT_DIR', '/elsewhere', ''],
    ['GIT_INDEX_FILE', '/elsewhere', ''],
    ['GIT_WORK_TREE', '/elsewhere', ''],
    ['GIT_LITERAL_PATHSPECS', '1', ''],
    ['SSH_AUTH_SOCK', '/agent', ''],
    ['SECRET_TOKEN', 'x', ''],
    ['GIT_EDITOR', 'vi', 'true'],
    ['GIT_TERMINAL_PROMPT', '1', '0'],
    ['GIT_OPTIONAL_LOCKS', '1', '0'],
    ['LC_ALL', 'de_DE.UTF-8', 'C'],
  ])('turns %s=%s into "%s"', async (name, value, expected) => check({ [name]: value }, name, expected));
});

describe('git fails', () => {
  const check = async (run: Promise<unknown>, code: string) =>
    expect(run).rejects.toMatchObject({ diagnostic: { code } });

  test('with git/missing if the program is missing', async () => {
    const folder = await makeTemporaryDirectory();
    await check(gitWith({ program: join(folder, 'none') }).run(folder, ['status']), 'git/missing');
    const { directory } = await makeGitProject({ files: { a: '1' } });
    await check(gitWith({ program: join(folder, 'none') }).settings(directory), 'git/missing');
  });

  test('with project/missing if the folder is missing', async () => {
    const folder = await makeTemporaryDirectory();
    await check(gitWith({}).run(join(folder, 'none'), ['status']), 'project/missing');
  });

  test('with git/notARepository outside a repository', async () => {
    const folder = await makeTemporaryDirectory();
    await check(gitWith({}).run(folder, ['status']), 'git/notARepository');
  });

  test('with git/failed otherwise, quoting the command and the end of its output', async () => {
    const { git, directory } = await makeGitProject({ files: { a: '1' } });
    await expect(git.run(directory, ['-c', 'a.b=c', 'cat-file', 'blob', 'nothing'])).rejects.toMatchObject({
      diagnostic: { code: 'git/failed', message: expect.stringMatching(/git cat-file .*128.*nothing/s) },
    });
  });

  test('with git/failed whatever a hook prints', async () => {
    const { folder, program } = await makeProgram('echo "fatal: not a git repository" >&2; exit 1');
    await check(gitWith({ program }).run(folder, ['commit']), 'git/failed');
  });

  test('for an exit code only if it is not listed as acceptable', async () => {
    const { folder, program } = await makeProgram('exit 3');
    expect(await gitWith({ program }).run(folder, [], { okCodes: [0, 3] })).toMatchObject({ code: 3, cut: false });
    await check(gitWith({ program }).run(folder, []), 'git/failed');
  });

  test('with git/timedOut after the timeout and leaves no process of its group alive', async () => {
    const script = `trap '' TERM; sleep 600 & echo $! > child; echo $$ > leader; echo waiting >&2; wait; wait`;
    const { folder, program } = await makeProgram(script);
    const run = gitWith({ program, timeoutMs: 500 }).run(folder, ['commit']);
    await expect(run).rejects.toMatchObject({
      diagnostic: { code: 'git/timedOut', message: expect.stringContaining('waiting') },
    });
    for (const name of ['child', 'leader']) {
      expect(await isGone(Number(await readFile(join(folder, name), 'utf8')))).toBe(true);
    }
  });
});

describe('settings of a repository whose reading', () => {
  test.each([
    ['takes too long', 'sleep 600', 'git/timedOut'],
    ['is ended by a signal', 'kill -9 $$', 'git/failed'],
    ['fails for an unknown reason', 'exit 1', 'git/failed'],
  ])('%s are not taken for none: the command does not start', async (_title, reading, code) => {
    const { folder, program } = await makeProgram(`case $* in *config*) ${reading} ;; esac; touch started`);
    spawnSync('git', ['init', '-q'], { cwd: folder });
    const accepted = async () => ({ settings: new Set<string>(), hooks: new Map<string, string>() });
    const run = gitWith({ program, accepted, timeoutMs: 300 }).run(folder, ['status']);
    await expect(run).rejects.toMatchObject({ diagnostic: { code } });
    await expect(readFile(join(folder, 'started'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('input and output of git', () => {
  test('include stdin, and a program that does not read it does not fail', async () => {
    const { folder, program } = await makeProgram('cat');
    expect(await gitText(gitWith({ program }), folder, [], { stdin: 'hello\n' })).toBe('hello');
    const deaf = await makeProgram('exit 0');
    const run = gitWith({ program: deaf.program }).run(deaf.folder, [], { stdin: Buffer.alloc(4 * 1024 * 1024) });
    expect((await run).code).toBe(0);
  });

  test('are cut at the requested size, and the program is ended', async () => {
    const { folder, program } = await makeProgram('while :; do echo 0123456789; done');
    const { stdout, cut } = await gitWith({ program }).run(folder, [], { cutBytes: 100 });
    expect([stdout.length, cut]).toEqual([100, true]);
  });

  test('do not wait for a background process that holds the output open', async () => {
    const { folder, program } = await makeProgram('sleep 600 & echo $! > child; echo done');
    expect(await gitText(gitWith({ program, timeoutMs: 10_000 }), folder, [])).toBe('done');
    process.kill(Number(await readFile(join(folder, 'child'), 'utf8')));
  });
});

test('splitNul keeps line breaks and raw bytes', () => {
  const check = (input: Buffer, encoding: 'utf8' | 'latin1', expected: string[]) =>
    expect(splitNul(input, encoding)).toEqual(expected);
  check(Buffer.from(''), 'utf8', []);
  check(Buffer.from('a\nb\0é\0'), 'utf8', ['a\nb', 'é']);
  check(Buffer.from([0xff, 0, 0x62, 0]), 'latin1', ['\xff', 'b']);
});
