import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Phase } from '../../../src/model/phase.ts';
import { giveUp } from '../../../src/plans/phases/giveUp.ts';
import { updateRunState } from '../../../src/plans/phases/updateRunState.ts';
import { loadRunState } from '../../../src/vault/runState.ts';
import { makePlanWorld } from '../../support/planServices.ts';

/** Gives up once `under way` is what the run state says; tells what is interrupted, and whether staging stays in place. */
async function check(underWay: Phase, expected: { readonly phase: Phase; readonly staged: boolean }): Promise<void> {
  const { services, plan, begin } = await makePlanWorld();
  const { transaction, paths } = await begin('reflect');
  const { session } = transaction;
  await updateRunState(services, plan, ({ running, ...old }) => ({
    ...old,
    ...(running !== undefined && { running: { ...running, phase: underWay } }),
  }));
  await giveUp(services, plan, session, new Error('The disk is full.'));
  const state = await loadRunState(services.disk, services.layout, plan);
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

test('the phase of the session is interrupted, and its staging kept', () =>
  check('reflect', { phase: 'reflect', staged: false }));

test('after the copy-back it is the code phase', () =>
  check('git-commit-reflect', { phase: 'git-commit-reflect', staged: true }));

test('what another session has begun goes on', async () => {
  const { services, plan, begin } = await makePlanWorld();
  await begin('reflect');
  const before = await loadRunState(services.disk, services.layout, plan);
  await giveUp(services, plan, services.newUlid(), new Error('The disk is full.'));
  expect(await loadRunState(services.disk, services.layout, plan)).toEqual(before);
});
