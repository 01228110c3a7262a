import { assert } from '../base/assert.ts';
import { defined } from '../base/defined.ts';
import { isCodePhase } from '../model/phase.ts';
import { archiveStaging } from '../plans/phases/phaseEnd.ts';
import { updateRunState } from '../vault/runState.ts';
import type { DecisionHandler } from './decisionHandler.ts';
import { dismissed } from './dismissed.ts';

/** A session needs to know something: the next one of its phase is told. */
export const needsInput: DecisionHandler = {
  async ask(_parts, { approval, waiting }) {
    return { kind: 'needs-input', reason: waiting.reason, details: approval.details };
  },

  async check() {},

  async carryOut(parts, asked, decision) {
    if (decision.decision === 'reject') return dismissed(parts, asked);
    const { services } = parts;
    const { location, waiting } = asked;
    const { phase, session, reason, harness, scenario } = waiting;
    assert(!isCodePhase(phase), `${phase} asks nothing`);
    const answered = { phase, question: reason, answer: decision.text ?? '' };
    await updateRunState(services, location.id, ({ waiting: _waiting, ...old }) => ({
      ...old,
      answers: [...(old.answers ?? []), answered],
      interrupted: {
        ...{ phase, session, failed: false, at: decision.at },
        reason: 'it asked a person something, who has answered since',
        answered: true,
        ...defined({ harness, scenario }),
      },
    }));
    await archiveStaging(services, { plan: location.id, phase, session });
    return { did: `The next session of ${phase} gets your answer.`, next: 'retry' };
  },
};
