import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import {
  candidatesOf,
  futures,
  type Learned,
  makeIngestionWorld,
  reflect,
  rejecting,
} from '../support/ingestionWorld.ts';
import { runRavel } from '../support/runProgram.ts';
import { startCore } from '../support/world.ts';

/** Statements about different things, so that none is near another one. */
const learned: readonly Learned[] = [
  futures,
  { title: 'Locks are released in a finally block', body: 'An early return leaves a mutex held.', isProven: true },
  { title: 'Snapshots are compared by bytes', body: 'Newlines of Windows differ in goldens.', isProven: true },
];

test('three decisions of three commands at once, in a vault without an owner, are all taken', async () => {
  const world = await makeIngestionWorld({
    ...{ learned, absorb: [{ steps: rejecting }], settings: '[knowledge]\ningestion = "review-first"\n' },
  });
  const { core } = await startCore(world);
  const waiting = createDeferred<void>();
  let told = 0;
  core.api.onEvent(({ type }) => {
    if (type === 'knowledge.candidate' && ++told === learned.length) waiting.resolve();
  });
  await reflect(core, world);
  await waiting.promise;
  const { approvals } = await core.api.request('approvals', {});
  await core.stop();
  expect(approvals.length).toBe(3);
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const ran = await Promise.all(
    approvals.map(({ approval }) => runRavel(['approvals', 'reject', approval, '--reason', 'Known'], { environment })),
  );
  for (const { code, stderr } of ran) if (code !== 0) expect(stderr).toMatch(/rejected \w+ at/);
  expect(candidatesOf(world).map(({ state }) => state)).toEqual(['rejected', 'rejected', 'rejected']);
});
