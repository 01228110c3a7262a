import { isQualifiedId, rootPlanName } from '../model/id.ts';
import type { RequestName } from '../model/protocol.ts';
import { isReadOnly } from '../model/requestKinds.ts';
import type { RequestContext } from './handlers.ts';

/**
 * What of an earlier owner's must be settled before a request is carried out. What only looks is answered from the files,
 * whatever is under way.
 */
type Prerequisite =
  | 'nothing'
  /** The plan that a parameter names. */
  | { readonly plan: 'plan' | 'to' }
  /** Every session that is taken over, since money is set aside beside theirs; and the plan that sends, if one does. */
  | 'sender'
  /** The session that asks, or is asked about. */
  | 'session'
  | 'everything';

/** What is not in it changes more than one plan, or starts what takes a tree, money or a place among the active. */
const prerequisites: Partial<Record<RequestName, Prerequisite>> = {
  state: { plan: 'plan' },
  send: { plan: 'to' },
  stop: { plan: 'plan' },
  dismiss: { plan: 'plan' },
  finish_manual_run: { plan: 'plan' },
  drop_manual_run: { plan: 'plan' },
  dispatch: 'sender',
  ask: 'sender',
  session_tools: 'session',
  session_call: 'session',
  judge_tool: 'session',
  shutdown: 'nothing',
  rescan: 'nothing',
  harnesses: 'nothing',
  inspect_project: 'nothing',
  why: 'nothing',
  redeliver: 'nothing',
  discard: 'nothing',
  revive: 'nothing',
  claim_notices: 'nothing',
};

/** Resolves once a request can be carried out. Rejects if what it needs cannot be settled. */
export async function untilSettled(
  { start, live, consultations }: Pick<RequestContext, 'start' | 'live' | 'consultations'>,
  name: RequestName,
  params: object,
): Promise<void> {
  if (start === undefined || isReadOnly(name, params)) return;
  const first = prerequisites[name] ?? 'everything';
  if (first === 'nothing') return;
  if (first === 'everything') return start.done;
  if (first === 'session') {
    const session = textIn(params, 'session') ?? '';
    const isKnown = () => live.has(session) || consultations.has(session);
    if (!isKnown()) await start.named();
    if (!isKnown()) await start.done;
    return;
  }
  if (first === 'sender') await start.named();
  const named = textIn(params, first === 'sender' ? 'from' : first.plan);
  if (named === undefined) return;
  const plan = named.includes('/') ? named : `${named}/${rootPlanName}`;
  // A name that is not a plan has nothing to settle; the code that looks it up refuses it.
  if (isQualifiedId(plan)) await start.of(plan);
}

function textIn(params: object, name: string): string | undefined {
  const value: unknown = Reflect.get(params, name);
  return typeof value === 'string' ? value : undefined;
}
