import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDeferred, nextTurn } from '../../src/base/async.ts';
import type { Clock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { contentHashOf } from '../../src/plans/approvals/approvals.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { recordUnderWay } from '../../src/vault/underWay.ts';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { backlogOf, nextEvent, runPhase, scenarioText } from '../support/scenarioRuns.ts';
import { systemError, traceDisk } from '../support/tracingDisk.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const child = toQualifiedId('greeter/project-root/child');
const running = 'running: { phase: reflect, step: session, session: 01M7X4TZFWPVQT6PFG4SYTM4BP, startedAt: now }\n';

/** Two plans, of which the child is left with a phase whose session had not started. */
async function makeLeftWorld(): Promise<{ readonly world: World; readonly layout: VaultLayout }> {
  const world = await makeWorld({
    plan: { 'phase.md': 'reflect\n' },
    scenario: scenarioText({ reflect: [{ finish: { outcome: 'done', summary: 'Nothing new.' } }] }),
  });
  const { core } = await startCore(world);
  await core.api.request('create', { plan: child, description: 'The greetings of children' });
  await core.stop();
  const layout = new VaultLayout(world.vault);
  await mkdir(dirname(layout.runState(child)), { recursive: true });
  await writeFile(layout.runState(child), running);
  return { world, layout };
}

const add = (plan: string, title: string) =>
  ({ plan, verb: 'backlog/add', args: { title, category: 'feature' } }) as const;

describe('an owner that finds a plan under way', () => {
  test('serves what needs it not at once, and the rest once that plan is settled', async () => {
    const { world, layout } = await makeLeftWorld();
    await recordUnderWay({ disk: nodeDisk, layout }, child);
    const held = createDeferred<void>();
    const disk = traceDisk(nodeDisk, async (_n, name, path) => {
      if (name === 'rename' && path.includes('child.yaml')) await held.promise;
    });
    const { core } = await startCore(world, { disk, isEarly: true });
    const settled: string[] = [];
    const later = [
      core.api.request('state', add(child, 'Later')).then(() => settled.push('verb')),
      runPhase(core, world).then(({ end }) => settled.push(end)),
      core.recovered.then(() => settled.push('recovered')),
    ];
    await core.api.request('state', add(world.plan, 'Now'));
    expect((await core.api.request('list', {})).plans).toHaveLength(2);
    expect((await core.api.request('status', { plan: child })).running?.phase).toBe('reflect');
    expect(settled).toEqual([]);
    held.resolve();
    await Promise.all(later);
    expect(settled).toEqual(expect.arrayContaining(['verb', 'finished', 'recovered']));
    expect((await core.api.request('status', { plan: child })).interrupted?.phase).toBe('reflect');
  });

  test.each([
    ['the index lacks it', async (layout: VaultLayout) => void (await mkdir(layout.underWay, { recursive: true }))],
    ['there is no index', (layout: VaultLayout) => rm(layout.underWay, { recursive: true, force: true })],
    [
      'the index is damaged',
      async (layout: VaultLayout) => {
        await mkdir(layout.underWay, { recursive: true });
        await writeFile(layout.underWayOf(child).slice(0, -1), 'x');
      },
    ],
  ])('interrupts its phase although %s', async (_how, damage) => {
    const { world, layout } = await makeLeftWorld();
    await damage(layout);
    const { core } = await startCore(world);
    expect((await core.api.request('status', { plan: child })).interrupted?.phase).toBe('reflect');
    expect(existsSync(layout.underWay)).toBe(true);
    expect(existsSync(layout.underWayOf(child))).toBe(false);
  });

  test('has a verb settle a plan that the index lacks before it changes it', async () => {
    const { world, layout } = await makeLeftWorld();
    await mkdir(layout.underWay, { recursive: true });
    const held = createDeferred<void>();
    const disk = traceDisk(nodeDisk, async (_n, name, path) => {
      if (name === 'readDirectory' && path === layout.staging) await held.promise;
    });
    const { core } = await startCore(world, { disk, isEarly: true });
    await core.api.request('state', add(child, 'Settled first'));
    expect((await core.api.request('status', { plan: child })).interrupted?.phase).toBe('reflect');
    held.resolve();
    await core.recovered;
  });
});

describe('an owner that finds work open by hand in the tree of a commit that was cut short', () => {
  const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
  const approval = '01M7X4TZFWPVQT6PFG4SYTM4B1' as Ulid;

  const leaveRunning = (layout: VaultLayout) =>
    writeFile(
      layout.runState(child),
      `running: { phase: git-commit-work, step: committing, session: ${session}, startedAt: x }\n`,
    );

  /** A decision that its owner had written, and nothing of its effect. */
  async function leaveDecided(layout: VaultLayout): Promise<void> {
    const about = { kind: 'programs-changed', plan: child, session } as const;
    const request = { ...about, subject: 'Which?', options: [], details: { files: [], hash: 'x' } };
    const asked = { id: approval, createdAt: '2026-01-02T03:04:05Z', contentHash: contentHashOf(request), ...request };
    const said = { decision: 'accept', by: 'ada', at: '2026-01-02T03:05:00Z' };
    await mkdir(layout.approvals, { recursive: true });
    await writeFile(join(layout.approvals, `${approval}.yaml`), formatYaml(asked));
    await writeFile(join(layout.decisions, `${approval}.yaml`), formatYaml({ ...asked, ...said }));
    await writeFile(
      layout.runState(child),
      `waiting: { phase: git-commit-work, session: ${session}, approval: ${approval}, kind: programs-changed, reason: x }\n`,
    );
  }

  test.each([
    ['a commit that the index lacks', leaveRunning],
    ['a decision without its effect', leaveDecided],
  ])('settles with %s in the queue, and continues with it behind the work', async (_what, leave) => {
    const world = await makeWorld({ plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('first') } });
    const { core: earlier } = await startCore(world);
    await earlier.api.request('create', { plan: child, description: 'The greetings of children' });
    await writeFile(join(world.planDirectory, 'child/phase.md'), 'git-commit-work\n');
    const open = await earlier.api.request('begin_manual_run', { plan: world.plan });
    await earlier.stop();
    await leave(new VaultLayout(world.vault));
    const { core } = await startCore(world);
    const ended = nextEvent(core, (event) => event.type === 'phase.started' && event.actor === child);
    await expect(core.api.request('run_phase', { plan: child })).rejects.toMatchObject({ code: 'plan/busy' });
    await core.api.request('drop_manual_run', { plan: world.plan, session: open.session });
    await ended;
  });
});

describe('an owner whose disk refuses to look at what was left', () => {
  async function startRefused() {
    const { world, layout } = await makeLeftWorld();
    let refusals = 2;
    let isOwned = false;
    const clock = new ManualClock();
    const waits: number[] = [];
    const watched: Clock = {
      wallMs: () => clock.wallMs(),
      monotonicMs: () => clock.monotonicMs(),
      schedule(delayMs, callback) {
        waits.push(delayMs);
        return clock.schedule(delayMs, callback);
      },
    };
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      isOwned ||= path.startsWith(layout.ownerLock);
      if (!isOwned || name !== 'readDirectory' || path !== layout.underWay || refusals === 0) return;
      refusals -= 1;
      refused[refusals]?.resolve();
      throw systemError('EMFILE');
    });
    const refused = [createDeferred<void>(), createDeferred<void>()];
    const { core } = await startCore(world, { disk, clock: watched, isEarly: true });
    await refused[1]?.promise;
    return { core, clock, waits, refused };
  }

  test('looks again after five and ten seconds', async () => {
    const { core, clock, waits, refused } = await startRefused();
    await nextTurn();
    clock.advance(5000);
    await refused[0]?.promise;
    await nextTurn();
    clock.advance(10_000);
    await core.recovered;
    expect(waits).toContain(10_000);
    expect((await core.api.request('status', { plan: child })).interrupted?.phase).toBe('reflect');
  });

  test('stops at once', async () => {
    const { core } = await startRefused();
    const ended = expect(core.recovered).rejects.toMatchObject({ code: 'run/stopped' });
    await core.stop();
    await ended;
  });
});

describe('an owner whose disk refuses to recover one plan', () => {
  /** Of the child's recovery so many tries fail; each is told, with the pause that comes after it. */
  async function startRefused(refusals: number) {
    const { world, layout } = await makeLeftWorld();
    const clock = new ManualClock();
    const pauses = [5000, 10_000, 20_000, 40_000, 60_000].map((ms) => [ms, createDeferred<void>()] as const);
    let left = refusals;
    const watched: Clock = {
      wallMs: () => clock.wallMs(),
      monotonicMs: () => clock.monotonicMs(),
      schedule(delayMs, callback) {
        const timer = clock.schedule(delayMs, callback);
        if (left < refusals) new Map(pauses).get(delayMs)?.resolve();
        return timer;
      },
    };
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name !== 'rename' || !path.startsWith(join(layout.plans, `.${basename(layout.runState(child))}`))) return;
      if (left-- > 0) throw systemError('EIO');
    });
    const { core, events } = await startCore(world, { disk, clock: watched, isEarly: true });
    /** Goes through the pauses up to the last one, each once it has begun. */
    const pass = async (count: number) => {
      for (const [ms, begun] of pauses.slice(0, count)) {
        await begun.promise;
        clock.advance(ms);
      }
    };
    const phase = async () => {
      const { running, interrupted } = await core.api.request('status', { plan: child });
      return { running: running?.phase, interrupted: interrupted?.phase };
    };
    return { core, events, world, pass, phase };
  }

  test('tries again after five and ten seconds, and says meanwhile what the disk refused', async () => {
    const { core, world, pass, phase } = await startRefused(2);
    await core.recovered;
    await core.api.request('state', add(world.plan, 'Now'));
    expect(await phase()).toEqual({ running: 'reflect', interrupted: undefined });
    const later = () => core.api.request('state', add(child, 'Later'));
    expect(await failureOf(later)).toMatchObject({ code: 'disk/failed' });
    const settled = nextEvent(core, (event) => event.type === 'phase.ended' && event.actor === child);
    await pass(2);
    await settled;
    await later();
    expect(await phase()).toEqual({ running: undefined, interrupted: 'reflect' });
  });

  test('tells of it after the fifth time', async () => {
    const { core, events, pass } = await startRefused(20);
    const told = nextEvent(core, (event) => event.type === 'diagnostic' && event.actor === child);
    await pass(5);
    await told;
    const codes = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.code] : []));
    expect(codes).toContain('disk/failed');
  });

  test('stops at once', async () => {
    const { core, phase } = await startRefused(20);
    await core.recovered;
    expect((await phase()).running).toBe('reflect');
    await core.stop();
  });
});

test('a plan is in the index while its phase runs, and not when it has ended', async () => {
  const { world, layout } = await makeLeftWorld();
  const mark = layout.underWayOf(toQualifiedId(world.plan));
  const { core } = await startCore(world);
  const seen: boolean[] = [];
  core.api.onEvent(({ type }) => {
    if (type === 'session.started') seen.push(existsSync(mark));
  });
  expect((await runPhase(core, world)).end).toBe('finished');
  expect(seen).toEqual([true]);
  expect(existsSync(mark)).toBe(false);
});
