import { assert } from '../base/assert.ts';
import { isCodePhase } from '../model/phase.ts';
import { hooksQuestion } from '../plans/phases/hooksQuestion.ts';
import { chooseHarness } from '../plans/phases/preflight.ts';
import { loadPlan } from '../vault/planStore.ts';
import { updateRunState } from '../vault/runState.ts';
import type { DecisionHandler } from './decisionHandler.ts';

/** Enough for every phase of a plan, each with what it would run. */
const allowedMax = 10;

/** The repository's own programs may run, as they are now; the phase had not begun, and begins when it is run again. */
export const repositoryHooks: DecisionHandler = {
  async ask({ services }, { location, waiting }) {
    const { phase, harness } = waiting;
    assert(!isCodePhase(phase), `${phase} runs no programs of a repository`);
    const plan = await loadPlan(services.disk, location);
    return hooksQuestion(services, { location, phase, harness: harness ?? chooseHarness(services, plan, undefined) });
  },

  async check() {},

  async carryOut({ services }, { approval, location }, decision) {
    const { hash } = approval.details as { readonly hash: string };
    const allowed = decision.decision === 'accept' ? [{ approval: approval.id, hash }] : [];
    const { interrupted } = await updateRunState(services, location.id, ({ waiting: _waiting, ...old }) => ({
      ...old,
      hooks: [...(old.hooks ?? []), ...allowed].slice(-allowedMax),
    }));
    const next = interrupted === undefined ? 'run' : 'retry';
    const did = decision.decision === 'accept' ? 'They can run until one of them changes.' : 'Nothing runs.';
    return { did, next };
  },
};
