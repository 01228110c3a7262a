import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { failureOf } from '../support/failureOf.ts';
import { makePipe } from '../support/gate.ts';
import {
  analysis,
  approvals,
  backlogOf,
  done,
  expectUntouched,
  onFirst,
  retryPhase,
  runPhase,
  type Step,
  scenarioText,
  statusLines,
  titles,
} from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World, type WorldOptions } from '../support/world.ts';

interface Trouble {
  readonly name: string;
  readonly code: string;
  readonly sentence: RegExp;
  readonly make: (world: World) => Promise<unknown>;
  readonly repair: (world: World) => Promise<unknown>;
  /** Without it the environment of the world. */
  readonly path?: string;
}

const troubles: readonly Trouble[] = [
  {
    name: 'git is not installed',
    code: 'git/missing',
    sentence: /^The program "git" was not found\.$/,
    path: '/nowhere',
    make: async () => undefined,
    repair: async () => undefined,
  },
  {
    name: 'the project is not a repository',
    code: 'git/notARepository',
    sentence: /is not inside the work tree of a git repository\.$/,
    make: (world) => rename(join(world.repository, '.git'), join(world.root, 'git')),
    repair: (world) => rename(join(world.root, 'git'), join(world.repository, '.git')),
  },
  {
    name: 'git has no user name',
    code: 'git/noIdentity',
    sentence: /^git does not know who commits in /,
    make: (world) => writeFile(join(world.root, 'home/.gitconfig'), ''),
    repair: (world) =>
      writeFile(join(world.root, 'home/.gitconfig'), '[user]\n\tname = Ada\n\temail = a@example.org\n'),
  },
  {
    name: 'no branch is checked out',
    code: 'git/detachedHead',
    sentence: /^No branch is checked out in /,
    make: (world) => world.git('checkout', '--quiet', '--detach'),
    repair: (world) => world.git('checkout', '--quiet', 'main'),
  },
  {
    name: 'a rebase has stopped',
    code: 'git/operationInProgress',
    sentence: /^A rebase is in progress in /,
    make: (world) => world.git('rebase', '--quiet', '--exec', 'false', '--root').catch(() => undefined),
    repair: (world) => world.git('rebase', '--abort'),
  },
];

/** Two files that work left, and what the analysis wrote about their commits. */
async function makeCommitWorld(options: WorldOptions = {}): Promise<World> {
  const world = await makeWorld({ ...options, plan: { 'phase.md': 'git-commit-work\n', 'commits.yaml': commits } });
  await world.write('one.txt', 'one\n');
  await world.write('two.txt', 'two\n');
  return world;
}

const commits = `commits:
  - paths: [one.txt]
    message: Add the first
  - paths: [two.txt]
    message: |
      Add the second

      It belongs to the first.
`;

/** A world with one task: the work session plays `work`, and the analysis commits `paths`. */
function makeWorkWorld(
  work: readonly Step[],
  paths: readonly [string, ...string[]],
  options: WorldOptions = {},
): Promise<World> {
  const scenario = scenarioText({ work: [...work, done], 'analyse-work': analysis(['Do the work', ...paths]) });
  return makeWorld({ plan: { 'backlog.yaml': backlogOf('first') }, scenario, ...options });
}

function startWith(world: World, trouble: Trouble) {
  const { path } = trouble;
  return startCore(path === undefined ? world : { ...world, environment: { ...world.environment, PATH: path } });
}

describe('a repository that takes no commits', () => {
  test.each(troubles)('keeps work from starting until it is repaired: $name', async (trouble) => {
    const world = await makeWorkWorld([], ['new.txt']);
    await trouble.make(world);
    const { core, server } = await startWith(world, trouble);
    const problem = await failureOf(() => runPhase(core, world));
    expect(problem.code).toBe(trouble.code);
    expect(problem.message).toMatch(trouble.sentence);
    expect(problem.help).not.toBe('');
    await expectUntouched(core, world, 'work');
    await server.stop();
    await core.stop();
    await trouble.repair(world);
    const after = await startCore(world);
    expect(await runPhase(after.core, world)).toMatchObject({ end: 'finished', next: 'analyse-work' });
  });

  test.each(troubles)('interrupts the commit phase, and a retry makes the commits: $name', async (trouble) => {
    const world = await makeCommitWorld();
    await trouble.make(world);
    const { core, server } = await startWith(world, trouble);
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'interrupted', next: 'git-commit-work', commits: [] });
    expect(report.summary).toMatch(trouble.sentence);
    expect(await world.readPlan('phase.md')).toBe('git-commit-work\n');
    expect(await world.readPlan('commits.yaml')).toBe(commits);
    expect((await failureOf(() => runPhase(core, world))).code).toBe('plan/waiting');
    await server.stop();
    await core.stop();
    await trouble.repair(world);
    expect(await titles(world)).toEqual(['Start']);
    const after = await startCore(world);
    expect(await retryPhase(after.core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    expect((await titles(world)).slice(0, 3)).toEqual(['Start', 'Add the first', 'Add the second']);
    expect(await world.git('status', '--porcelain')).toBe('');
  });
});

test('a repository without commits gets its first one from a cycle', async () => {
  const world = await makeWorld({
    identity: false,
    files: { 'README.md': '# Mine\n' },
    plan: { 'backlog.yaml': backlogOf('first') },
    scenario: scenarioText({
      work: [{ edit: { path: 'new.txt', content: 'new\n' } }, done],
      'analyse-work': analysis(['Add a file', 'new.txt']),
      reflect: [done],
      triage: [done],
    }),
  });
  await writeFile(join(world.root, 'home/.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const { core } = await startCore(world);
  const { plan, scenario } = world;
  const report = await core.api.request('run_cycle', { plan, harness: 'scripted', scenario });
  expect(report.stop).toBe('cycle-ended');
  expect(await world.git('show', '--name-only', '--format=%s', 'HEAD~3')).toBe('Add a file\n\nnew.txt\n');
  expect(await world.git('rev-list', '--max-parents=0', '--format=%s', 'HEAD')).toContain('Add a file');
  expect(await world.git('status', '--porcelain')).toBe('?? README.md\n');
});

describe('a pre-commit hook', () => {
  test('a pre-commit hook that refuses a commit keeps the commits before it, and a retry makes only the rest', async () => {
    const world = await makeCommitWorld();
    await world.hook(
      'pre-commit',
      'if git diff --cached --name-only | grep -q two; then echo "no twos here" >&2; exit 1; fi',
    );
    const { core } = await startCore(world);
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'interrupted', next: 'git-commit-work' });
    expect(report.summary).toBe('A hook refused the commit "Add the second". It said: no twos here');
    expect(await titles(world)).toEqual(['Start', 'Add the first']);
    expect(await world.readPlan('commits.yaml')).toBe(commits);
    expect(await world.readPlan('phase.md')).toBe('git-commit-work\n');
    expect(await retryPhase(core, world)).toMatchObject({ end: 'interrupted' });
    await world.hook('pre-commit', 'exit 0');
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    const made = await titles(world);
    expect(made.slice(0, 3)).toEqual(['Start', 'Add the first', 'Add the second']);
    expect(made).toHaveLength(4);
    expect(await world.git('log', '--format=%b', '-1', '--grep', 'Add the second')).toContain(
      'It belongs to the first.',
    );
    expect(await world.git('status', '--porcelain')).toBe('');
  });

  test('a pre-commit hook whose refusal is dismissed leaves files and commits.yaml, and the next run commits', async () => {
    const world = await makeCommitWorld();
    await world.hook('pre-commit', 'exit 1');
    const { core } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'interrupted' });
    await core.api.request('dismiss', { plan: world.plan });
    await expectUntouched(core, world, 'git-commit-work');
    expect(await world.readPlan('commits.yaml')).toBe(commits);
    await world.hook('pre-commit', 'exit 0');
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    expect((await titles(world)).slice(1, 3)).toEqual(['Add the first', 'Add the second']);
  });

  test('a pre-commit hook that adds a file has it in the commit', async () => {
    const world = await makeCommitWorld();
    await world.hook('pre-commit', 'echo stamped > stamp.txt && git add stamp.txt');
    const { core, events } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished' });
    const first = events.find((event) => event.type === 'commit.made');
    expect(first).toMatchObject({ title: 'Add the first', paths: ['one.txt', 'stamp.txt'] });
    expect(await world.git('status', '--porcelain')).toBe('');
  });
});

describe('an index that another process has locked', () => {
  test('for good interrupts the phase, and the lock is left alone', async () => {
    const world = await makeCommitWorld();
    const lock = join(world.repository, '.git/index.lock');
    await writeFile(lock, '');
    const { core } = await startCore(world, { clock: hastyClock(() => undefined) });
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'interrupted', next: 'git-commit-work', commits: [] });
    expect(report.summary).toMatch(/^The index of the repository is locked\./);
    expect(existsSync(lock)).toBe(true);
    await rm(lock);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    expect(await titles(world)).toHaveLength(4);
  });

  test('right after a commit interrupts the phase, and after a retry a person commits nothing but theirs', async () => {
    const world = await makeCommitWorld();
    const lock = join(world.repository, '.git/index.lock');
    await world.hook(
      'post-commit',
      `git log -1 --format=%s | grep -q '^Record' && ! [ -e .git/once ] && touch .git/once .git/index.lock; true`,
    );
    const { core } = await startCore(world, { clock: hastyClock(() => undefined) });
    const report = await runPhase(core, world);
    expect(report).toMatchObject({ end: 'interrupted', next: 'git-commit-work' });
    expect(report.summary).toMatch(/^The commit [0-9a-f]{40} was made, but the index is locked/);
    await rm(lock);
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    expect(await titles(world)).toHaveLength(4);
    expect(await world.git('status', '--porcelain')).toBe('');
    await world.write('mine.txt', 'mine\n');
    await world.git('add', 'mine.txt');
    await world.git('commit', '--quiet', '--message=Mine');
    expect(await world.git('show', '--format=', '--name-only', 'HEAD')).toBe('mine.txt\n');
  });

  test('for a moment is waited for', async () => {
    const world = await makeCommitWorld();
    const lock = join(world.repository, '.git/index.lock');
    await writeFile(lock, '');
    const { core } = await startCore(world, { clock: hastyClock(() => unlinkSync(lock)) });
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
  });
});

/** Between two tries. */
const pausesMs = [40, 80, 160, 320, 640];

/** A clock on which the wait between two tries of a locked index passes at once; `onWait` is called at the first. */
function hastyClock(onWait: () => void): Clock {
  let aheadMs = 0;
  let told = false;
  return {
    wallMs: () => systemClock.wallMs(),
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    schedule(delayMs, callback) {
      if (!pausesMs.includes(delayMs)) return systemClock.schedule(delayMs, callback);
      aheadMs += delayMs * 10;
      if (!told) onWait();
      told = true;
      return systemClock.schedule(0, callback);
    },
  };
}

describe('uncommitted work of a person', () => {
  test('stays as it is, whether staged, staged in part, moved, changed or new', async () => {
    const world = await makeWorkWorld([{ edit: { path: 'mine.txt', content: 'by the session\n' } }], ['.'], {
      files: { 'staged.txt': 'old\n', 'partly.txt': 'a\n', 'dirty.txt': 'old\n', 'moved.txt': 'moved\n' },
    });
    await world.git('mv', 'moved.txt', 'to.txt');
    await world.write('staged.txt', 'staged\n');
    await world.write('partly.txt', 'a\nb\n');
    await world.git('add', 'staged.txt', 'partly.txt');
    await world.write('partly.txt', 'a\nb\nc\n');
    await world.write('dirty.txt', 'dirty\n');
    await world.write('notes.txt', 'new\n');
    const before = await statusLines(world);
    const { core, events } = await startCore(world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'analyse-work' });
    expect(await runPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    expect(events.find((event) => event.type === 'commit.made')).toMatchObject({ paths: ['mine.txt'] });
    expect(await statusLines(world)).toEqual(before);
    const named = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic] : []));
    expect(named).toMatchObject([{ code: 'git/leftOut', severity: 'info' }]);
    expect(named[0]?.message).toMatch(/: dirty\.txt, moved\.txt, notes\.txt, partly\.txt, staged\.txt, to\.txt\.$/);

    await world.git('commit', '--quiet', '-m', 'By the person');
    expect(await world.git('show', '--format=', '--patch', '--unified=0', 'HEAD')).toContain('+b');
    expect(await world.git('show', '--format=', '--name-status', '--find-renames', 'HEAD')).toBe(
      'M\tpartly.txt\nM\tstaged.txt\nR100\tmoved.txt\tto.txt\n',
    );
    expect(await world.git('show', 'HEAD:partly.txt')).toBe('a\nb\n');
  });

  test('uncommitted work of a person that the session changed too is asked about, and the phase continues once they have committed it', async () => {
    const world = await makeWorkWorld(
      [
        { edit: { path: 'dirty.txt', replace: 'dirty', with: 'changed twice' } },
        { edit: { path: 'mine.txt', content: 'x\n' } },
      ],
      ['mine.txt'],
      { files: { 'dirty.txt': 'old\n' } },
    );
    await world.write('dirty.txt', 'dirty\n');
    const { core } = await startCore(world);
    await runPhase(core, world);
    const report = await runPhase(core, world);
    const sentence = 'These paths had changes before work began and were changed again by the session: dirty.txt.';
    expect(report).toMatchObject({ end: 'waiting', next: 'git-commit-work', summary: sentence, commits: [] });
    expect(await approvals(world)).toMatchObject([
      { kind: 'dirty-source-changed', details: { paths: [{ path: 'dirty.txt' }] } },
    ]);
    expect(await titles(world)).toEqual(['Start']);
    expect(await world.readPlan('phase.md')).toBe('git-commit-work\n');

    expect(await retryPhase(core, world)).toMatchObject({ end: 'waiting' });
    await world.git('commit', '--quiet', '-m', 'By the person', 'dirty.txt');
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    expect((await titles(world)).slice(0, 3)).toEqual(['Start', 'By the person', 'Do the work']);
    expect(await world.git('show', '--format=', '--name-only', 'HEAD~1')).toBe('mine.txt\n');
  });

  test('uncommitted work of a person that the session undid is asked about, although the tree is clean', async () => {
    const world = await makeWorkWorld([{ edit: { path: 'dirty.txt', content: 'old\n' } }], ['.'], {
      files: { 'dirty.txt': 'old\n' },
    });
    await world.write('dirty.txt', 'dirty\n');
    const { core } = await startCore(world);
    await runPhase(core, world);
    expect(await runPhase(core, world)).toMatchObject({ end: 'waiting' });
    await world.write('dirty.txt', 'dirty\n');
    expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
    expect(await statusLines(world)).toHaveLength(1);
  });
});

test('a commit phase on another branch than that of the work waits, and continues back on that branch', async () => {
  const world = await makeWorkWorld([{ edit: { path: 'mine.txt', content: 'x\n' } }], ['mine.txt']);
  const { core } = await startCore(world);
  await runPhase(core, world);
  await world.git('switch', '--quiet', '--create', 'elsewhere');
  const report = await runPhase(core, world);
  const sentence = 'Work began on branch main, but elsewhere is checked out now.';
  expect(report).toMatchObject({ end: 'waiting', next: 'git-commit-work', summary: sentence });
  expect(await approvals(world)).toMatchObject([
    { kind: 'branch-changed', details: { before: 'main', now: 'elsewhere' } },
  ]);
  expect(await world.readPlan('phase.md')).toBe('git-commit-work\n');
  expect(await titles(world)).toEqual(['Start']);
  await world.git('switch', '--quiet', 'main');
  expect(await retryPhase(core, world)).toMatchObject({ end: 'finished', next: 'reflect' });
  expect((await titles(world)).slice(0, 2)).toEqual(['Start', 'Do the work']);
});

test('two projects of one repository commit one after the other', async () => {
  const world = await makeWorld({ below: 'packages/one', plan: { 'phase.md': 'git-commit-work\n' } });
  const { core, events } = await startCore(world);
  await world.write('../two/README.md', '# Two\n');
  const project = join(world.repository, 'packages/two');
  const { plan, directory } = await core.api.request('adopt', { project, description: 'The other one' });
  await writeFile(join(directory, 'phase.md'), 'git-commit-work\n');
  await world.write('new.txt', 'new\n');
  const [log, once] = [join(world.root, 'log'), join(world.root, 'once')];
  const gate = await makePipe(world.root);
  // The first commit waits until the other project has queued.
  const wait = `if mkdir '${once}' 2>/dev/null; then cat '${gate.path}'; fi`;
  await world.hook('pre-commit', `echo begin >> '${log}'; ${wait}; echo end >> '${log}'`);
  onFirst(core, (event) => event.type === 'run.queued', gate.open);
  const reports = await Promise.all([runPhase(core, world), runPhase(core, world, { plan })]);
  expect(reports).toMatchObject([{ end: 'finished' }, { end: 'finished' }]);
  expect(events.filter((event) => event.type === 'run.queued')).toHaveLength(1);
  expect(readFileSync(log, 'utf8')).toBe('begin\nend\n'.repeat(4));
  expect(await world.git('status', '--porcelain')).toBe('');
});
