import type { Confiner } from '../../src/harness/confinement/confinement.ts';

const unconfined = { state: 'unconfined', reason: 'This test has no sandbox.' } as const;

/** For tests that are not about what a session's commands may do: a sandbox costs them a process for each session. */
export const noConfiner: Confiner = {
  probe: () => Promise.resolve({ state: 'confined' }),
  confine: () => Promise.resolve(unconfined),
};

/** A machine that has no sandbox. */
export const missingConfiner: Confiner = { ...noConfiner, probe: () => Promise.resolve(unconfined) };
