import type { Ulid } from '../../model/id.ts';
import { formatTarget } from '../../model/namedTarget.ts';
import { ignoreRefusal, type Reply, sendReply } from '../../model/reply.ts';
import type { RoutedMessage, RouteOutcome, RoutingDecision, UnroutableMessage } from '../../model/routing.ts';
import { leadText } from '../../model/routingText.ts';
import { type DecisionWriter, decidedMessage } from './decisionWriter.ts';
import type { DeliveryCheckpoint } from './deliveryCheckpoint.ts';
import { findingsOf, type LocalMatch, matchWithoutModel } from './matchWithoutModel.ts';
import type { PendingRoutes } from './pendingRoutes.ts';
import type { PersonsChoice, RouterParts } from './routerParts.ts';
import {
  afterAnswer,
  attemptsMax,
  nameOf,
  nextMove,
  type PendingRoute,
  type RouteVerdict,
  wholeVault,
  withSession,
} from './routeSteps.ts';

export interface AdvanceParts extends RouterParts {
  readonly decisions: DecisionWriter;
  readonly pending: PendingRoutes;
  readonly checkpoint: DeliveryCheckpoint;
}

/** What was found without a model decides, or where a session is asked. */
export type LocalVerdict =
  | Extract<RouteVerdict, { readonly kind: 'route' }>
  | { readonly kind: 'go'; readonly scope?: string };

/**
 * Brings one message that looks for its receiver further, step by step. Each step is on the disk before the next begins;
 * begun again after a crash, it finds its own traces.
 */
export class RouteAdvance {
  readonly #parts: AdvanceParts;

  constructor(parts: AdvanceParts) {
    this.#parts = parts;
  }

  /** Until it has its receiver, or waits for a person. */
  async run(message: Ulid, signal: AbortSignal): Promise<void> {
    const { pending: store, history, checkpoint, endOrphan } = this.#parts;
    let pending = await store.load(message);
    if (pending === undefined) {
      const made = checkpoint.isOpen(message) ? await history.find(message) : undefined;
      if (made !== undefined) await this.handOverAgain(made);
      return;
    }
    const { asking } = pending;
    for (const begun of asking === undefined ? [] : [asking.session, ...(asking.checks ?? [])]) await endOrphan(begun);
    const decided = await history.find(message);
    if (decided !== undefined && decided.outcome.kind !== 'waiting') {
      await this.#complete(pending, decided);
      return;
    }
    while (pending !== undefined) {
      signal.throwIfAborted();
      pending = await this.#step(pending, signal);
    }
  }

  /** What was decided about a message is done, should it not have been. */
  async handOverAgain(decided: RoutingDecision): Promise<RoutingDecision> {
    const { decisions, checkpoint } = this.#parts;
    const decision = await decisions.handOver(decided, { mayHaveIt: true });
    checkpoint.done(decided.message);
    return decision;
  }

  async endByPerson(message: Ulid, choice: PersonsChoice, by: string): Promise<RouteOutcome | undefined> {
    const { pending: store, history, decisions } = this.#parts;
    const pending = await store.load(message);
    const decided = await history.find(message);
    if (pending === undefined) return decided?.outcome;
    if (decided !== undefined && decided.outcome.kind !== 'waiting') {
      await this.#complete(pending, decided);
      return decided.outcome;
    }
    const outcome: RouteOutcome =
      choice.kind === 'send'
        ? { kind: 'routed', to: choice.to }
        : { kind: 'refused', code: 'message/unrouted', reason: choice.reason };
    const reasoning = choice.kind === 'send' ? `${by} chose it.` : `${by} rejected it: ${choice.reason}`;
    const decision = await decisions.record({ ...this.#about(pending), step: 'person', outcome, reasoning, by });
    return this.#complete(pending, decision);
  }

  /** What rules and scores decide about a message; a rule whose target is gone decides nothing. */
  async localVerdict({ verdict, leader, scoreLead }: LocalMatch): Promise<LocalVerdict> {
    const { recipients } = this.#parts;
    if (verdict.kind === 'one') {
      const { target, rules } = verdict;
      const { byId, projects } = await recipients.known();
      const recipient = byId.get(target);
      const named = rules.length === 1 ? `The rule ${rules[0]} says so.` : `The rules ${rules.join(', ')} say so.`;
      if (recipient !== undefined && (await recipients.isThere(recipient.id))) {
        return { kind: 'route', to: recipient.id, step: 'rules', reasoning: named };
      }
      if (projects.has(target)) return { kind: 'go', scope: target };
    }
    if (leader === undefined || scoreLead === undefined || !(await recipients.isThere(leader))) return { kind: 'go' };
    return { kind: 'route', to: leader, step: 'scores', reasoning: leadText(scoreLead) };
  }

  /** The message as it stands after one more step; undefined once nothing is to be done, or a person is asked. */
  async #step(pending: PendingRoute, signal: AbortSignal): Promise<PendingRoute | undefined> {
    const move = nextMove(pending);
    switch (move.kind) {
      case 'facts':
        return this.#findFacts(pending, signal);
      case 'ask':
        return this.#ask(pending, signal);
      case 'finish': {
        const { to: named, step, reasoning } = move.verdict;
        const to = await this.#parts.recipients.present(named);
        if (to === undefined) {
          return this.#save({
            ...pending,
            verdict: { kind: 'person', why: `${named} would take it, but does not exist any more.` },
          });
        }
        const outcome: RouteOutcome = { kind: 'routed', to };
        const decision = await this.#parts.decisions.record({ ...this.#about(pending), step, outcome, reasoning });
        await this.#complete(pending, decision);
        return undefined;
      }
      case 'askPerson':
        await this.#askPerson(pending, move.why);
        return undefined;
    }
  }

  async #findFacts(pending: PendingRoute, signal: AbortSignal): Promise<PendingRoute> {
    const { newUlid, findFacts, knowledge, decisions, pending: store } = this.#parts;
    const { message, scope } = pending;
    const asked = withSession(pending, 'facts', newUlid());
    const { session, attempt } = asked.asking;
    let facts: readonly string[] | undefined;
    if (attempt <= attemptsMax) {
      await store.save(asked);
      store.setState(message.id, { text: 'a model is asked what it is about', session });
      decisions.emitStep(message, 'rules', 'a model is asked what it is about', session);
      facts = await findFacts(message, session, signal);
      signal.throwIfAborted();
    }
    const found = await matchWithoutModel(await knowledge(), message, scope === wholeVault ? undefined : scope, facts);
    const decided = await this.localVerdict(found);
    const { asking: _answered, wantsFacts: _found, ...rest } = asked;
    return this.#save({
      ...rest,
      ...findingsOf(found),
      ...(decided.kind === 'route' ? { verdict: decided } : { scope: decided.scope ?? scope }),
    });
  }

  async #ask(pending: PendingRoute, signal: AbortSignal): Promise<PendingRoute> {
    const { newUlid, askRouteSession, settings, decisions, recipients, pending: store } = this.#parts;
    const { scope } = pending;
    if (scope !== wholeVault && !(await recipients.isProjectThere(scope))) {
      return this.#save({
        ...pending,
        verdict: { kind: 'person', why: `${scope} would be asked, but does not exist any more.` },
      });
    }
    const session = newUlid();
    let asked = await this.#save(withSession(pending, 'route', session));
    const recordCheck = async (check: Ulid): Promise<void> => {
      const { asking } = asked;
      asked = await this.#save({ ...asked, asking: { ...asking, checks: [...(asking.checks ?? []), check] } });
    };
    const text = `a session looks for its receiver in ${nameOf(pending.scope)}`;
    store.setState(pending.message.id, { text, session });
    decisions.emitStep(pending.message, 'level-2', text, session);
    const answered = await askRouteSession({ pending: asked, session, recordCheck }, signal);
    // A session that was let go has said nothing: the next owner asks another one.
    signal.throwIfAborted();
    return this.#save(afterAnswer(asked, answered, settings));
  }

  async #askPerson(pending: PendingRoute, why: string): Promise<void> {
    const { newUlid, askPerson, history, pending: store } = this.#parts;
    const { message, candidates } = pending;
    const approval = pending.approval ?? newUlid();
    if (pending.approval === undefined) await store.save({ ...pending, approval });
    const { id, type: on, from, target, reason, body } = message;
    const question: UnroutableMessage = {
      ...{ message: id, on, from, named: formatTarget(target), reason, body },
      ...{ why, candidates },
    };
    store.setState(id, { text: 'needs your decision', approval });
    await askPerson(question, approval);
    const isKnown = (await history.find(id))?.outcome.kind === 'waiting';
    if (!isKnown) await this.#recordWaiting(pending, { kind: 'waiting', approval, reason: why });
    // An owner that died may not have come to it; the mailbox takes it once.
    await this.#reply(message, { about: 'waiting', text: why });
  }

  async #recordWaiting(
    pending: PendingRoute,
    outcome: Extract<RouteOutcome, { readonly kind: 'waiting' }>,
  ): Promise<void> {
    const { decisions } = this.#parts;
    const reasoning = outcome.reason;
    const decision = await decisions.record({ ...this.#about(pending), step: 'person', outcome, reasoning });
    decisions.emitRouted(decision);
  }

  /** Everything that follows from a decision, in an order in which each can be done again. */
  async #complete(pending: PendingRoute, decided: RoutingDecision): Promise<RouteOutcome> {
    const { decisions, suggest, pending: store } = this.#parts;
    for (const suggestion of pending.suggestions) await suggest(suggestion);
    const decision = await decisions.handOver(decided);
    const { outcome, reasoning } = decision;
    await this.#reply(
      decidedMessage(decision),
      outcome.kind === 'routed'
        ? { about: 'routed', text: reasoning, by: outcome.to }
        : { about: 'unroutable', text: outcome.reason },
    );
    await store.remove(pending.message.id);
    decisions.emitRouted(decision);
    return outcome;
  }

  /** Tells an actor that waits what became of its message; the history keeps it for one that cannot be told. */
  async #reply({ id, from }: RoutedMessage, reply: Pick<Reply, 'about' | 'text' | 'by'>): Promise<void> {
    await sendReply(this.#parts, { re: id, to: from, ...reply }).catch(ignoreRefusal);
  }

  async #save<Pending extends PendingRoute>(pending: Pending): Promise<Pending> {
    await this.#parts.pending.save(pending);
    return pending;
  }

  #about({ message, at, consulted, ...pending }: PendingRoute) {
    const durationMs = this.#parts.clock.wallMs() - Date.parse(at);
    return { message, findings: { ...findingsOf(pending), consulted }, durationMs };
  }
}
