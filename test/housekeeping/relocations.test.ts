import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import { listApprovals, openApproval } from '../../src/plans/approvals/approvals.ts';
import { listArchives } from '../../src/vault/archive.ts';
import { createPlan } from '../../src/vault/planCreation.ts';
import { loadRunState, runStateSchema, saveRunState } from '../../src/vault/runState.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { makePlanWorld } from '../support/planServices.ts';
import { systemError, traceDisk } from '../support/tracingDisk.ts';
import { a, b, below, isView, listWorld, makeFamily, planIds, relocationsOf } from './planFamily.ts';

describe('renaming a plan', () => {
  test('moves its folder, its child plans and its files in runtime/', async () => {
    const world = await makeFamily();
    const renamed = await relocationsOf(world).rename(a, b);
    const newBelow = toQualifiedId(`${b}/below`);
    expect(renamed).toMatchObject({
      plan: b,
      names: [
        { from: a, to: b },
        { from: below, to: newBelow },
      ],
    });
    expect(await planIds(world)).toEqual(['Demo/project-root', b, newBelow]);
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, b)).cycle).toBe(1);
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, newBelow)).cycle).toBe(2);
    expect(listWorld(world).filter((line) => line.includes(segmentFromId(a)))).toEqual([]);
    expect(world.read(`vault/runtime/mailboxes/${segmentFromId(newBelow)}.jsonl`)).toContain(below);
    expect(existsSync(world.layout.moveIntent)).toBe(false);
    expect(world.events).toContainEqual(
      expect.objectContaining({ type: 'plan.changed', actor: b, change: 'renamed', from: a }),
    );
  });

  test('warns of plans that still name the old id and does not rewrite them', async () => {
    const world = await makeFamily();
    const before = world.planText('backlog.yaml');
    const { diagnostics } = await relocationsOf(world).rename(a, b);
    expect(diagnostics).toMatchObject([{ code: 'plan/dangling', severity: 'warning', subject: 'Demo/project-root' }]);
    expect(world.planText('backlog.yaml')).toBe(before);
  });

  test('lets the policy of the vault follow, and tells which rules no longer hold', async () => {
    const world = await makeFamily();
    const policy = (first: string) =>
      `rules:\n  - id: own # mine\n    deny: ["Bash(foo *)"]\n    actors: ["${first}", '${first}/**', "${a}b"]\n  - id: odd\n    deny: ["Bash(bar *)"]\n    actors: ["*root/a"]\n`;
    writeFileSync(world.layout.policy, policy(a));
    writeFileSync(join(world.folder, 'Demo/ravel/policy.yaml'), policy(a));
    const { diagnostics } = await relocationsOf(world).rename(a, b);
    const project = 'Demo/ravel/policy.yaml';
    expect(world.read('vault/policy.yaml')).toBe(policy(b).replace(`"${b}b"`, `"${a}b"`));
    expect(world.read(project)).toBe(policy(a));
    const told = diagnostics.filter(({ code }) => code === 'policy/doubtful');
    expect(told.map(({ file = '', message }) => [file.endsWith(project), message])).toEqual([
      [false, `The rule "odd" held for "${a}" and does not hold for "${b}".`],
      [true, `The rule "own" held for "${a}" and does not hold for "${b}".`],
      [true, `The rule "odd" held for "${a}" and does not hold for "${b}".`],
    ]);
  });

  test('renders the views with the new id', async () => {
    const world = await makeFamily();
    await relocationsOf(world).rename(a, b);
    expect(world.read('Demo/ravel/project-root/far/b/backlog.md')).toContain(`plan: "${b}"`);
  });

  test('can change only the case of the name', async () => {
    const world = await makeFamily();
    const upper = toQualifiedId('Demo/project-root/A');
    await relocationsOf(world).rename(a, upper);
    expect(await planIds(world)).toEqual(['Demo/project-root', upper, `${upper}/below`]);
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, upper)).cycle).toBe(1);
  });

  test('records the earlier names of every plan with the commits they ended at', async () => {
    const world = await makePlanWorld({ children: [a, below], source: { 'a.txt': 'a\n' } });
    const relocations = relocationsOf(world);
    const namesOf = async (plan: string) =>
      (await loadRunState({ disk: nodeDisk, layout: world.layout }, toQualifiedId(plan))).earlierNames;
    const headNow = async () => (await world.git('rev-parse', 'HEAD')).trim();
    const first = await headNow();
    await relocations.rename(a, b);
    await world.git('commit', '--quiet', '--allow-empty', '--message=More');
    const second = await headNow();
    await relocations.renameProject('Demo', 'New');
    const { archive } = await relocations.remove('New/project-root/far/b', { withChildren: true });
    await relocations.restore(archive, 'New/project-root/c');
    expect(await namesOf('New/project-root/c')).toEqual([
      { plan: a, head: first },
      { plan: b, head: second },
      { plan: 'New/project-root/far/b', head: second },
    ]);
    expect(await namesOf('New/project-root/c/below')).toMatchObject([
      { plan: below },
      { plan: `${b}/below` },
      { plan: 'New/project-root/far/b/below' },
    ]);
    expect(await namesOf('New/project-root')).toEqual([{ plan: 'Demo/project-root', head: second }]);
  });

  test('works without a repository', async () => {
    const world = await makeFamily();
    await relocationsOf(world).rename(a, b);
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, b)).earlierNames).toEqual([{ plan: a }]);
  });

  test('archives what an earlier plan with the new id left behind', async () => {
    const world = await makeFamily();
    await saveRunState({ disk: nodeDisk, layout: world.layout }, b, runStateSchema.parse({ cycle: 9 }));
    await relocationsOf(world).rename(a, b);
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, b)).cycle).toBe(1);
    expect(listTree(join(world.layout.archive, 'plans')).join('\n')).toContain('cycle: 9');
  });

  test.each<[string, string, string]>([
    ['Demo/project-root', 'Demo/project-root/x', 'plan/isRoot'],
    [a, `${a}/inside`, 'plan/badId'],
    [a, a, 'plan/badId'],
    [a, 'Demo/x', 'plan/badId'],
    [a, 'Demo/project-root/memory.yaml', 'plan/badId'],
    [a, 'Other/project-root/x', 'plan/otherProject'],
    [a, 'expert:rust', 'plan/otherProject'],
    [a, 'Demo/project-root/taken', 'plan/exists'],
    [a, 'Demo/project-root/Taken', 'plan/exists'],
    [a, 'Demo/project-root/folder', 'plan/exists'],
    [a, 'Demo/project-root/file/x', 'plan/exists'],
    ['Demo/project-root/none', b, 'plan/unknown'],
  ])('%s to %s is refused as %s and changes nothing', async (from, to, code) => {
    const world = await makeFamily();
    await createPlan({
      disk: nodeDisk,
      layout: world.layout,
      id: toQualifiedId('Demo/project-root/taken'),
      description: 'Is there',
    });
    world.write('Demo/ravel/project-root/folder/note.md', 'mine');
    world.write('Demo/ravel/project-root/file', 'mine');
    const before = listWorld(world);
    expect(await failureOf(() => relocationsOf(world).rename(from, to))).toMatchObject({ code });
    expect(listWorld(world)).toEqual(before);
  });

  test.each<[string, object, string]>([
    [
      'runs',
      { running: { phase: 'reflect', step: 'session', session: '01HZY0000000000000000000S1', startedAt: 'now' } },
      'plan/busy',
    ],
    [
      'waits for a person',
      {
        waiting: {
          phase: 'reflect',
          session: '01HZY0000000000000000000S1',
          approval: '01HZY0000000000000000000A1',
          kind: 'merge-conflict',
          reason: 'Which?',
        },
      },
      'plan/waiting',
    ],
  ])('or removing it is refused while a child plan %s', async (_name, state, code) => {
    const world = await makeFamily();
    await saveRunState({ disk: nodeDisk, layout: world.layout }, below, runStateSchema.parse(state));
    const before = listWorld(world);
    expect(await failureOf(() => relocationsOf(world).rename(a, b))).toMatchObject({ code });
    expect(await failureOf(() => relocationsOf(world).remove(a, { withChildren: true }))).toMatchObject({ code });
    expect(await failureOf(() => relocationsOf(world).renameProject('Demo', 'New'))).toMatchObject({ code });
    expect(await failureOf(() => relocationsOf(world).removeProject('Demo'))).toMatchObject({ code });
    expect(listWorld(world)).toEqual(before);
  });

  test('lets one of two concurrent renames win and refuses the other', async () => {
    const world = await makeFamily();
    const relocations = relocationsOf(world);
    const c = 'Demo/project-root/c';
    const ends = await Promise.allSettled([relocations.rename(a, b), relocations.rename(a, c)]);
    expect(ends).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'plan/unknown' } }]);
    expect(await planIds(world)).toEqual(['Demo/project-root', b, `${b}/below`]);
  });
});

describe('creating a plan', () => {
  test('archives everything that an earlier plan with its id left behind', async () => {
    const world = await makeFamily();
    rmSync(world.layout.plan(a), { recursive: true });
    const asked = { kind: 'needs-input', plan: a, session: world.services.newUlid(), subject: 'Which one?' } as const;
    const approval = await openApproval(world.services, { ...asked, options: [], details: {} });
    const waiting = { approval, phase: 'work', session: asked.session, kind: asked.kind, reason: asked.subject };
    await saveRunState({ disk: nodeDisk, layout: world.layout }, a, runStateSchema.parse({ cycle: 1, waiting }));
    const make = (id: typeof a) =>
      relocationsOf(world).make(id, (makeWay) =>
        createPlan({ disk: nodeDisk, layout: world.layout, id, description: 'Another', makeWay }),
      );
    const { putAway = '' } = await make(a);
    expect(putAway).toMatch(/^archive\/plans\/Demo%2Fproject-root%2Fa-/);
    expect(await listApprovals({ disk: nodeDisk, layout: world.layout })).toEqual([]);
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, a)).cycle).toBe(0);
    expect(existsSync(join(world.layout.mailboxes, `${segmentFromId(a)}.jsonl`))).toBe(false);
    const kept = listTree(join(world.layout.root, putAway)).join('\n');
    for (const part of ['cycle: 1', 'Which one?', `"to":"${a}"`, 'entries: []']) expect(kept).toContain(part);
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, below)).cycle).toBe(2);
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'recovered', actor: a, outcome: 'finished' }));

    await saveRunState({ disk: nodeDisk, layout: world.layout }, a, runStateSchema.parse({ cycle: 3 }));
    expect(await failureOf(() => make(a))).toMatchObject({ code: 'plan/exists' });
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, a)).cycle).toBe(3);
  });
});

test('a new plan does not take files that an unfinished rename still has to move', async () => {
  const world = await makeFamily();
  const stopping = traceDisk(nodeDisk, (_n, operation, path) => {
    if (operation === 'rename' && path.startsWith(world.layout.plans)) throw systemError('EIO');
  });
  expect(await failureOf(() => relocationsOf(world, stopping).rename(a, b))).toMatchObject({ code: 'move/unfinished' });
  const plan = { disk: nodeDisk, layout: world.layout, id: a, description: 'Another' };
  const made = relocationsOf(world).make(a, (makeWay) => createPlan({ ...plan, makeWay }));
  expect(await made).toEqual({ made: world.layout.plan(a) });
  expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, a)).cycle).toBe(0);
  expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, b)).cycle).toBe(1);
});

describe('removing and restoring a plan', () => {
  test('requires withChildren when it has child plans, and refuses a root plan', async () => {
    const world = await makeFamily();
    expect(await failureOf(() => relocationsOf(world).remove(a))).toMatchObject({ code: 'plan/hasChildren' });
    expect(await failureOf(() => relocationsOf(world).remove('Demo'))).toMatchObject({ code: 'plan/isRoot' });
  });

  test('brings everything back, under the old id or another', async () => {
    const world = await makeFamily();
    const before = listWorld(world);
    const removed = await relocationsOf(world).remove(a, { withChildren: true });
    expect(removed.plans).toEqual([a, below]);
    expect(removed.diagnostics).toMatchObject([{ code: 'plan/dangling' }]);
    expect(await planIds(world)).toEqual(['Demo/project-root']);
    expect(listWorld(world).filter((line) => line.startsWith('vault/runtime/') && line.includes('%2Fa'))).toEqual([]);
    const { archives } = await listArchives(nodeDisk, world.layout);
    expect(archives).toMatchObject([{ name: removed.archive, record: { plan: a, plans: [a, below] } }]);

    await relocationsOf(world).restore(removed.archive);
    const isArchive = (line: string) => line.startsWith('vault/archive/plans');
    const after = listWorld(world).filter((line) => !isArchive(line));
    expect(after).toEqual(before);
    expect((await listArchives(nodeDisk, world.layout)).archives).toEqual([]);

    const again = await relocationsOf(world).remove(a, { withChildren: true });
    expect(await relocationsOf(world).restore(again.archive, b)).toMatchObject({ plan: b, plans: [b, `${b}/below`] });
    expect((await loadRunState({ disk: nodeDisk, layout: world.layout }, b)).cycle).toBe(1);
    expect(await planIds(world)).toEqual(['Demo/project-root', b, `${b}/below`]);
  });

  test('refuses a taken place, an unknown archive and an unreadable archive', async () => {
    const world = await makeFamily();
    const { archive } = await relocationsOf(world).remove(below);
    world.write('Demo/ravel/project-root/a/below/mine.md', 'mine');
    const before = listWorld(world);
    expect(await failureOf(() => relocationsOf(world).restore(archive))).toMatchObject({ code: 'plan/exists' });
    for (const name of ['plans/none', '../runtime', 'plans/..', 'plans']) {
      expect(await failureOf(() => relocationsOf(world).restore(name))).toMatchObject({ code: 'archive/unknown' });
    }
    expect(listWorld(world)).toEqual(before);
    writeFileSync(join(world.layout.archive, archive, 'archive.yaml'), 'kind: [');
    expect(await failureOf(() => relocationsOf(world).restore(archive))).toMatchObject({ code: 'archive/unreadable' });
  });
});

describe('a project', () => {
  test('is followed by the policy of the vault when it is renamed', async () => {
    const world = await makeFamily();
    const policy = (name: string) =>
      `rules:\n  - id: own\n    deny: ["Bash(foo *)"]\n    actors: ["${name}/**", "Demonstration/**"]\n`;
    writeFileSync(world.layout.policy, policy('Demo'));
    const { diagnostics } = await relocationsOf(world).renameProject('Demo', 'New name');
    expect(world.read('vault/policy.yaml')).toBe(policy('New name'));
    expect(diagnostics.filter(({ code }) => code === 'policy/doubtful')).toEqual([]);
  });

  test('keeps everything of its plans when it is renamed', async () => {
    const world = await makeFamily();
    const ravel = listTree(join(world.project, 'ravel'));
    const renamed = await relocationsOf(world).renameProject('Demo', 'New name');
    expect(renamed.plan).toBe('New name/project-root');
    expect(await planIds(world)).toEqual([
      'New name/project-root',
      'New name/project-root/a',
      'New name/project-root/a/below',
    ]);
    expect(
      (await loadRunState({ disk: nodeDisk, layout: world.layout }, toQualifiedId('New name/project-root/a'))).cycle,
    ).toBe(1);
    expect(world.read('vault/projects.yaml')).toContain('name: New name');
    expect(world.read('vault/projects.yaml')).not.toContain('Demo');
    expect(listTree(join(world.project, 'ravel')).filter((line) => !isView(line))).toEqual(ravel);
  });

  test('keeps its folder when it is removed, and gets its runtime state back when it is restored', async () => {
    const world = await makeFamily();
    const before = listWorld(world);
    const { archive } = await relocationsOf(world).removeProject('Demo');
    expect(await planIds(world)).toEqual([]);
    expect(listTree(join(world.folder, 'Demo'))).toEqual(
      before
        .filter((line) => line.startsWith('Demo/'))
        .map((line) => line.slice('Demo/'.length))
        .filter((line) => line !== ''),
    );
    await relocationsOf(world).restore(archive);
    const kept = (lines: string[]) => lines.filter((line) => !/vault\/(archive|projects)/.test(line));
    expect(kept(listWorld(world))).toEqual(kept(before));
    expect(await planIds(world)).toEqual(['Demo/project-root', a, below]);
  });

  test('cannot be restored when its folder is gone', async () => {
    const world = await makeFamily();
    const { archive } = await relocationsOf(world).removeProject('Demo');
    renameSync(join(world.folder, 'Demo'), join(world.folder, 'Moved'));
    expect(await failureOf(() => relocationsOf(world).restore(archive))).toMatchObject({ code: 'project/notHere' });
  });

  test.each<[string, string, string]>([
    ['Demo', 'Other', 'project/exists'],
    ['Demo', 'other', 'project/exists'],
    ['Demo', 'Demo', 'project/exists'],
    ['Demo', '.git', 'plan/badId'],
    ['Demo', 'a/b', 'plan/badId'],
    ['None', 'New', 'project/unknown'],
  ])('cannot be renamed from %s to %s: %s', async (from, to, code) => {
    const world = await makePlanWorld({ projects: ['Other'] });
    const before = listWorld(world);
    expect(await failureOf(() => relocationsOf(world).renameProject(from, to))).toMatchObject({ code });
    expect(listWorld(world)).toEqual(before);
  });
});
