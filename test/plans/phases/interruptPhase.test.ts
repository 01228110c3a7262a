import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Phase } from '../../../src/model/phase.ts';
import { interruptPhase } from '../../../src/plans/phases/interruptPhase.ts';
import { loadRunState, updateRunState } from '../../../src/vault/runState.ts';
import { makePlanWorld } from '../../support/planServices.ts';

/** Gives up a reflection while the run state names `underWay`, and checks the interrupted phase and whether staging stays. */
async function check(underWay: Phase, expected: { readonly phase: Phase; readonly staged: boolean }): Promise<void> {
  const { services, plan, begin } = await makePlanWorld();
  const { transaction, paths } = await begin('reflect');
  const { session } = transaction;
  await updateRunState(services, plan, ({ running, ...old }) => ({
    ...old,
    ...(running !== undefined && { running: { ...running, phase: underWay } }),
  }));
  await interruptPhase(services, plan, session, new Error('The disk is full.'));
  const state = await loadRunState(services, plan);
  expect(state.running).toBeUndefined();
  expect(state.interrupted).toMatchObject({
    phase: expected.phase,
    session,
    reason: 'The disk is full.',
    failed: false,
  });
  expect(existsSync(paths.root)).toBe(expected.staged);
  const kept = join(services.layout.interruptedOf(plan, 'reflect', session), 'transaction.json');
  expect(existsSync(kept)).toBe(!expected.staged);
}

test('giving up a session interrupts its phase and keeps its staging with the interrupted phase', () =>
  check('reflect', { phase: 'reflect', staged: false }));

test('giving up after the copy-back interrupts the code phase and leaves the staging in place', () =>
  check('git-commit-reflect', { phase: 'git-commit-reflect', staged: true }));

test('giving up one session does not end a phase of another', async () => {
  const { services, plan, begin } = await makePlanWorld();
  await begin('reflect');
  const before = await loadRunState(services, plan);
  await interruptPhase(services, plan, services.newUlid(), new Error('The disk is full.'));
  expect(await loadRunState(services, plan)).toEqual(before);
});
