import { defined } from '../base/defined.ts';
import { failure } from '../model/codes.ts';
import { cyclesOf } from '../model/history.ts';
import { isUlid, type Ulid } from '../model/id.ts';
import { isReasoningPhase } from '../model/phase.ts';
import type { PhaseRecord, RollbackRecord } from '../model/phaseRecord.ts';
import type { InspectedSession } from '../model/requests/inspect.ts';
import type { PhaseHistory } from '../plans/phases/phaseHistory.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadRunState, type RunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';

/** What a look at a session starts from. */
export interface SessionSnapshot {
  readonly services: PlanServices;
  readonly location: PlanLocation;
  readonly state: RunState;
  /** The history of the plan, oldest first. */
  readonly records: readonly PhaseRecord[];
  /** How often the plan was put back, oldest first. */
  readonly rollbacks: readonly RollbackRecord[];
  readonly at: InspectedSession;
}

/** Looks at a session of the plan, or at its newest one. */
export async function inspectSession(
  services: PlanServices,
  history: PhaseHistory,
  location: PlanLocation,
  asked: string | undefined,
): Promise<SessionSnapshot> {
  const state = await loadRunState(services, location.id);
  const records = await history.load(location.id);
  const session = asked === undefined ? newestSession(state, records) : toSession(asked);
  if (session === undefined) {
    throw failure('session/unknown', location.id, `The plan ${location.id} has had no session yet.`);
  }
  const rollbacks = await history.rollbacks(location.id);
  return { services, location, state, records, rollbacks, at: describe(location, session, state, records) };
}

/** The phases of the cycle in which the session was, from its own on; all of none if the history knows nothing. */
export function restOfCycle({ records, at }: SessionSnapshot): {
  readonly rest: readonly PhaseRecord[];
  readonly isNewest: boolean;
} {
  const cycles = cyclesOf(records);
  const index = cycles.findLastIndex(({ phases }) => phases.some(({ session }) => session === at.session));
  const cycle = cycles[index];
  if (cycle === undefined) return { rest: [], isNewest: true };
  const from = cycle.phases.findIndex(({ session }) => session === at.session);
  return { rest: cycle.phases.slice(from), isNewest: index === cycles.length - 1 };
}

function toSession(text: string): Ulid {
  if (isUlid(text)) return text;
  throw failure('session/unknown', text, `"${text}" is not a session id`);
}

function newestSession(state: RunState, records: readonly PhaseRecord[]): Ulid | undefined {
  const { running, waiting, interrupted, last } = state;
  return (running ?? waiting ?? interrupted ?? last)?.session ?? records.at(-1)?.session;
}

/** The reasoning phase that the session carried out: a code phase has the id of the session that it commits. */
function describe(
  { id: plan }: PlanLocation,
  session: Ulid,
  state: RunState,
  records: readonly PhaseRecord[],
): InspectedSession {
  const { running, waiting, interrupted, last } = state;
  if (running?.session === session && isReasoningPhase(running.phase)) {
    const { phase, harness, task } = running;
    const about = defined({ harness, task });
    return { plan, session, phase, state: 'running', ...about };
  }
  const tries = records.filter((record) => record.session === session && isReasoningPhase(record.phase));
  const known = tries.at(-1);
  const began = tries.find(({ startedAt }) => startedAt !== undefined) ?? known;
  const phases = [waiting, interrupted, last].filter((one) => one?.session === session).map((one) => one?.phase);
  const phase = known?.phase ?? phases.find((one) => one !== undefined && isReasoningPhase(one));
  const end = known?.end ?? (last?.session === session ? last.end : undefined);
  return {
    plan,
    session,
    ...defined({ phase, state: end, harness: began?.harness, task: began?.task }),
  };
}
