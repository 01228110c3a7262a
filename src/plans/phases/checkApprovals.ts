import { defined } from '../../base/defined.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import { isCodePhase } from '../../model/phase.ts';
import type { PhaseReport } from '../../model/requests/runs.ts';
import { loadRunState, type RunState, updateRunState } from '../../vault/runState.ts';
import { contentHashOf, loadUndamaged, openApproval, removeApproval } from '../approvals/approvals.ts';
import { requestOf } from '../approvals/phaseQuestion.ts';
import { holdPrograms, programsQuestion } from '../commits/programsQuestion.ts';
import { emitFor, type PlanServices, writesByItself } from '../services.ts';
import { type HookStart, hooksQuestion } from './hooksQuestion.ts';

export interface StartToCheck extends HookStart {
  readonly scenario?: string | undefined;
}

/** Whether a phase waits that had not begun. */
export function isStartQuestion({ kind, phase }: Pick<NonNullable<RunState['waiting']>, 'kind' | 'phase'>): boolean {
  return kind === 'repository-hooks' || (kind === 'programs-changed' && !isCodePhase(phase));
}

/**
 * What a person must be asked before a phase may begin; undefined if nothing stands in its way. The phase waits then,
 * nothing ran, and an earlier try of it stays on record.
 */
export async function checkApprovals(services: PlanServices, start: StartToCheck): Promise<PhaseReport | undefined> {
  const { location, phase, harness, scenario } = start;
  const question = (await programsQuestion(services, location, phase)) ?? (await hooksQuestion(services, start));
  if (question === undefined) {
    if (writesByItself(services, start)) await holdPrograms(services, location);
    return undefined;
  }
  const plan = location.id;
  const { waiting } = await loadRunState(services, plan);
  const asked = waiting !== undefined && isStartQuestion(waiting) ? waiting : undefined;
  const session = asked?.session ?? services.newUlid();
  const request = requestOf({ plan, phase, session }, question);
  const { kind, reason } = question;
  let approval: Ulid;
  const open = asked && (await loadUndamaged(services, asked.approval));
  if (open !== undefined && open.contentHash === contentHashOf(request)) {
    approval = open.id;
  } else {
    approval = await openApproval(services, request);
    const howItRuns = { harness, ...defined({ scenario }) };
    await updateRunState(services, plan, (old) => ({
      ...old,
      waiting: { phase, session, approval, kind, reason, ...howItRuns },
    }));
    if (open !== undefined) await removeApproval(services, open.id);
  }
  if (harness === 'person') {
    throw failure('plan/waiting', plan, `${plan} needs your answer: ${reason}`, {
      help: `See \`ravel approvals show ${approval}\`.`,
    });
  }
  emitFor(services, plan, { type: 'phase.ended', phase, end: 'waiting', next: phase, session, summary: reason });
  const nothing = { commits: [], durationMs: 0, givenBytes: 0 };
  return { phase, session, end: 'waiting', next: phase, summary: reason, approval, ...nothing };
}
