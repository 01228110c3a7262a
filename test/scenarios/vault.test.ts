import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import type { Ulid } from '../../src/model/id.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { formatScenario, goodReflection, nextEvent, oneEntry, whenPrinted } from '../support/phaseWorld.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const cart = 'greeter/project-root/cart';
const shop = 'greeter/project-root/shop/cart';

async function plansOf(core: Awaited<ReturnType<typeof startCore>>['core']): Promise<string[]> {
  return (await core.api.request('list', {})).plans.map(({ plan }) => plan);
}

const catalogOf = (world: World) => readFileSync(join(world.vault, 'plan-catalog.md'), 'utf8');

describe('a plan twelve levels deep', () => {
  const names = Array.from({ length: 12 }, (_, n) => `${n}-`.padEnd(120, 'x'));
  const deepest = ['greeter/project-root', ...names].join('/');

  test('runs, takes messages and verifies like any other', {
    timeout: 60_000,
  }, async () => {
    const world = await makeWorld({ scenario: formatScenario({ reflect: goodReflection }) });
    const { core } = await startCore(world);
    for (let depth = 1; depth <= names.length; depth++) {
      const plan = ['greeter/project-root', ...names.slice(0, depth)].join('/');
      await core.api.request('create', { plan, description: `Level ${depth}` });
    }
    const directory = join(world.planDirectory, ...names);
    writeFileSync(join(directory, 'phase.md'), 'reflect\n');
    writeFileSync(join(directory, 'memory.yaml'), oneEntry);
    await world.git('add', '-A');
    await world.git('commit', '--quiet', '-m', 'Plans');
    const run = { plan: deepest, harness: 'scripted', scenario: world.scenario } as const;
    expect(await core.api.request('run_phase', run)).toMatchObject({ end: 'finished', next: 'triage' });
    expect(readFileSync(join(directory, 'memory.yaml'), 'utf8')).toContain('learned');
    expect(await core.api.request('status', { plan: deepest.slice(0, deepest.lastIndexOf('/')) })).toMatchObject({
      children: [deepest],
    });
    await core.api.request('send', { to: deepest, type: 'note', text: 'Mind the gap' });
    expect(catalogOf(world)).toContain(`${deepest}]]: Level 12`);
    expect((await core.api.request('verify', {})).diagnostics).toEqual([]);
  });
});

describe('a plan whose folder a person deleted', () => {
  const description = 'Holds what is bought';
  const yaml = fileURLToPath(new URL('../fixtures/plans/yaml', import.meta.url));

  test.each([
    ['created', (core: Core) => core.api.request('create', { plan: cart, description })],
    ['imported', (core: Core) => core.api.request('import', { directory: yaml, plan: cart, description })],
  ])('leaves no messages to the plan that is %s under its id', async (_name, make) => {
    const world = await makeWorld();
    const { core } = await startCore(world);
    await core.api.request('create', { plan: cart, description });
    const handled = nextEvent(core, 'message.handled');
    await core.api.request('send', { to: cart, type: 'note', text: 'Mind the gap' });
    await handled;
    rmSync(join(world.planDirectory, 'cart'), { recursive: true });
    const { putAway = '' } = await make(core);
    expect(listTree(join(world.vault, putAway)).join('\n')).toContain('Mind the gap');
    expect((await core.api.request('actors', {})).actors).toEqual([]);
    // Its messages are numbered anew.
    await core.api.request('send', { to: cart, type: 'note', text: 'Go on' });
    const [mailbox = ''] = readdirSync(join(world.vault, 'runtime/mailboxes')).filter((name) => name.includes('jsonl'));
    expect(readFileSync(join(world.vault, 'runtime/mailboxes', mailbox), 'utf8')).toMatch(/^\{"seq":1,[^\n]+Go on/);
  });
});

describe('a rename', () => {
  test('takes along the messages that are being handled, each once', async () => {
    const world = await makeWorld();
    const { core } = await startCore(world);
    await core.api.request('create', { plan: cart, description: 'Holds what is bought' });
    const bodies = Array.from({ length: 8 }, (_, n) => `Empty it ${n}`);
    const send = (body: string) => core.api.request('send', { to: cart, type: 'dispatch', reason: 'It is full', body });
    await Promise.all(bodies.map(send));
    await core.api.request('rename', { plan: cart, to: shop });
    // The messages of a plan are handled in their order.
    const id = '01M00000000000000000000000' as Ulid;
    const lastHandled = nextEvent(core, 'message.handled', ({ message }) => message === id);
    await core.api.request('send', { to: shop, id, type: 'dispatch', reason: 'It is full', body: 'The last' });
    await lastHandled;
    const { counts } = await core.api.request('status', { plan: shop });
    expect(counts.received).toBe(bodies.length + 1);
    expect(existsSync(join(world.planDirectory, 'cart'))).toBe(false);
    const backlog = readFileSync(join(world.planDirectory, 'shop/cart/backlog.yaml'), 'utf8');
    for (const body of [...bodies, 'The last']) expect(backlog.split(`${body}\n`)).toHaveLength(2);
  });

  test('keeps the place of the plan in its cycle, and the old id is unknown', async () => {
    const world = await makeWorld({ scenario: formatScenario({ reflect: goodReflection }) });
    const { core, events } = await startCore(world);
    await core.api.request('create', { plan: cart, description: 'Holds what is bought' });
    writeFileSync(join(world.planDirectory, 'cart/phase.md'), 'reflect\n');
    await world.git('add', '-A');
    await world.git('commit', '--quiet', '-m', 'Plans');
    const run = { harness: 'scripted', scenario: world.scenario } as const;
    await core.api.request('run_phase', { plan: cart, ...run });
    const before = await core.api.request('status', { plan: cart });

    const renamed = await core.api.request('rename', { plan: cart, to: shop });
    expect(renamed).toMatchObject({ plan: shop, project: world.project, diagnostics: [] });
    expect(await plansOf(core)).toEqual(['greeter/project-root', shop]);
    const after = await core.api.request('status', { plan: shop });
    expect(after).toMatchObject({ phase: 'triage', lastEnd: before.lastEnd ?? {} });
    expect(catalogOf(world)).toContain(`${shop}]]: Holds what is bought`);
    expect(catalogOf(world)).not.toContain(cart);
    expect(events).toContainEqual(expect.objectContaining({ type: 'plan.changed', actor: shop, from: cart }));
    // The commit is the person's to make.
    expect(await world.git('log', '-1', '--format=%s')).not.toContain('shop');
    expect(await world.git('status', '--porcelain', '--untracked-files=all')).toContain('shop/cart/plan-state.md');

    await core.api.request('send', { to: shop, type: 'dispatch', reason: 'It is full', body: 'Empty it' });
    expect(await failureOf(() => core.api.request('status', { plan: cart }))).toMatchObject({ code: 'plan/unknown' });
    expect(await failureOf(() => core.api.request('rename', { plan: cart, to: shop }))).toMatchObject({
      code: 'plan/unknown',
    });
  });

  test('a rename of a project is refused while a phase runs, and keeps an interrupted phase for a retry', async () => {
    const wait = [{ say: 'at work' }, { hang: true }];
    const world = await makeWorld({ scenario: formatScenario({ reflect: wait }), plan: { 'phase.md': 'reflect\n' } });
    const { core } = await startCore(world);
    const said = whenPrinted(core, 'at work');
    const running = core.api.request('run_phase', { plan: 'greeter', harness: 'scripted', scenario: world.scenario });
    await said;
    const refused = { code: 'plan/busy' };
    expect(await failureOf(() => core.api.request('rename_project', { project: 'greeter', to: 'new' }))).toMatchObject(
      refused,
    );
    expect(await failureOf(() => core.api.request('remove_project', { project: 'greeter' }))).toMatchObject(refused);
    await core.api.request('stop', { plan: 'greeter' });
    await running;
    expect(await core.api.request('rename_project', { project: 'greeter', to: 'new' })).toMatchObject({
      plan: 'new/project-root',
    });
    const status = await core.api.request('status', { plan: 'new' });
    expect(existsSync(status.interrupted?.directory ?? '')).toBe(true);
    const finishing = formatScenario({ reflect: goodReflection });
    writeFileSync(world.scenario, finishing);
    const retried = await core.api.request('retry', { plan: 'new', harness: 'scripted', scenario: world.scenario });
    expect(retried).toMatchObject({ end: 'finished' });
  });
});

test('a plan that was removed with unread messages has them again when it is restored', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  await core.api.request('create', { plan: cart, description: 'Holds what is bought' });
  const handled = nextEvent(core, 'message.handled');
  await core.api.request('send', { to: cart, type: 'dispatch', reason: 'It is full', body: 'Empty it' });
  await handled;
  const removed = await core.api.request('remove', { plan: cart });
  expect(await plansOf(core)).toEqual(['greeter/project-root']);
  expect(catalogOf(world)).not.toContain('cart');
  const { archives } = await core.api.request('archives', {});
  expect(archives).toMatchObject([{ archive: removed.archive, of: cart, kind: 'plan', plans: [cart] }]);
  await core.api.request('restore', { archive: removed.archive, as: shop });
  expect(await core.api.request('status', { plan: shop })).toMatchObject({ counts: { received: 1 } });
  const again = nextEvent(core, 'message.handled');
  await core.api.request('send', { to: shop, type: 'dispatch', reason: 'Again', body: 'Empty it' });
  expect((await again).actor).toBe(shop);
  expect((await core.api.request('verify', {})).diagnostics).toEqual([]);
});

test('a rescan of a cloned vault links the projects on this machine and names the others', async () => {
  const world = await makeWorld();
  const clone = join(world.root, 'clone');
  cpSync(world.vault, clone, {
    recursive: true,
    filter: (path) => !/\/(projects|runtime|projects\.local\.yaml)$/.test(path),
  });
  renameSync(world.vault, `${world.vault}-old`);
  const { core } = await startCore({ ...world, vault: clone });
  expect(await plansOf(core)).toEqual([]);
  const rescanned = await core.api.request('rescan', {});
  expect(rescanned).toMatchObject({
    plans: 0,
    linked: [],
    diagnostics: [{ code: 'project/notHere', subject: 'greeter' }],
  });
  expect(rescanned.diagnostics[0]?.help).toContain('ravel adopt DIR --name greeter');
  expect(await core.api.request('projects', {})).toMatchObject({ projects: [{ name: 'greeter', plans: 0 }] });
  await core.api.request('adopt', { project: world.project, name: 'greeter' });
  expect(await plansOf(core)).toEqual(['greeter/project-root']);
  rmSync(join(clone, 'projects'), { recursive: true });
  expect(await core.api.request('rescan', {})).toMatchObject({ plans: 1, linked: ['greeter'], diagnostics: [] });
});

test('projects can be removed, restored and renamed, and the vault commits each step', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  const { archive } = await core.api.request('remove_project', { project: 'greeter' });
  expect(await plansOf(core)).toEqual([]);
  expect(readdirSync(world.planDirectory)).toContain('plan-state.md');
  await core.api.request('restore', { archive });
  await core.api.request('rename_project', { project: 'greeter', to: 'hello' });
  expect(await core.api.request('projects', {})).toMatchObject({
    projects: [{ name: 'hello', path: world.project, plans: 1 }],
  });
  const log = await world.git('-C', world.vault, 'log', '--format=%s');
  expect(log.split('\n').slice(0, 3)).toEqual([
    'Rename the project greeter to hello',
    'Restore the project greeter',
    'Remove the project greeter',
  ]);
  expect((await core.api.request('verify', {})).diagnostics).toEqual([]);
});

test('an owner brings the catalogue up to date with changes from before its start', async () => {
  const world = await makeWorld();
  const marker = await world.readPlan('plan-state.md');
  await world.writePlan('plan-state.md', marker.replace('Greets people politely', 'Greets everybody'));
  const written = createDeferred<void>();
  const disk = traceDisk(nodeDisk, (_n, operation, path) => {
    if (operation === 'syncDirectory' && path === world.vault) written.resolve();
  });
  await startCore(world, { disk });
  await written.promise;
  expect(catalogOf(world)).toContain('Greets everybody');
});

test('a core that does not own the vault cannot rename a project', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  expect(await failureOf(() => core.api.request('rename_project', { project: 'greeter', to: 'b' }))).toMatchObject({
    code: 'vault/owned',
  });
});

test('experts are listed, and a bad declaration is reported', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world);
  const good =
    '---\nactor-type: expert\nexpert-id: rust\ndescription: Knows Rust\npersona: Precise.\nknowledge-scope: [languages]\ntags: [rust]\n---\n';
  writeFileSync(join(world.vault, 'experts/rust.md'), good);
  writeFileSync(join(world.vault, 'experts/ffi.md'), good);
  expect(await core.api.request('experts', {})).toMatchObject({
    experts: [{ actor: 'expert:rust', declaration: { description: 'Knows Rust' } }],
    diagnostics: [
      { code: 'expert/badId', subject: 'expert:ffi' },
      { code: 'expert/emptyScope', subject: 'expert:rust', severity: 'warning' },
    ],
  });
  await core.api.request('rescan', {});
  expect(catalogOf(world)).toContain('## Experts\n\n- expert:rust: Knows Rust\n');
});
