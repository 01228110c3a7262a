import { type Clock, formatTimestamp } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { failure } from '../../model/codes.ts';
import type { EventBody, RavelEvent } from '../../model/event.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { MessageSender } from '../../model/message.ts';
import { truncateMessage } from '../../model/messageSize.ts';
import { formatTarget, parseTarget } from '../../model/namedTarget.ts';
import type { Findings, RoutedMessage, RouteOutcome, RoutingDecision, RoutingStep } from '../../model/routing.ts';
import { fromActor } from '../../model/senders.ts';
import type { RoutingHistory } from '../history/routingHistory.ts';
import { deliver } from './delivery.ts';

export interface DecisionWriterParts extends MessageSender {
  readonly clock: Clock;
  readonly emit: (event: RavelEvent) => void;
  readonly history: Pick<RoutingHistory, 'append'>;
}

export interface DeliverOptions {
  /** The message may have been handed over before. */
  readonly isRepeat?: boolean;
  /** An earlier owner decided it, and did or did not live to hand it over. */
  readonly mayHaveIt?: boolean;
}

export const nothingFound: Findings = { facts: [], extractor: 'none', rules: [], candidates: [], consulted: [] };

export interface RouteConclusion {
  readonly message: RoutedMessage;
  readonly findings: Findings;
  readonly step: RoutingStep;
  readonly outcome: RouteOutcome;
  readonly reasoning: string;
  readonly durationMs: number;
  /** The person who decided. */
  readonly by?: string;
}

/** Writes down how messages were routed, and hands them over: in this order, so that a crash loses neither. */
export class DecisionWriter {
  readonly #parts: DecisionWriterParts;

  constructor(parts: DecisionWriterParts) {
    this.#parts = parts;
  }

  /** The decision is durable once this resolves. */
  async record(conclusion: RouteConclusion): Promise<RoutingDecision> {
    const decision = toDecision(conclusion, formatTimestamp(this.#parts.clock.wallMs()));
    await this.#parts.history.append(decision);
    return decision;
  }

  /**
   * Hands over a decided message; a repeat does not deliver it twice. `isRepeat` is false only if it cannot have been
   * handed over before. If the receiver does not accept it any more, that is recorded as a new decision. With
   * `mayHaveIt`, a receiver that is gone changes nothing, and a damaged mailbox rejects with `mailbox/corrupt`: it is
   * unknown whether the message was delivered.
   */
  async handOver(
    decision: RoutingDecision,
    { isRepeat = true, mayHaveIt = false }: DeliverOptions = {},
  ): Promise<RoutingDecision> {
    const { outcome } = decision;
    if (outcome.kind !== 'routed') return decision;
    const refused = await deliver(this.#parts, decidedMessage(decision), { to: outcome.to, isRepeat });
    if (refused === undefined || (mayHaveIt && refused.code === 'message/unknownPlan')) return decision;
    if (mayHaveIt && refused.code === 'mailbox/corrupt') throw failure(refused.code, outcome.to, refused.reason);
    const instead: RoutingDecision = {
      ...decision,
      at: formatTimestamp(this.#parts.clock.wallMs()),
      outcome: refused,
      reasoning: `${decision.reasoning} But ${outcome.to} takes nothing in: ${refused.reason}`,
    };
    await this.#parts.history.append(instead);
    return instead;
  }

  emitRouted({ message, on, from, step, outcome, rules, usd }: RoutingDecision): void {
    this.#emit(from, {
      ...{ type: 'message.routed', message, messageType: on, from, step, outcome },
      rules: step === 'rules' ? rules : [],
      ...defined({ usd }),
    });
  }

  emitStep(message: RoutedMessage, step: RoutingStep, text: string, session?: Ulid): void {
    const { id, type, from } = message;
    this.#emit(from, {
      ...{ type: 'message.routing', message: id, messageType: type, step, text },
      ...defined({ session }),
    });
  }

  #emit(from: RoutedMessage['from'], body: RoutingEvent): void {
    const actor: QualifiedId | 'vault' = fromActor(from) ?? 'vault';
    this.#parts.emit({ at: formatTimestamp(this.#parts.clock.wallMs()), actor, ...body });
  }
}

type RoutingEvent = Extract<EventBody, { readonly type: 'message.routing' | 'message.routed' }>;

/** The message that a decision is about, as it was posted; of one that was too long its beginning (see `truncateMessage`). */
export function decidedMessage(decision: RoutingDecision): RoutedMessage {
  const { message: id, on: type, from, named, reason, body, depth, origin } = decision;
  return { id, type, from, target: parseTarget(named), reason, body, depth, origin };
}

function toDecision(conclusion: RouteConclusion, at: string): RoutingDecision {
  const { message, findings, step, outcome, reasoning, durationMs, by } = conclusion;
  const { id, type: on, from, target, reason, body, depth, origin } = truncateMessage(message);
  const named = formatTarget(target);
  const paid = findings.consulted.flatMap(({ usd }) => (usd === undefined ? [] : [usd]));
  return {
    ...{ type: 'decision', message: id, at, on, from, named, reason, body, depth, origin },
    ...findings,
    ...{ step, outcome, reasoning, durationMs: Math.max(0, Math.round(durationMs)) },
    ...(paid.length > 0 && { usd: paid.reduce((sum, usd) => sum + usd, 0) }),
    ...defined({ by }),
  };
}
