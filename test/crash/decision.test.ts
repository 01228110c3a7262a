import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { RequestParams, RequestResults } from '../../src/model/protocol.ts';
import {
  doors,
  makeConflictWorld,
  makeUnattributedWorld,
  onlyApproval,
  runIntoConflict,
  unattributed,
} from '../support/approvalWorld.ts';
import { type CoreScene, type CrashPlace, everyCrashPoint, sceneOf } from '../support/crashPoints.ts';
import { openCore } from '../support/openCore.ts';
import { backlogOf, runPhase } from '../support/scenarioRuns.ts';
import { someSignals } from '../support/signalPoints.ts';
import { startCore, type World } from '../support/world.ts';

/** What waits for a decision, the decision, and how the plan stands before and after it. */
interface Scene {
  readonly world: World;
  readonly answer: RequestParams<'decide'>;
  readonly expectWaiting: (place: CrashPlace, status: RequestResults['status']) => Promise<void>;
  readonly expectCarriedOut: (place: CrashPlace, status: RequestResults['status']) => Promise<void>;
}

test.each<[string, () => Promise<Scene>]>([
  ['on a conflict', makeConflictScene],
  ['on an unexplained change', makeUnattributedScene],
])(
  'a decision %s whose owner dies at any moment is made and carried out once, or still waits',
  {
    timeout: 600_000,
  },
  async (name, makeScene) => {
    const scene = await makeScene();
    const decision: CoreScene<'decide'> = {
      what: `a decision ${name}`,
      template: scene.world,
      request: 'decide',
      params: scene.answer,
      async look(place, { isTold }) {
        const end = await endAfterRestart(place, scene);
        return { end, times: end === 'decided' ? 1 : 0, isOwed: isTold };
      },
    };
    const { ends } = await everyCrashPoint(sceneOf(decision));
    expect(ends.length).toBeGreaterThan(30);
    // Once the decision is on disk it holds; before that nobody has decided.
    expect(ends.join(' ')).toMatch(/^(waits )+(decided ?)+$/);
    await someSignals(decision);
  },
);

async function endAfterRestart(place: CrashPlace, scene: Scene): Promise<'waits' | 'decided'> {
  const core = await openCore(place, { sessions: 'inProcess' });
  try {
    await settled(place, core);
    const status = await core.api.request('status', { plan: place.plan });
    const { approvals } = await core.api.request('approvals', {});
    const made = (await readdir(join(place.vault, 'decisions'))).filter((name) => name.endsWith('.yaml'));
    if (made.length === 0) {
      expect(approvals).toHaveLength(1);
      await scene.expectWaiting(place, status);
      return 'waits';
    }
    expect(approvals).toEqual([]);
    expect(await readdir(join(place.vault, 'runtime/approvals'))).toEqual([]);
    expect(status.question ?? status.interrupted ?? status.running).toBeUndefined();
    await scene.expectCarriedOut(place, status);
    // Who decided what is in the vault's history, whenever the end came.
    expect(await git(place, place.vault, 'status', '--porcelain', '--', 'decisions')).toBe('');
    return 'decided';
  } finally {
    await core.stop();
  }
}

/** Resolves once nothing of the phase goes on any more. */
async function settled(place: CrashPlace, { api }: Core): Promise<void> {
  const ended = new Promise<void>((done) => {
    api.onEvent((event) => {
      if (event.type === 'recovered' && event.outcome !== 'reattached') done();
    });
  });
  // There is none before something was recovered.
  const text = await readFile(join(place.vault, 'runtime/ledger.jsonl'), 'utf8').catch(() => '');
  const ledger = text.trim().split('\n');
  if (ledger.at(-1)?.includes('"reattached"') === true) await ended;
}

async function git({ environment }: CrashPlace, directory: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: directory, env: environment });
  return stdout.trim();
}

async function makeConflictScene(): Promise<Scene> {
  const world = await makeConflictWorld();
  const { core, server } = await startCore(world, { sessions: 'inProcess' });
  const { approval, contentHash } = await runIntoConflict(core, world);
  await server.stop();
  await core.stop();
  return {
    world,
    answer: { approval, contentHash, decision: 'accept', option: 'session' },
    async expectWaiting(place, status) {
      expect(status).toMatchObject({ phase: 'reflect', question: { kind: 'merge-conflict' } });
      expect(await place.readPlan('memory.yaml')).toBe(doors.replace('two doors', 'four doors'));
    },
    async expectCarriedOut(place, status) {
      const memory = await place.readPlan('memory.yaml');
      expect(status).toMatchObject({ phase: 'triage', plan: place.plan });
      expect(memory.match(/three doors/g)).toHaveLength(1);
      expect(memory.match(/id: learned/g)).toHaveLength(1);
      const titles = (await git(place, place.project, 'log', '--format=%s')).split('\n');
      expect(titles).toEqual([expect.stringMatching(/^Record the memory of greeter after reflection/), 'Start']);
    },
  };
}

async function makeUnattributedScene(): Promise<Scene> {
  const world = await makeUnattributedWorld();
  const { core, server } = await startCore(world, { sessions: 'inProcess' });
  await runPhase(core, world);
  const { approval, contentHash } = await onlyApproval(core.api);
  await server.stop();
  await core.stop();
  return {
    world,
    answer: { approval, contentHash, decision: 'accept' },
    async expectWaiting(place, status) {
      expect(status).toMatchObject({ phase: 'work', question: { kind: 'unattributed-change' } });
      expect(await place.readPlan('memory.yaml')).toBe(`${doors}${unattributed}`);
      expect(await place.readPlan('backlog.yaml')).toBe(backlogOf('first'));
    },
    async expectCarriedOut(place, status) {
      expect(status).toMatchObject({ phase: 'analyse-work', plan: place.plan });
      expect(await place.readPlan('memory.yaml')).toBe(`${doors}${unattributed}`);
      expect((await place.readPlan('backlog.yaml')).match(/It works\./g)).toHaveLength(1);
    },
  };
}
