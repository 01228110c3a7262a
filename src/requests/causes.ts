import { defined } from '../base/defined.ts';
import { exists } from '../base/files.ts';
import { loadSessionRow } from '../inspect/recentSessions.ts';
import { inspectSession } from '../inspect/sessionSnapshot.ts';
import { commitsOf } from '../inspect/traces.ts';
import { type Backlog, backlogSchema } from '../model/backlog.ts';
import { cyclesOf } from '../model/history.ts';
import { isQualifiedId, isUlid, type QualifiedId, type Ulid } from '../model/id.ts';
import { person } from '../model/person.ts';
import { planFiles } from '../model/plan.ts';
import type { RouteRow } from '../model/requests/routing.ts';
import { loadApproval } from '../plans/approvals/approvals.ts';
import { loadDecision } from '../plans/approvals/decisions.ts';
import { loadArchived } from '../plans/messages/messageArchive.ts';
import { originOf } from '../plans/origins.ts';
import { isAnswered, loadAnswer } from '../questions/answers.ts';
import type { CauseRef, ExpandedCause } from '../routing/causes/causality.ts';
import { expandSession, expandTask, type SessionFacts } from '../routing/causes/planCauses.ts';
import {
  expandAnswer,
  expandDecision,
  expandMessage,
  expandRule,
  expandSuggestion,
} from '../routing/causes/routeCauses.ts';
import type { DecidedRoute } from '../routing/history/routeRow.ts';
import type { RoutingHistory } from '../routing/history/routingHistory.ts';
import { parseSuggestion } from '../routing/learning/suggestionDetails.ts';
import type { Router } from '../routing/steps/router.ts';
import { loadRules } from '../vault/loadRules.ts';
import { loadPlanTexts } from '../vault/planStore.ts';
import { loadRunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { readYaml } from '../yaml/yaml.ts';
import { commitOfRule, expandNamedCommit, firstCommitOf, unlessFailed } from './commitCauses.ts';
import type { RequestContext } from './handlers.ts';

export type CauseSources = Pick<RequestContext, 'services' | 'directory' | 'history'> & {
  readonly routes: Pick<RoutingHistory, 'find' | 'page'>;
  readonly router: Pick<Router, 'onItsWay'>;
};

/** Decisions of one rule that are shown. */
const decisionsShown = 20;
/** Decisions that are looked through for those of a rule or a session, the newest first. */
const decisionsSearched = 5000;
const pageSize = 500;

type Received = NonNullable<Backlog['received']>[number];
type Dispatched = NonNullable<Backlog['dispatched']>[number];

/**
 * Finds what is written down about causes: backlogs, histories, the routing history, decisions, the rules and git. What it
 * read stays for as long as one trace takes, so that a chain of messages reads no backlog twice.
 */
export class CauseFinder {
  readonly #sources: CauseSources;
  readonly #backlogs = new Map<string, Promise<Backlog>>();

  constructor(sources: CauseSources) {
    this.#sources = sources;
  }

  async expand(ref: CauseRef, signal: AbortSignal): Promise<ExpandedCause> {
    switch (ref.kind) {
      case 'task':
        return this.#task(ref);
      case 'message':
        return this.#message(ref, signal);
      case 'decision':
        return this.#decision(ref, signal);
      case 'rule':
        return this.#rule(ref.id, signal);
      case 'suggestion':
        return this.#suggestion(ref.id);
      case 'session':
        return this.#session(ref, signal);
      case 'commit':
        return expandNamedCommit(this.#sources, ref, signal);
      case 'answer':
        return this.#answer(ref.id);
      case 'person':
        return {
          node: { kind: 'person', id: ref.id, title: ref.id === person ? 'a person' : ref.id },
          before: [],
          after: [],
          gaps: [],
        };
    }
  }

  async hasTask(plan: string, id: string): Promise<boolean> {
    return ((await this.backlog(plan)).tasks ?? []).some((task) => task.id === id);
  }

  /** What a person was asked under an id, decided or not; undefined for what is not kept, or can not be read. */
  async question(id: string) {
    if (!isUlid(id)) return undefined;
    const { services } = this.#sources;
    return unlessFailed(async () => (await loadDecision(services, id)) ?? (await loadApproval(services, id)));
  }

  /** The backlog of a plan; an empty one if there is no such plan or it cannot be read. */
  backlog(plan: string): Promise<Backlog> {
    const known = this.#backlogs.get(plan);
    if (known !== undefined) return known;
    const loading = this.#loadBacklog(plan);
    this.#backlogs.set(plan, loading);
    return loading;
  }

  async #loadBacklog(plan: string): Promise<Backlog> {
    if (!isQualifiedId(plan) || plan.startsWith('expert:')) return {};
    const { disk, layout } = this.#sources.services;
    const texts = await loadPlanTexts(disk, layout.plan(plan), [planFiles.backlog]);
    const place = { file: planFiles.backlog, subject: plan };
    return readYaml(backlogSchema, texts.get(planFiles.backlog) ?? '', place).value ?? {};
  }

  /** As `backlog`, with those messages of its archive that name an id. */
  async #backlogAbout(plan: string, id: string): Promise<Backlog> {
    const backlog = await this.backlog(plan);
    if (!isQualifiedId(plan) || plan.startsWith('expert:')) return backlog;
    const { received, dispatched } = await loadArchived(this.#sources.services, plan, id);
    return {
      ...backlog,
      received: [...(backlog.received ?? []), ...received],
      dispatched: [...(backlog.dispatched ?? []), ...dispatched],
    };
  }

  async #location(plan: string): Promise<PlanLocation | undefined> {
    const { plans } = await this.#sources.directory.all();
    return plans.find(({ id }) => id === plan);
  }

  async #task({ id, plan = '' }: CauseRef): Promise<ExpandedCause> {
    const backlog = await this.#backlogAbout(plan, id);
    const task = backlog.tasks?.find((one) => one.id === id);
    const received = backlog.received?.find((one) => one.task === id);
    const location = await this.#location(plan);
    const { services } = this.#sources;
    const origin = location && (await unlessFailed(() => originOf(services, location.id, 'tasks', id)));
    const isUnknown = origin === undefined && received === undefined;
    const commit = location && isUnknown ? await firstCommitOf(services, location, id) : undefined;
    const records = await this.#historyOf(plan);
    const worked = records.filter((record) => record.phase === 'work' && record.task === id);
    const running = await this.#running(plan);
    const sessions = new Set([
      ...worked.map(({ session }) => session),
      ...(running?.task === id ? [running.session] : []),
    ]);
    return expandTask({
      ...{ plan, id, task },
      ...(received !== undefined && {
        message: { id: received.id, isDecided: (await this.#route(received.id)) !== undefined },
      }),
      ...defined({ origin }),
      ...(commit !== undefined && { firstCommit: { at: commit.at, author: commit.author, commit: commit.hash } }),
      sessions: [...sessions],
      handedOver: (backlog.dispatched ?? []).filter((one) => one['task'] === id).map((one) => one.id),
    });
  }

  async #message({ id, plan }: CauseRef, signal: AbortSignal): Promise<ExpandedCause> {
    const route = await this.#route(id);
    const found = await this.#messageRecords(id, { plan, route }, signal);
    const { sent, received, sender, receiver } = found;
    const onItsWay = route === undefined && isUlid(id) ? await this.#sources.router.onItsWay(id) : undefined;
    const from = route?.from ?? received?.from ?? sender ?? onItsWay?.message.from;
    const known = route ?? received ?? sent ?? (onItsWay && { ...onItsWay.message, at: onItsWay.row.at });
    const answered = isUlid(id) && (await isAnswered(this.#sources.services, id));
    const caused = receiver === undefined ? [] : ((await this.#backlogAbout(receiver, id)).dispatched ?? []);
    const origin = route?.origin ?? textOf(received?.origin) ?? onItsWay?.message.origin;
    return expandMessage({
      id,
      ...defined({ from }),
      ...(known !== undefined && { at: route?.firstAt ?? known.at, reason: known.reason, body: known.body }),
      ...(sent !== undefined && { sent: sentFacts(sent) }),
      ...(received !== undefined && receiver !== undefined && { received: receivedFacts(received, receiver) }),
      ...defined({ origin }),
      ...(onItsWay !== undefined && { onItsWay: onItsWay.row.state }),
      isDecided: route !== undefined,
      isAnswered: answered,
      caused: caused.filter((one) => one['cause'] === id).map((one) => one.id),
    });
  }

  /** Both sides' records of a message. Without a decision that names them every backlog is looked at. */
  async #messageRecords(
    id: string,
    { plan, route }: { readonly plan: string | undefined; readonly route: DecidedRoute | undefined },
    signal: AbortSignal,
  ) {
    const named = [route?.from, route?.outcome.kind === 'routed' ? route.outcome.to : undefined, plan];
    const likely = named.filter((name) => name !== undefined);
    const all = route === undefined ? (await this.#sources.directory.all()).plans.map((one) => one.id) : [];
    let sent: { readonly record: Dispatched; readonly plan: string } | undefined;
    let received: { readonly record: Received; readonly plan: string } | undefined;
    for (const name of new Set([...likely, ...all])) {
      signal.throwIfAborted();
      const backlog = await this.#backlogAbout(name, id);
      const outgoing = backlog.dispatched?.find((one) => one.id === id);
      const incoming = backlog.received?.find((one) => one.id === id);
      if (outgoing !== undefined) sent ??= { record: outgoing, plan: name };
      if (incoming !== undefined) received ??= { record: incoming, plan: name };
      if (sent !== undefined && received !== undefined) break;
    }
    return { sent: sent?.record, sender: sent?.plan, received: received?.record, receiver: received?.plan };
  }

  async #decision({ id }: CauseRef, signal: AbortSignal): Promise<ExpandedCause> {
    const route = await this.#route(id);
    if (route === undefined) {
      const gap = `The routing of the message ${id} is not recorded any more.`;
      const node = { kind: 'decision' as const, id, title: `decision about ${id}` };
      return { node, before: [{ to: { kind: 'message', id }, how: 'was routed by' }], after: [], gaps: [gap] };
    }
    if (route.result !== undefined || route.outcome.kind !== 'routed') return expandDecision(route, route.result);
    // What became of it is noted after the backlog says so: the backlog is asked if nothing is noted yet.
    const { received, receiver } = await this.#messageRecords(id, { plan: undefined, route }, signal);
    if (received === undefined || received.state === 'new' || receiver === undefined) {
      return expandDecision(route, undefined);
    }
    const { task, declined_reason: reason, state } = received;
    return expandDecision(route, {
      plan: receiver as QualifiedId,
      result: state,
      ...(task != null && { task }),
      ...(reason != null && { reason }),
    });
  }

  async #rule(id: string, signal: AbortSignal): Promise<ExpandedCause> {
    const { services } = this.#sources;
    const { rules } = await loadRules(services.disk, services.layout);
    const decided = await this.#search(({ step, rules: seen }) => step === 'rules' && seen.includes(id), signal);
    const written = await commitOfRule(services, id);
    return expandRule({
      ...{ id, rule: rules.find((rule) => rule.id === id) },
      decided: decided
        .slice(0, decisionsShown)
        .map(({ message }) => message)
        .toReversed(),
      more: Math.max(0, decided.length - decisionsShown),
      ...defined({ commit: written?.hash }),
    });
  }

  async #suggestion(id: string): Promise<ExpandedCause> {
    const found = await this.question(id);
    const suggestion = parseSuggestion(found?.details);
    if (found !== undefined && suggestion !== undefined)
      return expandSuggestion({ ...found, suggestion, made: await this.#ruleOf(id) });
    const gap = `The decision on the suggestion ${id} is not in decisions/ any more, or cannot be read.`;
    return { node: { kind: 'suggestion', id, title: `suggestion ${id}` }, before: [], after: [], gaps: [gap] };
  }

  /** The rule that stands in the file for a suggestion: it may have another id than was suggested. */
  async #ruleOf(suggestion: string): Promise<string | undefined> {
    const { disk, layout } = this.#sources.services;
    const { rules } = await loadRules(disk, layout);
    return rules.find(({ origin }) => origin?.suggestion === suggestion)?.id;
  }

  async #session({ id, plan: given }: CauseRef, signal: AbortSignal): Promise<ExpandedCause> {
    if (!isUlid(id)) return expandSession({ session: id, sent: [], commits: [], gaps: [`${id} names no session.`] });
    const { services, history } = this.#sources;
    const { disk, layout, settings } = services;
    const row = await loadSessionRow(services, id);
    const plan = row?.plan ?? given ?? (await this.#planOf(id, signal));
    const location = plan === undefined ? undefined : await this.#location(plan);
    const gaps: string[] = [];
    if (!(await exists(disk, layout.transcript(id)))) {
      gaps.push(
        `The transcript of the session ${id} is gone: what sessions said is kept for ${settings.retention.days} days.`,
      );
    }
    const facts: SessionFacts = { session: id, sent: [], commits: [], gaps };
    const about = await this.#search(({ consulted }) => consulted.some(({ session }) => session === id), signal, 1);
    const asked = defined({ askedAbout: about[0]?.message });
    const known = defined({ phase: row?.phase, at: row?.startedAt });
    if (plan === undefined || location === undefined) {
      return expandSession({ ...facts, ...defined({ plan }), ...known, ...asked });
    }
    const inspected = await inspectSession(services, history, location, id);
    const { phase, task, state } = inspected.at;
    const record = inspected.records.find(({ session, phase: one }) => session === id && one === phase);
    const cycle = cyclesOf(inspected.records).findLast(({ phases }) => phases.some(({ session }) => session === id));
    const worked = cycle?.phases.findLast((one) => one.phase === 'work')?.session;
    const at = row?.startedAt ?? record?.startedAt ?? record?.endedAt;
    return expandSession({
      ...facts,
      ...{ plan, ...known, ...asked },
      ...defined({ phase, at }),
      ...(task !== undefined && phase === 'work' && { task }),
      ...defined({ end: state, summary: record?.summary }),
      ...(worked !== undefined && worked !== id && { follows: worked }),
      sent: ((await this.#backlogAbout(plan, id)).dispatched ?? [])
        .filter((one) => one.session === id)
        .map((one) => one.id),
      commits: commitsOf(inspected).map(({ commit }) => commit),
    });
  }

  async #answer(id: string): Promise<ExpandedCause> {
    const answer = isUlid(id) ? await unlessFailed(() => loadAnswer(this.#sources.services, id)) : undefined;
    if (answer !== undefined) return expandAnswer(answer);
    const gap = `The answer to ${id} is not kept any more, or cannot be read.`;
    return { node: { kind: 'answer', id, title: `answer to ${id}` }, before: [], after: [], gaps: [gap] };
  }

  async #route(message: string): Promise<DecidedRoute | undefined> {
    return isUlid(message) ? this.#sources.routes.find(message) : undefined;
  }

  /** Decisions that fit, the newest first, among the newest of all. */
  async #search(
    fits: (route: RouteRow) => boolean,
    signal: AbortSignal,
    wanted = Number.MAX_SAFE_INTEGER,
  ): Promise<readonly RouteRow[]> {
    const found: RouteRow[] = [];
    let before: Ulid | undefined;
    for (let searched = 0; searched < decisionsSearched && found.length < wanted; ) {
      signal.throwIfAborted();
      const { routes, next } = await this.#sources.routes.page(pageSize, before);
      searched += routes.length;
      found.push(...routes.filter(fits));
      if (next === undefined) break;
      before = next;
    }
    return found;
  }

  async #historyOf(plan: string) {
    return isQualifiedId(plan) ? this.#sources.history.load(plan) : [];
  }

  async #running(plan: string) {
    const location = await this.#location(plan);
    if (location === undefined) return undefined;
    return (await loadRunState(this.#sources.services, location.id)).running;
  }

  /** The plan whose history has the session; for one whose transcript is gone. */
  async #planOf(session: string, signal: AbortSignal): Promise<string | undefined> {
    const { directory, history } = this.#sources;
    for (const { id } of (await directory.all()).plans) {
      signal.throwIfAborted();
      if ((await history.load(id)).some((record) => record.session === session)) return id;
    }
    return undefined;
  }
}

function sentFacts({ session, outcome, ...record }: Dispatched) {
  const [cause, task] = [textOf(record['cause']), textOf(record['task'])];
  return {
    outcome,
    ...defined({ task }),
    ...(session != null && { session }),
    ...defined({ cause }),
  };
}

function receivedFacts({ state, task }: Received, plan: string) {
  return { plan, state, ...(task != null && { task }) };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
