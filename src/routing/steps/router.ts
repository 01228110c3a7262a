import { formatTimestamp } from '../../base/clock.ts';
import { type Diagnostic, isRavelError, messageOf } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import { type Ulid, wholePlanName } from '../../model/id.ts';
import { truncateMessage } from '../../model/messageSize.ts';
import { type Target, targetText } from '../../model/namedTarget.ts';
import { person } from '../../model/person.ts';
import type { PendingRow } from '../../model/requests/messages.ts';
import type { Findings, RoutedMessage, RouteExplanation, RouteOutcome } from '../../model/routing.ts';
import { sentToSelf } from '../../model/targetProblem.ts';
import { type Destination, destinationOf, type RefusedOutcome } from '../targets.ts';
import { DecisionWriter, decidedMessage, nothingFound, type RouteConclusion } from './decisionWriter.ts';
import { DeliveryCheckpoint } from './deliveryCheckpoint.ts';
import { explainRoute } from './explain.ts';
import { findingsOf, type LocalMatch, matchWithoutModel } from './matchWithoutModel.ts';
import { PendingRoutes } from './pendingRoutes.ts';
import { PendingWork } from './pendingWork.ts';
import { RouteAdvance } from './routeAdvance.ts';
import type { PersonsChoice, RouterParts } from './routerParts.ts';
import { type PendingRoute, wholeVault } from './routeSteps.ts';

/**
 * Finds out where messages go: to whom they name, else by the rules, by scores if that is allowed, by sessions that
 * are asked, and by a person in the end. A decision is on the disk before it is carried out, and everything that is
 * done can be done again: `docs/design/routing.md`.
 */
export class Router {
  readonly #parts: RouterParts;
  readonly #decisions: DecisionWriter;
  readonly #pending: PendingRoutes;
  readonly #checkpoint: DeliveryCheckpoint;
  readonly #work: PendingWork;
  readonly #advance: RouteAdvance;
  /** Calls of `route` under way, so that the same message given twice at once is routed once. */
  readonly #underWay = new Map<Ulid, { readonly message: RoutedMessage; readonly outcome: Promise<RouteResult> }>();
  #orphans: readonly Ulid[] = [];
  #isStopped = false;

  constructor(parts: RouterParts) {
    this.#parts = parts;
    this.#decisions = new DecisionWriter(parts);
    this.#pending = new PendingRoutes(parts);
    this.#checkpoint = new DeliveryCheckpoint(parts);
    const own = { decisions: this.#decisions, pending: this.#pending, checkpoint: this.#checkpoint };
    this.#advance = new RouteAdvance({ ...parts, ...own });
    const { clock, settings } = parts;
    this.#work = new PendingWork({
      ...{ clock, concurrent: settings.concurrent },
      advance: (message, signal) => this.#advance.run(message, signal),
      onFailed: (message, error) => this.#reportFailed(message, error),
    });
  }

  /** Looks which messages were on their way when the vault had its last owner; before anything is routed. */
  async open(): Promise<void> {
    this.#orphans = await this.#pending.open();
  }

  /** Continues them. */
  resume(): void {
    for (const message of this.#orphans) this.#work.add(message);
    this.#orphans = [];
  }

  /**
   * Hands over what was decided by an owner that did not live to do so. Reads the history first, which others may want to
   * be ready before; until this was called every message counts as one that may have to be handed over again.
   */
  async resumeDecided(): Promise<void> {
    for (const message of await this.#checkpoint.loadUndelivered()) this.#work.add(message);
  }

  /** As `MessageRouter` says it: durable once it resolves, and done once however often it is given. */
  route(message: RoutedMessage, { isNew = false }: { readonly isNew?: boolean } = {}): Promise<RouteResult> {
    const { id } = message;
    if (this.#isStopped)
      return Promise.reject(failure('run/stopped', id, 'Ravel stops; the message was not taken in.'));
    const known = this.#underWay.get(id);
    if (known !== undefined) return isSame(known.message, message) ? known.outcome : Promise.resolve(idTaken(id));
    const outcome = this.#route(message, isNew).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, { message, outcome });
    return outcome;
  }

  /** What would happen to a message, without doing it. */
  async explain(message: RoutedMessage): Promise<RouteExplanation> {
    const { knowledge, settings } = this.#parts;
    return explainRoute(
      {
        ...{ knowledge, settings, rules: this.#parts.rules },
        destination: (asked) => this.#destination(asked),
        localVerdict: (found) => this.#advance.localVerdict(found),
      },
      message,
    );
  }

  /** Messages that are on their way, the oldest first. */
  pending(): Promise<{ readonly pending: readonly PendingRow[]; readonly total: number }> {
    return this.#pending.rows();
  }

  /** What is wrong with the files of messages on their way that cannot be read. */
  unreadable(): Promise<readonly Diagnostic[]> {
    return this.#pending.unreadable();
  }

  /** A message that is on its way, and how it stands; undefined for any other, and for one that cannot be read. */
  async onItsWay(id: Ulid): Promise<{ readonly message: RoutedMessage; readonly row: PendingRow } | undefined> {
    // The work on the message reports what is wrong with its file.
    const pending = await this.#pending.load(id).catch(() => undefined);
    return pending === undefined ? undefined : { message: pending.message, row: this.#pending.row(pending) };
  }

  /** Where a message goes if a person names the target, regardless of its sender. */
  async destinationByPerson(message: RoutedMessage, target: string): Promise<Destination> {
    const kind = target.startsWith('expert:') ? 'expert' : 'plan';
    const named: Target = { kind, name: kind === 'plan' ? wholePlanName(target) : target };
    const destination = await this.#destination({ ...message, from: person, target: named });
    if (destination.kind !== 'actor' || destination.actor !== message.from) return destination;
    return { kind: 'refused', ...sentToSelf };
  }

  /** Carries out what a person decided; done again it changes nothing. Returns what became of the message. */
  async decideByPerson(message: Ulid, choice: PersonsChoice, by: string): Promise<RouteOutcome | undefined> {
    return this.#work.alone(message, () => this.#advance.endByPerson(message, choice, by));
  }

  /** Lets sessions that are asked just now go; the next owner asks again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#work.stop();
    await Promise.allSettled(this.#underWay.values());
    await this.#checkpoint.stop();
    await this.#parts.history.stop();
  }

  /** A failure is tried again and again but reported once; a file that cannot be read must be repaired by a person. */
  #reportFailed(message: Ulid, error: unknown): void {
    const { log, emit, clock } = this.#parts;
    const text = `is tried again: ${messageOf(error)}`;
    if (this.#pending.stateOf(message)?.text === text) return;
    this.#pending.setState(message, { text });
    log.warn('a message could not be routed yet', { message, error: messageOf(error) });
    if (!isRavelError(error, 'message/unreadable')) return;
    const at = formatTimestamp(clock.wallMs());
    emit({ at, actor: 'vault', type: 'diagnostic', diagnostic: error.diagnostic });
  }

  async #route(message: RoutedMessage, isNew: boolean): Promise<RouteResult> {
    if (!isNew) {
      const before = await this.#routedBefore(message);
      if (before !== undefined) return before;
    }
    const startedMs = this.#parts.clock.monotonicMs();
    const destination = await this.#destination(message);
    const conclude = (
      end: Pick<RouteConclusion, 'outcome' | 'step' | 'reasoning'>,
      findings: Findings = nothingFound,
    ) => {
      const durationMs = this.#parts.clock.monotonicMs() - startedMs;
      return this.#conclude({ message, findings, durationMs, ...end }, isNew);
    };
    if (destination.kind === 'refused') {
      return conclude({ outcome: destination, step: 'direct', reasoning: destination.reason });
    }
    if (destination.kind === 'actor') {
      const outcome: RouteOutcome = { kind: 'routed', to: destination.actor };
      return conclude({ outcome, step: 'direct', reasoning: 'Its sender names it.' });
    }
    const within = destination.kind === 'project' ? destination.project : undefined;
    if (this.#parts.settings.facts === 'model') return this.#keep(message, within ?? wholeVault);
    const found = await matchWithoutModel(await this.#parts.knowledge(), message, within);
    const decided = await this.#advance.localVerdict(found);
    if (decided.kind === 'go') return this.#keep(message, decided.scope ?? within ?? wholeVault, found);
    const { to, step, reasoning } = decided;
    return conclude({ outcome: { kind: 'routed', to }, step, reasoning }, { ...findingsOf(found), consulted: [] });
  }

  /** What became of a message of this id; what was decided about it is done once more, should it not have been. */
  async #routedBefore(message: RoutedMessage): Promise<RouteResult | undefined> {
    const { id } = message;
    const decided = await this.#parts.history.find(id);
    const isOnItsWay = this.#pending.has(id);
    const before = decided === undefined ? await this.#pendingMessage(id) : decidedMessage(decided);
    if (before !== undefined && !isSame(before, message)) return idTaken(id);
    if (isOnItsWay) return decided?.outcome.kind === 'waiting' ? decided.outcome : 'routing';
    if (decided === undefined) return undefined;
    if (!this.#checkpoint.isOpen(id)) return (await this.#advance.handOverAgain(decided)).outcome;
    // The message may be handed over just now; waiting for that makes sure that its outcome is decided once.
    return this.#work.alone(id, async () => {
      const latest = (await this.#parts.history.find(id)) ?? decided;
      return (await this.#advance.handOverAgain(latest)).outcome;
    });
  }

  /** Undefined for a message that cannot be read, which is still on its way; the work on it reports that. */
  async #pendingMessage(message: Ulid): Promise<RoutedMessage | undefined> {
    if (!this.#pending.has(message)) return undefined;
    return (await this.#pending.load(message).catch(() => undefined))?.message;
  }

  async #destination(message: RoutedMessage): Promise<Destination> {
    const { recipients } = this.#parts;
    const destination = destinationOf(message, await recipients.names());
    if (destination.kind === 'refused' && isAboutNames(destination)) {
      return destinationOf(message, await recipients.namesAfresh());
    }
    const isGone =
      (destination.kind === 'actor' && !(await recipients.isThere(destination.actor))) ||
      (destination.kind === 'project' && !(await recipients.isProjectThere(destination.project)));
    return isGone ? destinationOf(message, await recipients.namesAfresh()) : destination;
  }

  async #conclude(conclusion: RouteConclusion, isNew: boolean): Promise<RouteOutcome> {
    const { id } = conclusion.message;
    this.#checkpoint.begin(id);
    const recorded = await this.#decisions.record(conclusion).catch((error: unknown) => {
      this.#checkpoint.drop(id);
      throw error;
    });
    try {
      const decision = await this.#decisions.handOver(recorded, { isRepeat: !isNew });
      this.#checkpoint.done(id);
      this.#decisions.emitRouted(decision);
      return decision.outcome;
    } catch (error) {
      // The message is decided: the sender gets the error, and the receiver gets the message once a retry succeeds.
      this.#work.add(id);
      throw error;
    }
  }

  /** Keeps what cannot be decided about at once. */
  async #keep(message: RoutedMessage, scope: string, found?: LocalMatch): Promise<'routing'> {
    const pending: PendingRoute = {
      message,
      at: formatTimestamp(this.#parts.clock.wallMs()),
      ...(found === undefined ? { ...nothingFound, wantsFacts: true } : { ...findingsOf(found), consulted: [] }),
      scope,
      turnedAway: [],
      retargets: 0,
      suggestions: [],
    };
    await this.#pending.save(pending);
    this.#work.add(message.id);
    return 'routing';
  }
}

type RouteResult = RouteOutcome | 'routing';

/**
 * Whether two messages of one id are one message; by what they say, for their sender may have been renamed, and as they are
 * kept, for of one that was too long only the beginning is.
 */
function isSame(one: RoutedMessage, other: RoutedMessage): boolean {
  return routedBody(one) === routedBody(other);
}

function routedBody(message: RoutedMessage): string {
  const { type, target, body } = truncateMessage(message);
  return JSON.stringify([type, targetText(target), body.trim()]);
}

/** What was sent first under an id keeps it: to answer for the other as if it were that one would lose it. */
function idTaken(id: Ulid): RefusedOutcome {
  const help = 'Send it under an id of its own, or without one.';
  return { kind: 'refused', code: 'message/idTaken', reason: `the id ${id} belongs to another message`, help };
}

/** The target may have been created so recently that the known names lack it. */
function isAboutNames({ code }: RefusedOutcome): boolean {
  return /^message\/(?:unknown|otherProject|projectGone|suggested)/.test(code);
}
