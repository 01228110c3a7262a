import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import { decide, makeConflictWorld, onlyApproval, runIntoConflict } from '../support/approvalWorld.ts';
import { damages } from '../support/damages.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** Creates one file for each kind of damage; returns how many. */
function damageAll(fileOf: (n: number) => string): number {
  const kinds = Object.values(damages);
  for (const [n, damage] of kinds.entries()) {
    mkdirSync(dirname(fileOf(n)), { recursive: true });
    damage(fileOf(n));
  }
  return kinds.length;
}

const ulidOf = (n: number) => `01M0000000000000000000000${n}`;

test('unreadable approval files hide no other approval, and hold up neither a decision nor a rename', async () => {
  const world = await makeConflictWorld();
  const { core } = await startCore(world);
  await core.api.request('create', { plan: `${world.plan}/child`, description: 'Minds the cats' });
  const { approval } = await runIntoConflict(core, world);
  const count = damageAll((n) => join(world.vault, 'runtime/approvals', `${ulidOf(n)}.yaml`));
  const { approvals, diagnostics } = await core.api.request('approvals', {});
  expect(approvals.map((row) => row.approval)).toEqual([approval]);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array(count).fill('approval/unreadable'));
  expect(await failureOf(() => core.api.request('approval', { approval: ulidOf(0) }))).toMatchObject({
    code: 'approval/unreadable',
    subject: ulidOf(0),
    message: expect.stringContaining('not UTF-8'),
  });
  await core.api.request('rename', { plan: `${world.plan}/child`, to: `${world.plan}/other` });
  const page = await core.api.request('approval', { approval });
  expect(await decide(core.api, page, 'accept', { option: 'person' })).toMatchObject({ report: { end: 'finished' } });
});

test('an unreadable decision file is reported, holds up its own approval only, and hides no other', async () => {
  const world = await makeConflictWorld();
  const { core } = await startCore(world);
  const page = await runIntoConflict(core, world);
  const text = readFileSync(page.file, 'utf8');
  const count = damageAll((n) => join(world.vault, 'decisions', `${ulidOf(n)}.yaml`));
  for (let n = 0; n < count; n++) {
    writeFileSync(join(dirname(page.file), `${ulidOf(n)}.yaml`), text.replace(page.approval, ulidOf(n)));
  }
  const { approvals, diagnostics } = await core.api.request('approvals', {});
  expect(approvals.map((row) => row.approval)).toEqual([page.approval]);
  expect(diagnostics.map(({ code }) => code)).toEqual(Array(count).fill('approval/unreadable'));
  const unreadable = { approval: ulidOf(0), contentHash: page.contentHash };
  expect(await failureOf(() => decide(core.api, unreadable, 'reject'))).toMatchObject({ code: 'approval/unreadable' });
  for (let n = 0; n < count; n++) rmSync(join(dirname(page.file), `${ulidOf(n)}.yaml`));
  expect((await onlyApproval(core.api)).approval).toBe(page.approval);
});

test('a damaged record of a change of entries is set aside by the owner that finds it, and entries change again', async () => {
  const world = await makeWorld();
  const folder = join(world.vault, 'runtime/knowledge');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'change.json'), '{"title":"Link A');
  const { core, events } = await startCore(world, { isEarly: true });
  await core.recovered;
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^change-damaged-[0-9a-f]{12}\.json$/)]);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'recovered', what: expect.stringContaining('damaged'), outcome: 'interrupted' }),
  );
  await core.api.request('add_entry', { title: 'Cats purr', body: 'They do.', folder: 'domains' });
  expect((await core.api.request('entries', {})).total).toBe(1);
});

/** A vault with two plans and no owner. */
async function makeFamily(): Promise<{ readonly world: World; readonly child: string }> {
  const world = await makeWorld();
  const core = await openCore(world, { role: 'local' });
  const child = `${world.plan}/child`;
  await core.api.request('create', { plan: child, description: 'Minds the cats' });
  await core.stop();
  return { world, child };
}

const dispatch = { type: 'dispatch', reason: 'Now', body: 'Greet the cat.' } as const;

test('unreadable mailboxes do not keep the owner from starting, and hold up only their own actor', async () => {
  const { world, child } = await makeFamily();
  const folder = join(world.vault, 'runtime/mailboxes');
  damageAll((n) => join(folder, `foreign-${n}.jsonl`));
  symlinkSync('nowhere', join(folder, '%ZZ.jsonl'));
  const name = segmentFromId(toQualifiedId(child));
  writeFileSync(join(folder, `${name}.jsonl`), '');
  mkdirSync(join(folder, `${name}.cursor`));
  const { core, events } = await startCore(world);
  const handled = nextEvent(core, 'message.handled');
  await core.api.request('send', { to: world.plan, ...dispatch });
  expect(await handled).toMatchObject({ actor: world.plan, outcome: { kind: 'done' } });
  const { actors } = await core.api.request('actors', {});
  expect(actors.map(({ actor, state }) => [actor, state])).toContainEqual([child, 'queued']);
  expect(events.some((event) => event.actor === child && event.type === 'message.handled')).toBe(false);
  expect(await failureOf(() => core.api.request('send', { to: child, ...dispatch }))).toMatchObject({
    code: 'disk/failed',
    message: expect.stringContaining(`${name}.cursor`),
  });
  rmSync(join(folder, `${name}.cursor`), { recursive: true });
  const received = nextEvent(core, 'message.handled');
  await core.api.request('send', { to: child, ...dispatch });
  expect(await received).toMatchObject({ actor: child, outcome: { kind: 'done' } });
});

test('an unreadable record of crashes does not keep its plan from handling messages', async () => {
  const { world, child } = await makeFamily();
  const { core } = await startCore(world);
  const file = join(world.vault, 'runtime/plans', `${segmentFromId(toQualifiedId(child))}.crashes.json`);
  writeFileSync(file, Buffer.from([0xff]));
  const handled = nextEvent(core, 'message.handled');
  await core.api.request('send', { to: child, ...dispatch });
  expect(await handled).toMatchObject({ outcome: { kind: 'done' } });
});

test('unreadable dead letters hide no other, and move along when their plan is renamed', async () => {
  const { world, child } = await makeFamily();
  const { core } = await startCore(world);
  const backlog = join(world.planDirectory, 'child/backlog.yaml');
  const sound = readFileSync(backlog, 'utf8');
  writeFileSync(backlog, 'tasks: [\n');
  const dead = nextEvent(core, 'message.dead');
  const sent = await core.api.request('send', { to: child, ...dispatch });
  await dead;
  const folder = join(world.vault, 'runtime/dead-letters', segmentFromId(toQualifiedId(child)));
  damageAll((n) => join(folder, `${ulidOf(n)}.json`));
  const { deadLetters } = await core.api.request('dead_letters', {});
  expect(deadLetters.map(({ message: letter }) => letter)).toEqual([sent.message]);
  writeFileSync(backlog, sound);
  const handled = nextEvent(core, 'message.handled');
  await core.api.request('redeliver', { message: sent.message });
  expect(await handled).toMatchObject({ actor: child, outcome: { kind: 'done' } });
  await core.api.request('rename', { plan: child, to: `${world.plan}/other` });
  const moved = join(dirname(folder), segmentFromId(toQualifiedId(`${world.plan}/other`)));
  expect(readFileSync(join(moved, `${ulidOf(0)}.json`))).toHaveLength(4);
});

test('unreadable archives are reported and hide no other archive', async () => {
  const { world, child } = await makeFamily();
  const { core } = await startCore(world);
  const { archive } = await core.api.request('remove', { plan: child });
  const count = damageAll((n) => join(world.vault, 'archive/plans', `foreign-${n}`, 'archive.yaml'));
  const listed = await core.api.request('archives', {});
  expect(listed.archives).toMatchObject([{ archive, of: child }]);
  expect(listed.diagnostics.map(({ code }) => code)).toEqual(Array(count).fill('archive/unreadable'));
  const bad = () => core.api.request('restore', { archive: 'plans/foreign-0' });
  expect(await failureOf(bad)).toMatchObject({ code: 'archive/unreadable' });
  expect(await core.api.request('restore', { archive })).toMatchObject({ plan: child });
});

test('an unreadable run state holds up only its own plan', async () => {
  const { world, child } = await makeFamily();
  const state = join(world.vault, 'runtime/plans', `${segmentFromId(toQualifiedId(child))}.yaml`);
  for (const [name, damage] of Object.entries(damages)) {
    if (name === 'nothing') continue;
    damage(state);
    const core = await openCore(world);
    const problem = await failureOf(() => core.api.request('dismiss', { plan: child }));
    expect([name, problem.code]).toEqual([name, expect.not.stringContaining('base/internal')]);
    const { plans } = await core.api.request('list', {});
    expect(plans.map(({ plan }) => plan)).toEqual([world.plan, child]);
    expect(await core.api.request('stop', { plan: world.plan })).toEqual({ stopped: false });
    await core.stop();
    renameSync(state, join(world.root, `kept ${name}`));
  }
});
