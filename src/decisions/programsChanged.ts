import { isCodePhase } from '../model/phase.ts';
import { acceptPrograms, programsQuestion } from '../plans/commits/programsQuestion.ts';
import { endUnfinished } from '../plans/phases/phaseEnd.ts';
import { retryPhase } from '../plans/phases/retry.ts';
import { updateRunState } from '../vault/runState.ts';
import type { DecisionHandler } from './decisionHandler.ts';

/** What decides what others run changed while a session ran: it is taken as it is, or the plan does not go on. */
export const programsChanged: DecisionHandler = {
  ask: ({ services }, { location, waiting }) => programsQuestion(services, location, waiting.phase),

  async check() {},

  async carryOut({ services, runner }, { approval, location, waiting }, decision, stop) {
    const { phase, session, reason } = waiting;
    const isAccepted = decision.decision === 'accept';
    if (isAccepted) {
      await acceptPrograms(services, location, (approval.details as { readonly hash: string }).hash);
    }
    const did = isAccepted
      ? 'The files are accepted as they are.'
      : 'The files stay as they are; the plan does not continue.';
    if (isCodePhase(phase)) {
      if (isAccepted) return { did, report: await retryPhase(services, runner, { location }, stop) };
      await endUnfinished(services, { plan: location.id, phase, session }, { end: 'interrupted', reason });
      return { did, next: 'retry' };
    }
    // The phase had not begun.
    const { interrupted } = await updateRunState(services, location.id, ({ waiting: _waiting, ...old }) => old);
    return { did, next: interrupted === undefined ? 'run' : 'retry' };
  },
};
