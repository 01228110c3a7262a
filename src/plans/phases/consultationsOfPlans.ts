import { Consultations } from '../../harness/consultations.ts';
import type { EventActor } from '../../model/event.ts';
import type { PlanState } from '../../model/planState.ts';
import { loadPlan } from '../../vault/planStore.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { settingsOfPlan } from '../planSettings.ts';
import type { PlanServices } from '../services.ts';
import { judgeForConsultation } from '../sessions/toolJudgement.ts';
import type { Transcripts } from '../transcripts.ts';
import { budgetOf, type Spending } from './spending.ts';

/** What fresh sessions are asked, paid by the plan they are asked for, else by the vault. */
export function createConsultations(
  services: Omit<PlanServices, 'consult' | 'endOrphan'>,
  parts: { readonly directory: PlanDirectory; readonly spending: Spending; readonly transcripts: Transcripts },
): Consultations {
  const { layout, settings } = services;
  const { directory, spending, transcripts } = parts;
  const ownOf = async (plan: EventActor | undefined): Promise<PlanState | undefined> => {
    if (plan === undefined || plan === 'vault') return undefined;
    return (await loadPlan(services.disk, await directory.find(plan))).state;
  };
  return new Consultations({
    ...services,
    settingsOf: async (plan) => settingsOfPlan(settings, await ownOf(plan)),
    budget: {
      reserve: async (payer, session) => spending.reserve(payer, session, budgetOf(settings, await ownOf(payer))),
      release: (session) => spending.release(session),
      book: ({ payer, session, purpose, usage, model }) =>
        spending.book({ plan: payer, session, phase: purpose }, usage, model),
    },
    judge: (asking, request) => judgeForConsultation(services, asking, request),
    closeTranscript: (session) => transcripts.close(session),
    sessionDirectory: (session) => layout.session(session),
    vault: layout.root,
  });
}
