import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { Consulted, Findings, RoutedMessage, RoutingStep, Suggestion } from '../../model/routing.ts';

/** The scope of a routing session over all recipients of the vault. */
export const wholeVault = 'vault';

/** A message that cannot be decided about at once, as `runtime/routing/<ulid>.json` holds it. */
export interface PendingRoute extends Findings {
  readonly message: RoutedMessage;
  /** When it was posted, as ISO 8601. */
  readonly at: string;
  /** A model is to say first what the message is about. */
  readonly wantsFacts?: boolean;
  /** The project, or the whole vault, that is asked next or just now. */
  readonly scope: string;
  /** The session that was begun, written down before it started. */
  readonly asking?: Asking;
  /** Projects that turned it away, and the whole vault if that passed it on. */
  readonly turnedAway: readonly string[];
  readonly retargets: number;
  readonly suggestions: readonly Suggestion[];
  /** How it ends, before anything of that is done. */
  readonly verdict?: RouteVerdict;
  /** The question to a person that it waits for. */
  readonly approval?: Ulid;
}

export interface Asking {
  readonly session: Ulid;
  readonly purpose: 'facts' | 'route';
  /** Sessions that it had look at one plan each; they are begun, and may outlive it. */
  readonly checks?: readonly Ulid[];
  /** The how-manieth session that is asked this; owners can die of what they ask. */
  readonly attempt: number;
}

export type RouteVerdict =
  | { readonly kind: 'route'; readonly to: QualifiedId; readonly step: RoutingStep; readonly reasoning: string }
  | { readonly kind: 'person'; readonly why: string };

/** What a routing session said, once everything impossible was refused. */
export type RouteSessionAnswer =
  | {
      readonly kind: 'accept';
      readonly target: QualifiedId;
      readonly justification: string;
      /** Whether a session over the very plan said yes. */
      readonly isChecked: boolean;
    }
  | { readonly kind: 'reject'; readonly reason: string; readonly retarget?: string }
  | { readonly kind: 'none'; readonly why: string };

export interface StepLimits {
  readonly retargets: number;
}

/** The most sessions for the same question: after that many were lost with their owner, a person is asked. */
export const attemptsMax = 3;

/** What is to be done about a message next. */
export type RouteMove =
  | { readonly kind: 'facts' }
  | { readonly kind: 'ask'; readonly scope: string }
  | { readonly kind: 'finish'; readonly verdict: Extract<RouteVerdict, { readonly kind: 'route' }> }
  | { readonly kind: 'askPerson'; readonly why: string };

export function nextMove(pending: PendingRoute): RouteMove {
  const { verdict, asking, scope, wantsFacts = false } = pending;
  if (verdict?.kind === 'route') return { kind: 'finish', verdict };
  if (verdict?.kind === 'person') return { kind: 'askPerson', why: verdict.why };
  if (wantsFacts) return { kind: 'facts' };
  if (asking !== undefined && asking.attempt >= attemptsMax) {
    return { kind: 'askPerson', why: 'Ravel ended several times before a session had answered.' };
  }
  return { kind: 'ask', scope };
}

/**
 * What becomes of a message once the routing session of its scope has answered: it is accepted, goes on to the project that was named,
 * or to a person. No project is asked twice, and it goes on at most `retargets` times.
 */
export function afterAnswer(
  pending: PendingRoute,
  { consulted, answer, suggestions }: RouteSessionReport,
  { retargets }: StepLimits,
): PendingRoute {
  const { asking: _answered, ...rest } = pending;
  const said: PendingRoute = {
    ...rest,
    consulted: [...pending.consulted, ...consulted],
    suggestions: [...pending.suggestions, ...suggestions],
  };
  const person = (why: string): PendingRoute => ({ ...said, verdict: { kind: 'person', why } });
  if (answer.kind === 'accept') {
    const step = answer.isChecked ? 'level-3' : 'level-2';
    return { ...said, verdict: { kind: 'route', to: answer.target, step, reasoning: answer.justification } };
  }
  if (answer.kind === 'none') return person(`No receiver was found in ${nameOf(pending.scope)}. ${answer.why}`);
  const turnedAway = [...pending.turnedAway, pending.scope];
  const { reason, retarget } = answer;
  const because = `${nameOf(pending.scope)} does not take it: ${reason}`;
  if (retarget === undefined) return { ...person(because), turnedAway };
  if (turnedAway.includes(retarget)) {
    return { ...person(`${because} It names ${retarget}, which turned it away already.`), turnedAway };
  }
  if (pending.retargets >= retargets) {
    return { ...person(`${because} It names ${retarget}; the message was passed on too often for that.`), turnedAway };
  }
  return { ...said, turnedAway, scope: retarget, retargets: pending.retargets + 1 };
}

export interface RouteSessionReport {
  /** The check sessions that it asked, then the routing session itself. */
  readonly consulted: readonly Consulted[];
  readonly answer: RouteSessionAnswer;
  readonly suggestions: readonly Suggestion[];
}

/** The message with the next session that is asked about it. */
export function withSession(
  pending: PendingRoute,
  purpose: Asking['purpose'],
  session: Ulid,
): PendingRoute & { readonly asking: Asking } {
  const again = pending.asking?.purpose === purpose ? pending.asking.attempt : 0;
  return { ...pending, asking: { session, purpose, attempt: again + 1 } };
}

export function nameOf(scope: string): string {
  return scope === wholeVault ? 'the vault' : scope;
}
