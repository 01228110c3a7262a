import { defined } from '../../base/defined.ts';
import type { EventBody } from '../../model/event.ts';
import type { PlanTexts } from '../../model/plan.ts';
import type { Transaction } from '../transaction.ts';
import { noFacts } from './facts.ts';
import { judge } from './proposal.ts';

export interface StateJudgement {
  readonly events: readonly EventBody[];
  /** Sentences; empty if the state is valid. */
  readonly findings: readonly string[];
}

/** Gates that look at the state alone; the others judge what a session did. */
const stateGates: ReadonlySet<string> = new Set(['schema', 'ids', 'dependencies']);

/** What the gates say of a plan's files as such, however they came about. */
export function judgeState(
  { plan, phase, session, task }: Pick<Transaction, 'plan' | 'phase' | 'session' | 'task'>,
  base: PlanTexts,
  proposed: PlanTexts,
): StateJudgement {
  const judgement = judge(
    {
      phase,
      outcome: 'done',
      summary: '',
      base,
      proposed,
      verbsUsed: [],
      unattributed: [],
      dreamMap: {},
      facts: noFacts,
      ...defined({ task }),
    },
    plan,
    session,
  );
  const events = judgement.events.filter((event) => event.type === 'gate.judged' && stateGates.has(event.gate));
  return { events, findings: events.flatMap((event) => rejectionOf(event)) };
}

function rejectionOf(event: EventBody): readonly string[] {
  if (event.type !== 'gate.judged' || event.outcome !== 'reject') return [];
  return event.findings ?? [event.reason ?? event.gate];
}
