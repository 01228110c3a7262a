import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { idOfTexts } from '../../src/housekeeping/snapshots/snapshots.ts';
import { runHere } from '../support/commandHere.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeReflectWorld, runOptionsOf } from '../support/phaseWorld.ts';
import { startCore, type World } from '../support/world.ts';

const files = ['plan-state.md', 'phase.md', 'backlog.yaml', 'memory.yaml', 'latest-session.yaml', 'dream-word-count'];
const child = 'greeter/project-root/cart';

/** Every file of a snapshot as it is in the plan's folder; null for none. */
async function stateOf(world: World): Promise<Readonly<Record<string, string | null>>> {
  const texts = await Promise.all(files.map((file) => world.readPlan(file).catch(() => null)));
  return Object.fromEntries(files.map((file, at) => [file, texts[at] ?? null]));
}

async function commitAll(world: World, message: string): Promise<void> {
  await world.git('add', '-A');
  await world.git('commit', '--quiet', '-m', message);
}

const list = async ({ api }: Core, plan: string, limit?: number) =>
  (await api.request('snapshots', { plan, ...(limit !== undefined && { limit }) })).snapshots;

/** A plan that ran a whole cycle, and its states before and after. */
async function afterACycle() {
  const world = await makeCycleWorld();
  await commitAll(world, 'A plan');
  const before = await stateOf(world);
  const { core, events } = await startCore(world);
  for (const phase of ['work', 'analyse-work', 'reflect', 'dream', 'triage']) {
    const run = await core.api.request('run_phase', {
      plan: world.plan,
      harness: 'scripted',
      scenario: world.scenario,
    });
    expect(run).toMatchObject({ phase, end: 'finished' });
  }
  return { world, core, events, before, after: await stateOf(world) };
}

/** A plan with two states that commits have; the names of both. */
async function withTwoStates() {
  const world = await makeCycleWorld();
  await commitAll(world, 'First');
  const first = await stateOf(world);
  await world.writePlan('memory.yaml', 'entries: [] # second\n');
  await world.writePlan('backlog.yaml', (await world.readPlan('backlog.yaml')).replace('Greet in', 'Say it in'));
  await commitAll(world, 'Second');
  const { core } = await startCore(world);
  const [newest, oldest] = (await list(core, world.plan)).map(({ id }) => id);
  return { world, core, first, newest: newest ?? '', oldest: oldest ?? '' };
}

describe('a plan that is rolled back', { timeout: 60_000 }, () => {
  test('has its records byte for byte as they were, and goes forward again the same way', async () => {
    const { world, core, before, after, events } = await afterACycle();
    const source = await world.read('greet.mjs');
    const log = await world.readPlan('session-log.yaml');
    const snapshots = await list(core, world.plan);
    const [newest, oldest] = [snapshots[0], snapshots.at(-1)];
    expect(newest).toMatchObject({ isNow: true, title: expect.stringContaining('after triage') });
    expect(oldest).toMatchObject({ isNow: false, title: 'A plan' });
    expect(new Set(snapshots.map(({ id }) => id)).size).toBe(snapshots.length);

    const compared = await core.api.request('compare_snapshot', { plan: world.plan, snapshot: oldest?.id ?? '' });
    expect(compared.files.find(({ file }) => file === 'memory.yaml')).toEqual({
      file: 'memory.yaml',
      before: after['memory.yaml'],
      after: before['memory.yaml'],
    });
    const back = await core.api.request('roll_back', { plan: world.plan, snapshot: (oldest?.id ?? '').slice(0, 8) });
    expect(await stateOf(world)).toEqual(before);
    expect(back).toMatchObject({ snapshot: oldest?.id, before: newest?.id, kept: [] });
    expect(back).not.toHaveProperty('uncommitted');
    expect([...back.files].sort()).toEqual(files.filter((file) => before[file] !== after[file]).sort());
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'plan.changed', change: 'edited', files: back.files }),
    );
    expect(await world.git('status', '--porcelain')).toBe('');
    expect(await world.read('greet.mjs')).toBe(source);
    expect(await world.readPlan('session-log.yaml')).toBe(log);

    await core.api.request('roll_back', { plan: world.plan, snapshot: back.before ?? '' });
    expect(await stateOf(world)).toEqual(after);
    const again = await list(core, world.plan);
    expect(again.filter(({ isNow }) => isNow).map(({ id }) => id)).toEqual([newest?.id, newest?.id]);
  });

  test('says so in since, history and changes, with the commits that it made', async () => {
    const { world, core, events } = await afterACycle();
    const { plan } = world;
    const person = 'someone';
    const oldest = (await list(core, plan)).at(-1)?.id ?? '';
    await world.writePlan('memory.yaml', 'entries: [] # mine\n');
    await core.api.request('roll_back', { plan, snapshot: oldest });
    const [after = '', before = ''] = (await world.git('log', '-2', '--format=%H')).trim().split('\n');
    const put = { to: oldest, by: person, commits: [{ commit: before }, { commit: after }] };
    expect(events.find((event) => event.type === 'plan.changed' && event.rollback)).toMatchObject({ rollback: put });

    const since = await core.api.request('since', { since: '2020-01-01T00:00:00Z' });
    expect(since.plans[0]?.rollbacks).toMatchObject({ total: 1, items: [{ to: oldest, by: person, commit: after }] });
    expect(since.totals).toMatchObject({ rollbacks: 1, cycles: 1 });
    const { cycles, total } = await core.api.request('history', { plan });
    expect(cycles).toMatchObject([
      { cycle: 1, isComplete: true, rollbacks: [{ rollback: oldest, commits: put.commits }] },
    ]);
    expect(total).toBe(1);
    const work = cycles[0]?.phases[0]?.session ?? '';
    expect(await core.api.request('changes', { plan, session: work })).toMatchObject({ rollbacks: [{ by: person }] });

    const say = async (...args: string[]) => {
      const ran = await runHere([...args, '--vault', world.vault], { environment: world.environment });
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      return ran.stdout;
    };
    expect(await say('since', 'yesterday')).toMatch(
      new RegExp(
        `Put back\\n +${after.slice(0, 8)} ${person} put it back as it was at ${oldest.slice(0, 12)}: \\d files`,
      ),
    );
    const history = await say('history', plan);
    expect(history).toMatch(new RegExp(`rollback +put back +${oldest.slice(0, 8)}`));
    expect(history).toMatch(new RegExp(`commit +${after.slice(0, 8)}\\n +Put greeter back as it was`));
    expect(await say('changes', work, '--stat')).toMatch(
      new RegExp(
        `Since then ${person} put the plan back as it was at ${oldest.slice(0, 12)}.*commit ${after.slice(0, 8)}`,
      ),
    );
    // Any commit that the history lists can be looked at, whoever made it.
    const shown = await say('changes', after.slice(0, 8));
    expect(shown).toContain(`${plan}  a person put the plan back`);
    expect(shown).toMatch(/commit [0-9a-f]{8} Put greeter back[\s\S]*M ravel\/project-root\/memory\.yaml/);
    expect(shown).toContain('-entries: [] # mine\n');
    const made = cycles[0]?.phases.flatMap(({ commits = [] }) => commits).find(({ title }) => title === 'Say goodbye');
    const patch = await say('changes', made?.commit ?? '', '--patch');
    expect(patch).toMatch(/^diff --git a\/farewell\.mjs b\/farewell\.mjs\n/);
    expect(patch).not.toContain('greet.mjs');
    const stat = await say('changes', made?.commit.slice(0, 7) ?? '', '--stat', '--json');
    expect(JSON.parse(stat).result).toMatchObject({ plan, isRollback: false, session: expect.any(String) });

    // The next cycle is counted as before.
    await core.api.request('run_phase', { plan, harness: 'scripted', scenario: world.scenario });
    expect((await core.api.request('history', { plan })).cycles.map(({ cycle }) => cycle)).toEqual([2, 1]);
  });

  test('is not looked for among the commits of others', async () => {
    const { world, core } = await withTwoStates();
    const [mine = ''] = (await world.git('log', '-1', '--format=%H')).trim().split('\n');
    for (const commit of [mine, 'deadbeef']) {
      const refused = await failureOf(() => core.api.request('commit_changes', { commit }));
      const help = expect.stringContaining('Only a commit that Ravel made');
      expect(refused).toMatchObject({ code: 'git/unknownCommit', subject: commit, help });
    }
    const refused = await failureOf(() =>
      core.api.request('changed_file', { plan: world.plan, set: mine, path: 'greet.mjs', side: 'after' }),
    );
    expect(refused.code).toBe('git/unknownCommit');
    const ran = await runHere(['changes', 'deadbeef', '--vault', world.vault], { environment: world.environment });
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('made no commit deadbeef') });
  });

  test('loses no edit that no commit had', async () => {
    const { world, core, first, oldest } = await withTwoStates();
    await world.writePlan('memory.yaml', 'entries: [] # mine\n');
    const edited = await stateOf(world);
    expect((await list(core, world.plan)).every(({ isNow }) => !isNow)).toBe(true);
    const { before } = await core.api.request('roll_back', { plan: world.plan, snapshot: oldest });
    expect(await stateOf(world)).toEqual(first);
    await core.api.request('roll_back', { plan: world.plan, snapshot: before ?? '' });
    expect(await stateOf(world)).toEqual(edited);
  });

  test('keeps its messages, its child plans and what is staged', async () => {
    const { world, core, oldest } = await withTwoStates();
    await core.api.request('create', { plan: child, description: 'Takes what is bought' });
    const backlog = await world.readPlan('backlog.yaml');
    const message = `received:\n  - { id: m1, from: person, at: now, reason: r, body: b, state: new }\n`;
    await world.writePlan('backlog.yaml', backlog.replace(/^received:.*\n/m, '') + message);
    await world.writePlan('cart/memory.yaml', 'entries: [] # mine\n');
    await world.write('staged.txt', 'staged\n');
    await world.git('add', 'staged.txt');
    const { files } = await core.api.request('compare_snapshot', { plan: world.plan, snapshot: oldest });
    expect(files.find(({ file }) => file === 'backlog.yaml')?.after).toContain('id: m1');
    await core.api.request('roll_back', { plan: world.plan, snapshot: oldest });
    expect(await world.readPlan('backlog.yaml')).toContain('id: m1');
    expect(await world.readPlan('backlog.yaml')).toContain('# Kept by Ada and Ravel');
    expect(await world.readPlan('cart/memory.yaml')).toBe('entries: [] # mine\n');
    expect(await world.git('diff', '--cached', '--name-only')).toBe('staged.txt\n');
  });

  test('finds its states under the names that it had', async () => {
    const world = await makeCycleWorld();
    const { core } = await startCore(world);
    await core.api.request('create', { plan: child, description: 'Takes what is bought' });
    await commitAll(world, 'Plans');
    await core.api.request('rename', { plan: child, to: 'greeter/project-root/basket' });
    await world.writePlan('basket/memory.yaml', 'entries: [] # moved\n');
    await commitAll(world, 'Moved');
    const snapshots = await list(core, 'greeter/project-root/basket');
    expect(snapshots.map(({ title }) => title)).toEqual(['Moved', 'Plans']);
    await core.api.request('roll_back', { plan: 'greeter/project-root/basket', snapshot: snapshots[1]?.id ?? '' });
    expect(await world.readPlan('basket/memory.yaml')).not.toContain('moved');
  });

  test('names a way back that git knows, where git stores another text than the file has', async () => {
    const { world, core, first, oldest } = await withTwoStates();
    await world.git('config', 'core.autocrlf', 'true');
    await world.writePlan('memory.yaml', 'entries: [] # of another system\r\n');
    const { before } = await core.api.request('roll_back', { plan: world.plan, snapshot: oldest });
    expect(await stateOf(world)).toEqual(first);
    await core.api.request('roll_back', { plan: world.plan, snapshot: before ?? '' });
    expect(await world.readPlan('memory.yaml')).toBe('entries: [] # of another system\n');
  });

  test('needs no commit if it is in that state already', async () => {
    const { world, core, newest } = await withTwoStates();
    const head = await world.git('rev-parse', 'HEAD');
    const done = await core.api.request('roll_back', { plan: world.plan, snapshot: newest });
    expect(done).toMatchObject({ files: [], kept: [] });
    expect(done).not.toHaveProperty('before');
    expect(await world.git('rev-parse', 'HEAD')).toBe(head);
  });

  test('has a state whose id git computes as well', async () => {
    const { world, newest } = await withTwoStates();
    const tree = (await world.git('ls-tree', 'HEAD', 'ravel/project-root/'))
      .split('\n')
      .filter((line) => files.some((file) => line.endsWith(`/${file}`)))
      .map((line) => line.replace('ravel/project-root/', ''));
    await world.write('tree.txt', `${tree.join('\n')}\n`);
    const made = await world.git('-c', 'alias.tree=!git mktree < tree.txt', 'tree');
    expect(newest).toBe(made.trim());
    const texts = new Map(Object.entries(await stateOf(world)).filter(([, text]) => text !== null)) as never;
    expect(idOfTexts(texts, made.trim())).toBe(made.trim());
  });
});

describe('a rollback is refused, and nothing is changed', { timeout: 60_000 }, () => {
  test.each([
    ['main', '"main" is not the id of a snapshot'],
    ['abc', '"abc" is not the id of a snapshot'],
    ['--all', '"--all" is not the id of a snapshot'],
    ['deadbeef', 'has no snapshot deadbeef'],
  ])('to %s', async (snapshot, message) => {
    const world = await makeCycleWorld();
    await commitAll(world, 'A plan');
    const { core } = await startCore(world);
    const refused = await failureOf(() => core.api.request('roll_back', { plan: world.plan, snapshot }));
    expect(refused).toMatchObject({ code: 'snapshot/unknown', message: expect.stringContaining(message) });
  });

  test('to a tree of another plan, or of the source', async () => {
    const world = await makeCycleWorld();
    const { core } = await startCore(world);
    await core.api.request('create', { plan: child, description: 'Takes what is bought' });
    await commitAll(world, 'Plans');
    const foreign = (await list(core, child))[0]?.id ?? '';
    const source = (await world.git('rev-parse', 'HEAD^{tree}')).trim();
    for (const snapshot of [foreign, source]) {
      const refused = await failureOf(() => core.api.request('roll_back', { plan: world.plan, snapshot }));
      expect(refused.code).toBe('snapshot/unknown');
    }
  });

  test('to a state that the gates refuse', async () => {
    const world = await makeCycleWorld();
    const sound = await world.readPlan('backlog.yaml');
    await world.writePlan('backlog.yaml', sound.replace('dependencies: []', 'dependencies: [say-it-in-spanish]'));
    await commitAll(world, 'A circle');
    await world.writePlan('backlog.yaml', sound);
    await commitAll(world, 'No circle');
    const { core } = await startCore(world);
    const circle = (await list(core, world.plan)).find(({ title }) => title === 'A circle')?.id ?? '';
    const refused = await failureOf(() => core.api.request('roll_back', { plan: world.plan, snapshot: circle }));
    expect(refused).toMatchObject({ code: 'snapshot/refused', message: expect.stringContaining('say-it-in-spanish') });
    expect(await world.readPlan('backlog.yaml')).toBe(sound);
    expect(await world.git('status', '--porcelain')).toBe('');
  });

  test('while a phase did not finish', async () => {
    const world = await makeReflectWorld([{ exit: 3 }]);
    await commitAll(world, 'A plan');
    const { core } = await startCore(world);
    await core.api.request('run_phase', runOptionsOf(world));
    const [now] = await list(core, world.plan, 1);
    const refused = await failureOf(() => core.api.request('roll_back', { plan: world.plan, snapshot: now?.id ?? '' }));
    expect(refused.code).toBe('plan/unfinished');
  });

  test('where git does not know who commits', async () => {
    const world = await makeCycleWorld({ identity: false });
    await world.git('add', '-A');
    await world.git('-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '--quiet', '-m', 'A plan');
    const { core } = await startCore(world);
    const [oldest] = await list(core, world.plan);
    await world.writePlan('memory.yaml', 'entries: [] # edited\n');
    const refused = await failureOf(() =>
      core.api.request('roll_back', { plan: world.plan, snapshot: oldest?.id ?? '' }),
    );
    expect(refused.code).toBe('git/noIdentity');
    expect(await readFile(join(world.planDirectory, 'memory.yaml'), 'utf8')).toBe('entries: [] # edited\n');
  });
});
