import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { isRavelError } from '../../src/base/errors.ts';
import type { HarnessName } from '../../src/model/harnesses.ts';
import { connect } from '../../src/server/client.ts';
import type { OwnerProcess } from './ownerProcess.ts';
import { nextEvent, stateOf } from './phaseWorld.ts';
import {
  expectUndisturbed,
  type InterruptedPhase,
  ledgerOf,
  makePhaseWorld,
  type PhaseWorld,
  programOf,
  runOptions,
  sessionOf,
  startOwnerOf,
  takeOver,
  whenReported,
} from './readopt.ts';
import { runRavel, startRavel } from './runProgram.ts';
import { createRandom } from './seededRandom.ts';
import { processesOfSession } from './sessionProcesses.ts';
import { startCore } from './world.ts';

const pollOptions = { timeout: 20_000, interval: 5 };
const takeoverMsMax = 2000;

type Moment = (owner: OwnerProcess, world: PhaseWorld) => Promise<void>;

const moments: Readonly<Record<string, Moment>> = {
  'after its first output': async (owner) => {
    await owner.when((event) => event.type === 'session.output');
  },
  'while a tool call waits for its answer': async (owner, world) => {
    await owner.when((event) => event.type === 'session.output');
    process.kill(owner.pid, 'SIGSTOP');
    // Nobody answers now: the next call, or the one under way, stays open.
    await untilCallIsOpen(world, await sessionOf(owner));
  },
  'right after the phase was accepted': async (owner, world) => {
    await untilFileHolds(world, await sessionOf(owner), 'calls.jsonl', '"kind":"accepted"');
  },
  'after the phase was accepted, and the session then ended alone': async (owner, world) => {
    const session = await sessionOf(owner);
    // Its answer must have reached the program: without it the session waits for an owner instead of ending.
    await untilFileHolds(world, session, 'spool', 'Accepted. The phase is over');
    await owner.kill();
    await untilGone(session);
  },
};

/**
 * What must hold for every harness when an owner dies during a phase. Call it in a test file of its own, so that both
 * phases run side by side; `randomKills` is how often an owner is killed at a random moment.
 */
export function testReadoptionDuring(phase: InterruptedPhase, harness: HarnessName, { randomKills = 3 } = {}): void {
  describe(`an owner that is killed during ${phase}`, () => {
    test('changes nothing when it is not killed', { timeout: 60_000 }, async () => {
      const world = await makePhaseWorld(harness, phase);
      const owner = await startOwnerOf(world);
      expect(await owner.ended).toMatchObject({ end: 'finished' });
      await expectUndisturbed(world);
    });

    test.each(Object.entries(moments))('%s', { timeout: 60_000 }, async (_name, moment) => {
      const world = await makePhaseWorld(harness, phase);
      const owner = await startOwnerOf(world);
      await moment(owner, world);
      await owner.kill();
      await takeOver(world);
      expect(await ledgerOf(world)).toEqual(['reattached', 'finished']);
      await expectUndisturbed(world);
    });

    test('at random moments', { timeout: 180_000 }, async () => {
      const whole = await startOwnerOf(await makePhaseWorld(harness, phase));
      await whole.ended;
      // Before it began there is nothing to take over: that the actor woke is told earlier.
      const first = whole.events.findIndex(({ type }) => type === 'phase.started') + 1;
      expect(first).toBeGreaterThan(0);
      const seed = Number(process.env['RAVEL_SEED'] ?? randomInt(1_000_000));
      const random = createRandom(seed);
      for (let kill = 0; kill < randomKills; kill++) {
        const count = first + random(whole.events.length - first + 1);
        await checkKillAt(count, whole.events.length).catch((cause: unknown) => {
          throw new Error(`RAVEL_SEED=${seed}: ${cause}`, { cause });
        });
      }
    });

    async function checkKillAt(count: number, of: number): Promise<void> {
      const world = await makePhaseWorld(harness, phase);
      const owner = await startOwnerOf(world);
      try {
        await whenReported(owner, count);
        await owner.kill();
        const core = await takeOver(world);
        const { interrupted } = await core.api.request('status', { plan: world.plan });
        if (interrupted !== undefined) {
          // Only a session that had not started cannot go on.
          expect(interrupted.reason).toBe('its owner died before the session had started');
          await core.api.request('retry', { plan: world.plan, ...runOptions(world) });
        }
        await expectUndisturbed(world);
      } catch (error) {
        throw new Error(`killed at event ${count} of ${of}: ${error}`, { cause: error });
      }
    }
  });
}

/** What must hold for every harness when owners, a session's program or its tools die. Call it in a test file. */
export function testReadoption(harness: HarnessName): void {
  test('owners that are killed one after the other, and the next one answers soon', { timeout: 60_000 }, async () => {
    const world = await makePhaseWorld(harness, 'work');
    const owner = await startOwnerOf(world);
    await owner.when((event) => event.type === 'session.output');
    const environment = { ...world.environment, RAVEL_VAULT: world.vault };
    const askedMs = systemClock.monotonicMs();
    expect(await runRavel(['status'], { environment })).toMatchObject({ code: 0 });
    const commandMs = systemClock.monotonicMs() - askedMs;
    await owner.kill();
    const killedMs = systemClock.monotonicMs();
    const daemon = startRavel(['daemon'], { environment });
    const running = await askWhatRuns(world);
    // On a busy machine any command takes long.
    expect(systemClock.monotonicMs() - killedMs).toBeLessThan(Math.max(takeoverMsMax, 4 * commandMs));
    expect(running).toBe('work');
    // It answers from the files, before it has taken the session over.
    await expect.poll(() => ledgerOf(world), pollOptions).toEqual(['reattached']);
    daemon.child.kill('SIGKILL');
    await daemon.ended;
    await takeOver(world);
    expect(await ledgerOf(world)).toEqual(['reattached', 'reattached', 'finished']);
    await expectUndisturbed(world);
  });

  describe('a program that is killed', () => {
    const victims = {
      alone: { end: 'failed', reason: /^the harness crashed with code 137/ },
      'with its whole group': { end: 'interrupted', reason: /^the session was gone, and nothing says how it ended/ },
    } as const;

    test.each(Object.entries(victims))(
      '%s merges nothing and can be retried',
      { timeout: 120_000 },
      async (name, { end, reason }) => {
        const world = await makePhaseWorld(harness, 'reflect');
        const before = await stateOf(world);
        const { core } = await startCore(world, { sessions: 'processes' });
        // Before the second pause, which is long enough to be killed in.
        const seq = 1 + Math.floor(Math.random() * 4);
        const told = nextEvent(core, 'session.output', (event) => event.seq === seq);
        const run = core.api.request('run_phase', { plan: world.plan, ...runOptions(world) });
        const { leader, program } = await programOf(world, (await told).session);
        process.kill(name === 'alone' ? program : -leader, 'SIGKILL');
        expect(await run, `killed at output ${seq}`).toMatchObject({ end, summary: expect.stringMatching(reason) });
        expect(await stateOf(world)).toEqual(before);
        const retried = await core.api.request('retry', { plan: world.plan, ...runOptions(world) });
        expect(retried).toMatchObject({ end: 'finished' });
        await expectUndisturbed(world);
      },
    );
  });

  test('no owner comes back: the session ends by itself, and the next owner says so', { timeout: 60_000 }, async () => {
    const steps = '\n    - say: I begin.\n    - hang: true\n';
    const settings = '[limits]\norphan-minutes-after-crash = 0.02\n';
    const world = await makePhaseWorld(harness, 'reflect', { steps, settings });
    const before = await stateOf(world);
    const owner = await startOwnerOf(world);
    await owner.when((event) => event.type === 'session.output');
    const session = await sessionOf(owner);
    expect(await processesOfSession(session)).not.toEqual([]);
    await owner.kill();
    await untilGone(session);
    const core = await takeOver(world);
    expect(await ledgerOf(world)).toEqual(['reattached', 'interrupted']);
    expect(await stateOf(world)).toEqual(before);
    const { interrupted } = await core.api.request('status', { plan: world.plan });
    expect(interrupted?.reason).toMatch(/no owner for \d+ s/);
  });

  test('a phase whose session tools do not start fails', { timeout: 60_000 }, async () => {
    const world = await makePhaseWorld(harness, 'work');
    const before = await stateOf(world);
    const entry = join(world.root, 'ravel-without-tools.mjs');
    const main = JSON.stringify(join(import.meta.dirname, '../../dist/ravel.mjs'));
    await writeFile(entry, `if (process.argv[2] === 'mcp') process.exit(1);\nawait import(${main});\n`);
    const { core, events } = await startCore(world, { entry, sessions: 'processes' });
    const report = await core.api.request('run_phase', { plan: world.plan, ...runOptions(world) });
    expect(report).toMatchObject({ end: 'failed', next: 'work' });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'session.output',
        output: { kind: 'warning', message: expect.stringContaining('session tools did not connect') },
      }),
    );
    expect(events.filter((event) => event.type === 'state.merged')).toEqual([]);
    expect(await stateOf(world)).toEqual(before);
  });
}

/** What the vault's next owner answers, as soon as there is one. */
async function askWhatRuns(world: PhaseWorld): Promise<string | undefined> {
  const socketPath = join(world.vault, 'runtime/daemon.sock');
  for (const deadlineMs = systemClock.monotonicMs() + 20_000; systemClock.monotonicMs() < deadlineMs; ) {
    try {
      const client = await connect({ socketPath, clock: systemClock });
      const { running } = await client.request('status', { plan: world.plan });
      client.close();
      return running?.phase;
    } catch (error) {
      if (!isRavelError(error, 'server/gone')) throw error;
    }
  }
  throw new Error('no owner answers');
}

async function untilGone(session: string): Promise<void> {
  await expect.poll(() => processesOfSession(session), { ...pollOptions, interval: 200 }).toEqual([]);
}

async function untilFileHolds(world: PhaseWorld, session: string, name: string, text: string): Promise<void> {
  await expect.poll(() => readOf(world, session, name), pollOptions).toContain(text);
}

/** Resolves once the program has asked for a tool that has not answered; each harness has its own words for it. */
async function untilCallIsOpen(world: PhaseWorld, session: string): Promise<void> {
  const openCalls = async () => {
    const spool = await readOf(world, session, 'spool');
    const count = (pattern: RegExp) => spool.match(pattern)?.length ?? 0;
    return count(/"toolStarted"|"type":"tool_use"/g) - count(/"toolEnded"|"type":"tool_result"/g);
  };
  await expect.poll(openCalls, pollOptions).toBe(1);
}

function readOf(world: PhaseWorld, session: string, name: string): Promise<string> {
  return readFile(join(world.vault, 'runtime/sessions', session, name), 'utf8').catch(() => '');
}
