import { execFile } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { RequestParams, RequestResults } from '../../src/model/protocol.ts';
import {
  doors,
  makeConflictWorld,
  makeSneakedWorld,
  onlyApproval,
  runIntoConflict,
  sneaked,
} from '../support/approvalWorld.ts';
import { seededRandom } from '../support/chance.ts';
import { copyWorld } from '../support/copyWorld.ts';
import { openCore } from '../support/openCore.ts';
import { runOwner } from '../support/ownerProcess.ts';
import { bundleProgram } from '../support/program.ts';
import { backlogOf, runPhase } from '../support/scenarioRuns.ts';
import { startCore, type World } from '../support/world.ts';

type Place = Awaited<ReturnType<typeof copyWorld>>;

/** What waits for a decision, the decision, and how the plan stands before and after it. */
interface Scene {
  readonly world: World;
  readonly answer: RequestParams<'decide'>;
  readonly expectWaiting: (place: Place, status: RequestResults['status']) => Promise<void>;
  readonly expectCarriedOut: (place: Place, status: RequestResults['status']) => Promise<void>;
}

test('a decision, killed before each change of the disk, is made and carried out, or still waits', {
  timeout: 1_200_000,
}, async () => {
  const program = await bundleProgram(owner);
  const scene = await makeConflictScene();
  const ends: string[] = [];
  for (let signalAt = 1, over = false; !over; signalAt++) {
    const { end, operations } = await killAt(program, scene, signalAt);
    over = operations !== undefined;
    ends.push(end);
  }
  expect(ends.length).toBeGreaterThan(30);
  // Once the decision is on disk it holds; before that nobody has decided.
  expect(ends.join(' ')).toMatch(/^(waits )+(decided ?)+$/);
});

test('so is one on a change that nobody accounts for, killed at some of them', { timeout: 300_000 }, async () => {
  const seed = Date.now() % 1_000_000;
  const program = await bundleProgram(owner);
  const scene = await makeSneakedScene();
  const { operations = 0 } = await killAt(program, scene, Number.MAX_SAFE_INTEGER);
  expect(operations).toBeGreaterThan(30);
  const random = seededRandom(seed);
  for (let n = 0; n < samples; n++) {
    const signalAt = 1 + Math.floor(random() * operations);
    await killAt(program, scene, signalAt).catch((cause: unknown) => {
      throw new Error(`with the seed ${seed}: ${cause}`, { cause });
    });
  }
});

const samples = 8;
const owner = resolve(import.meta.dirname, '../fixtures/owner.ts');

/** Lets an owner of a copy decide, and another follow it; `operations` where the first was through before the signal. */
async function killAt(
  program: string,
  scene: Scene,
  signalAt: number,
): Promise<{ readonly end: 'waits' | 'decided'; readonly operations?: number }> {
  const place = await copyWorld(scene.world, `killed-${signalAt}`);
  const order = { request: 'decide', params: scene.answer, signal: 'SIGKILL', signalAt } as const;
  const operations = (await runOwner(program, place, order))?.operations;
  const end = await endAfterRestart(place, scene).catch((cause: unknown) => {
    throw new Error(`after SIGKILL before change ${signalAt}: ${cause}`, { cause });
  });
  await rm(join(place.vault, '..'), { recursive: true, force: true });
  return { end, ...(operations !== undefined && { operations }) };
}

async function endAfterRestart(place: Place, scene: Scene): Promise<'waits' | 'decided'> {
  const core = await openCore(place);
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
async function settled(place: Place, { api }: Core): Promise<void> {
  const ended = new Promise<void>((done) => {
    api.onEvent((event) => {
      if (event.type === 'recovered' && event.outcome !== 'readopted') done();
    });
  });
  // There is none before something was recovered.
  const text = await readFile(join(place.vault, 'runtime/ledger.jsonl'), 'utf8').catch(() => '');
  const ledger = text.trim().split('\n');
  if (ledger.at(-1)?.includes('"readopted"') === true) await ended;
}

async function git({ environment }: Place, directory: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', args, { cwd: directory, env: environment });
  return stdout.trim();
}

async function makeConflictScene(): Promise<Scene> {
  const world = await makeConflictWorld();
  const { core, server } = await startCore(world);
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
      expect(titles).toEqual([expect.stringMatching(/^Record what greeter learned/), 'Start']);
    },
  };
}

async function makeSneakedScene(): Promise<Scene> {
  const world = await makeSneakedWorld();
  const { core, server } = await startCore(world);
  await runPhase(core, world);
  const { approval, contentHash } = await onlyApproval(core.api);
  await server.stop();
  await core.stop();
  return {
    world,
    answer: { approval, contentHash, decision: 'accept' },
    async expectWaiting(place, status) {
      expect(status).toMatchObject({ phase: 'work', question: { kind: 'unattributed-change' } });
      expect(await place.readPlan('memory.yaml')).toBe(`${doors}${sneaked}`);
      expect(await place.readPlan('backlog.yaml')).toBe(backlogOf('first'));
    },
    async expectCarriedOut(place, status) {
      expect(status).toMatchObject({ phase: 'analyse-work', plan: place.plan });
      expect(await place.readPlan('memory.yaml')).toBe(`${doors}${sneaked}`);
      expect((await place.readPlan('backlog.yaml')).match(/It works\./g)).toHaveLength(1);
    },
  };
}
