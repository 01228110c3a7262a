import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import { failureOf } from '../support/failureOf.ts';
import { goodReflection, runOptionsOf, setScenario, stateOf } from '../support/phaseWorld.ts';
import type { RunningWorld, World } from '../support/world.ts';

/** How a phase ends that does not finish, and the sentence that says why. */
export interface BadEnd {
  readonly end: 'failed' | 'interrupted';
  readonly reason: string | RegExp;
}

/** Types of the events, without those that tell that the plan became active or dormant. */
export const typesOf = (events: readonly RavelEvent[]) =>
  events.map(({ type }) => type).filter((type) => type !== 'actor.changed');

/** Checks how the phase ended and why, that nothing changed or was lost, and that no run starts until a person decides. */
export async function checkBadEnd(
  world: World,
  { core }: RunningWorld,
  bad: BadEnd,
  run: () => Promise<{ readonly end: string; readonly summary: string }>,
): Promise<void> {
  const before = await stateOf(world);
  const report = await run();
  const sentence = typeof bad.reason === 'string' ? bad.reason : expect.stringMatching(bad.reason);
  expect(report).toMatchObject({ end: bad.end, next: 'reflect', summary: sentence });
  expect(await stateOf(world)).toEqual(before);
  const status = await core.api.request('status', { plan: world.plan });
  expect(status.running).toBeUndefined();
  expect(status.interrupted).toMatchObject({ phase: 'reflect', reason: sentence });
  expect(status.lastEnd).toMatchObject({ phase: 'reflect', end: bad.end, summary: sentence });
  await access(join(status.interrupted?.directory ?? '', 'plan/memory.yaml'));
  expect(await failureOf(() => core.api.request('run_phase', runOptionsOf(world)))).toMatchObject({
    code: 'plan/waiting',
    message: expect.stringContaining(report.summary),
    help: expect.stringContaining('ravel retry'),
  });
}

/** Retries with a session that ends well, and checks that it is told why the first one did not. */
export async function checkRetry(world: World, { core }: RunningWorld, { reason }: BadEnd): Promise<void> {
  await setScenario(world, { reflect: goodReflection });
  const { end, next, session } = await core.api.request('retry', runOptionsOf(world));
  expect([end, next]).toEqual(['finished', 'triage']);
  const prompt = await readFile(join(world.vault, 'runtime/sessions', session, 'prompt.md'), 'utf8');
  const note = prompt.slice(prompt.indexOf('```reason\n') + '```reason\n'.length);
  if (typeof reason === 'string') expect(note.startsWith(reason)).toBe(true);
  else expect(note.split('\n```\n\nWhat it changed')[0]).toMatch(reason);
  expect(await world.readPlan('memory.yaml')).toContain('id: learned');
  const status = await core.api.request('status', { plan: world.plan });
  expect([status.interrupted, status.waiting]).toEqual([undefined, undefined]);
}
