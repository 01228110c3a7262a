import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { makeReflectWorld, oneEntry, runOptionsOf } from '../support/phaseWorld.ts';
import { onFirst } from '../support/scenarioRuns.ts';
import { startCore, type World } from '../support/world.ts';

const slowReflection = [
  { say: 'I begin.' },
  { wait: '1500ms' },
  { call: 'memory_add', with: { title: 'Learned', body: 'Something.' } },
  { finish: { outcome: 'done', summary: 'Learned something.' } },
];

const isOutput = (event: RavelEvent) => event.type === 'session.output';

/** Starts a phase, then stops its owner in order while the session goes on. */
async function leaveSession(world: World): Promise<void> {
  const first = await startCore(world);
  const said = new Promise<void>((done) => onFirst(first.core, isOutput, done));
  first.core.api.request('run_phase', runOptionsOf(world)).catch(() => undefined);
  await said;
  await first.server.stop();
  await first.core.stop();
}

describe('a session whose owner stopped', () => {
  test('is followed to its end by the next run, which finishes its phase', async () => {
    const world = await makeReflectWorld(slowReflection);
    await leaveSession(world);
    const { core } = await startCore(world);
    const report = await core.api.request('run_phase', runOptionsOf(world));
    expect([report.phase, report.end, report.next]).toEqual(['reflect', 'finished', 'triage']);
    expect(await world.readPlan('memory.yaml')).toContain('id: learned');
  });

  test('is ended by stop, which leaves its phase interrupted', async () => {
    const world = await makeReflectWorld([{ say: 'I begin.' }, { hang: true }]);
    await leaveSession(world);
    const { core } = await startCore(world);
    expect(await core.api.request('stop', { plan: world.plan })).toEqual({ stopped: true });
    const status = await core.api.request('status', { plan: world.plan });
    expect(status.interrupted?.reason).toBe('it was stopped');
    expect(status.running).toBeUndefined();
  });
});

describe('a retry', () => {
  test('without options uses the harness and scenario of the first try', async () => {
    const world = await makeReflectWorld([{ exit: 1 }]);
    const { core } = await startCore(world);
    expect((await core.api.request('run_phase', runOptionsOf(world))).end).toBe('failed');
    const again = await core.api.request('retry', { plan: world.plan });
    expect(again.end).toBe('failed');
    const host = join(world.vault, 'runtime/sessions', again.session, 'host.json');
    expect(JSON.parse(await readFile(host, 'utf8'))).toMatchObject({ harness: 'scripted' });
  });
});

describe('run_phase', () => {
  test('refuses a plan prompt with a forbidden token, and starts nothing', async () => {
    const world = await makeReflectWorld([{ exit: 1 }]);
    await world.writePlan('prompt-reflect.md', 'Look at {{BACKLOG}}.\n');
    const { core, events } = await startCore(world);
    await expect(core.api.request('run_phase', runOptionsOf(world))).rejects.toMatchObject({ code: 'prompt/badToken' });
    expect(events.filter(({ type }) => type !== 'actor.changed')).toEqual([]);
    expect(await world.readPlan('memory.yaml')).toBe(oneEntry);
  });

  test('uses the scripted harness when only a scenario is given', async () => {
    const world = await makeReflectWorld([{ finish: { outcome: 'done', summary: 'Nothing to learn.' } }]);
    const { core } = await startCore(world);
    const { plan, scenario } = world;
    expect((await core.api.request('run_phase', { plan, scenario })).end).toBe('finished');
  });
});
