import { describe, expect, test } from 'vitest';
import { commitPaths, refreshIndex } from '../../src/git/commit.ts';
import { type AppliedEntry, applyCommitSpec, type CommitSpecRequest, catchAllEntry } from '../../src/git/commitSpec.ts';
import type { Git } from '../../src/git/git.ts';
import { type GitProject, makeGitProject, writeUnreadableName } from '../support/gitProject.ts';

const session = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

function apply(project: GitProject, entries: CommitSpecRequest['entries'], more: Partial<CommitSpecRequest> = {}) {
  return applyCommitSpec(project.git, {
    directory: project.directory,
    entries,
    exclude: ['ravel'],
    session,
    plan: 'Demo/project-root',
    phase: 'git-commit-work',
    onEntry: () => undefined,
    ...more,
  });
}

const titles = async (project: GitProject) =>
  (await project.person('log', '--reverse', '--format=%s')).trim().split('\n').slice(1);

const outcomes = (results: readonly AppliedEntry[]) => results.map((entry) => `${entry.number} ${entry.outcome}`);

const head = async (project: GitProject) => (await project.person('rev-parse', 'HEAD')).trim();

/** Its owner ends between a commit and the refresh of the index. */
function dyingBeforeRefresh(git: Git): Git {
  return {
    ...git,
    run(directory, args, options) {
      if (args.includes('reset')) throw new Error('killed');
      return git.run(directory, args, options);
    },
  };
}

describe('applyCommitSpec', () => {
  test('commits the entries in order, each with its own paths and trailers, and reports each one', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    for (const name of ['src/a', 'src/b', 'docs/c', 'ravel/state']) await project.write(name, 'x');
    const told: AppliedEntry[] = [];
    const entries = [
      { paths: ['docs'], message: 'Write docs\n\nWith a body.' },
      { paths: ['typo'], message: 'Never made' },
      { paths: ['keep'], message: 'Nothing new' },
      { paths: ['.'], message: 'Add sources' },
    ];
    const results = await apply(project, entries, { onEntry: (entry) => told.push(entry) });
    expect(told).toEqual(results);
    expect(outcomes(results)).toEqual(['1 committed', '2 unmatched', '3 nothing', '4 committed']);
    expect(results).toMatchObject([
      { title: 'Write docs', paths: ['docs/c'] },
      { title: 'Never made', reason: 'nothing matches typo' },
      { title: 'Nothing new', reason: expect.stringContaining('nothing') },
      { title: 'Add sources', paths: ['src/a', 'src/b'] },
    ]);
    expect(await titles(project)).toEqual(['Write docs', 'Add sources']);
    expect(await project.person('log', '-1', '--format=%(trailers:only)')).toBe(
      [
        'Ravel-Plan: Demo/project-root',
        'Ravel-Phase: git-commit-work',
        `Ravel-Session: ${session}`,
        `Ravel-Entry: ${session}/4`,
        '\n',
      ].join('\n'),
    );
    expect(await project.status()).toEqual(['? ravel/state']);
  });

  test('stops at a refused entry, and a second run continues with it', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    for (const name of ['a', 'b', 'c']) await project.write(name, 'x');
    const entries = ['a', 'b', 'c'].map((name) => ({ paths: [name], message: `Add ${name}` }));
    await project.hook('pre-commit', '! git diff --cached --name-only | grep -q "^b$"');
    const told: AppliedEntry[] = [];
    const onEntry = (entry: AppliedEntry) => void told.push(entry);
    await expect(apply(project, entries, { onEntry })).rejects.toMatchObject({ code: 'git/hookRefused' });
    expect(outcomes(told)).toEqual(['1 committed']);
    await project.hook('pre-commit', 'exit 0');
    expect(outcomes(await apply(project, entries))).toEqual(['1 present', '2 committed', '3 committed']);
    expect(await titles(project)).toEqual(['Add a', 'Add b', 'Add c']);
  });

  test('refreshes the index in a second run if the first ended between commit and refresh', async () => {
    const project = await makeGitProject({ files: { a: '1', gone: '1', mine: '1' }, below: 'apps' });
    await project.write('mine', 'staged');
    await project.person('add', 'mine');
    const before = await project.status();
    await project.write('a', 'x');
    await project.write('new', 'x');
    await project.remove('gone');
    const baseline = await head(project);
    const entries = [{ paths: ['.'], message: 'Change' }];
    const more = { exclude: ['mine'], baseline };
    await expect(apply({ ...project, git: dyingBeforeRefresh(project.git) }, entries, more)).rejects.toThrow('killed');
    expect(await titles(project)).toEqual(['Change']);
    expect((await project.status()).length).toBeGreaterThan(before.length);
    expect(outcomes(await apply(project, entries, more))).toEqual(['1 present']);
    expect(await project.status()).toEqual(before);
    await project.person('commit', '--quiet', '--message=My own');
    expect(await project.person('show', '--format=', '--name-only', 'HEAD')).toBe('apps/mine\n');
  });

  test('refreshes a file whose name is not UTF-8 as well', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    await writeUnreadableName(project.directory);
    await project.write('plain', 'x');
    const entries = [{ paths: ['.'], message: 'Change' }];
    await expect(apply({ ...project, git: dyingBeforeRefresh(project.git) }, entries)).rejects.toThrow('killed');
    expect(outcomes(await apply(project, entries))).toEqual(['1 present']);
    expect(await project.status()).toEqual([]);
  });

  test('does not take another session, another number or words in a message for its entry', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    await project.write('a', 'x');
    const forged = `Forge\n\nRavel-Entry: ${session}/1`;
    await commitPaths(project.git, {
      directory: project.directory,
      paths: ['a'],
      exclude: [],
      message: forged,
      trailers: [['Ravel-Entry', 'another/1']],
    });
    await project.write('b', 'x');
    expect(outcomes(await apply(project, [{ paths: ['b'], message: 'Add b' }]))).toEqual(['1 committed']);
  });

  test('looks for existing entries only after the baseline', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    const entries = [{ paths: ['a'], message: 'Add a' }];
    await project.write('a', 'x');
    await apply(project, entries);
    const baseline = await head(project);
    await project.write('a', 'y');
    expect(outcomes(await apply(project, entries))).toEqual(['1 present']);
    expect(outcomes(await apply(project, entries, { baseline }))).toEqual(['1 committed']);
  });

  test('works before the first commit', async () => {
    const project = await makeGitProject();
    await project.write('a', 'x');
    expect(outcomes(await apply(project, [catchAllEntry('Demo')]))).toEqual(['1 committed']);
  });
});

describe('if a person commits', () => {
  /** The person commits right before git runs `command` for the first time. */
  function interrupted(project: GitProject, command: string): Git {
    let isMade = false;
    return {
      ...project.git,
      async run(directory, args, options) {
        if (args.includes(command) && !isMade) {
          isMade = true;
          await project.person('commit', '--quiet', '--allow-empty', '--message=Mine');
        }
        return project.git.run(directory, args, options);
      },
    };
  }
  const request = (project: GitProject) => ({
    directory: project.directory,
    paths: ['a'],
    exclude: [],
    message: 'Ours',
    trailers: [],
  });

  async function makeChanged(): Promise<GitProject> {
    const project = await makeGitProject({ files: { a: '1', b: '1' } });
    await project.write('a', 'x');
    return project;
  }

  test.each([
    ['', undefined],
    [', with hooks that are confined', async () => undefined],
  ])('while our commit is prepared%s, nothing is committed', async (_where, confineHooks) => {
    const project = await makeChanged();
    const git = { ...interrupted(project, 'write-tree'), confineHooks };
    const run = commitPaths(git, request(project));
    await expect(run).rejects.toMatchObject({ code: 'git/headMoved', message: expect.stringContaining('nothing was') });
    expect(await titles(project)).toEqual(['Mine']);
  });

  test('away while our commit is prepared, nothing is committed', async () => {
    const project = await makeChanged();
    const git: Git = {
      ...project.git,
      confineHooks: async () => undefined,
      async run(directory, args, options) {
        const result = await project.git.run(directory, args, options);
        if (args[0] === 'write-tree') await project.person('update-ref', '-d', 'refs/heads/main');
        return result;
      },
    };
    const run = commitPaths(git, request(project));
    await expect(run).rejects.toMatchObject({ code: 'git/headMoved', message: expect.stringContaining('nothing was') });
  });

  test('while a hook runs, nothing is committed', async () => {
    const project = await makeChanged();
    const mine = 'git -c core.hooksPath=/dev/null commit --quiet --allow-empty --message=Mine';
    await project.hook('pre-commit', `unset GIT_INDEX_FILE; ${mine}`);
    const run = commitPaths(project.git, request(project));
    await expect(run).rejects.toMatchObject({ code: 'git/headMoved', message: expect.stringContaining('nothing was') });
    expect(await titles(project)).toEqual(['Mine']);
  });

  test('at the last moment, our commit is made and reported as git/headMoved', async () => {
    const project = await makeChanged();
    const run = commitPaths(interrupted(project, 'commit'), request(project));
    await expect(run).rejects.toMatchObject({ code: 'git/headMoved', message: expect.stringContaining('was made') });
    expect(await titles(project)).toEqual(['Mine', 'Ours']);
  });

  test('right after our commit, ours is still the one reported', async () => {
    const project = await makeChanged();
    const outcome = await commitPaths(interrupted(project, 'diff-tree'), request(project));
    expect(outcome).toMatchObject({ outcome: 'committed', title: 'Ours', isLast: false, paths: ['a'] });
    expect(await titles(project)).toEqual(['Ours', 'Mine']);
  });
});

test('refreshIndex after a commit without changes does nothing', async () => {
  const project = await makeGitProject({ files: { a: '1' } });
  await project.person('commit', '--quiet', '--allow-empty', '--message=Empty');
  await project.write('a', 'x');
  await project.person('add', 'a');
  const before = await project.status();
  await refreshIndex(project.git, project.directory, 'HEAD');
  expect(await project.status()).toEqual(before);
});

test('catchAllEntry names the plan in a title of at most 72 characters', () => {
  const check = (plan: string, expected: string) =>
    expect(catchAllEntry(plan)).toEqual({ paths: ['.'], message: expected });
  check('Demo/project-root', 'Record the work of Demo/project-root');
  check('x'.repeat(80), `Record the work of ${'x'.repeat(50)}...`);
  expect(catchAllEntry('x'.repeat(80)).message).toHaveLength(72);
});
