// Builds the parts that find the receivers of messages and learn rules.

import { basename } from 'node:path';
import type { Supervisor } from './actors/supervisor.ts';
import { runInSlices } from './base/async.ts';
import { CachedPromise } from './base/cachedPromise.ts';
import { formatTimestamp } from './base/clock.ts';
import type { Disposable } from './base/disposable.ts';
import { type Diagnostic, messageOf } from './base/errors.ts';
import type { BackgroundIngestion } from './coreIngestion.ts';
import type { VaultApprovalHandler, VaultApprovalHandlers } from './decisions/vaultApprovals.ts';
import type { ExpertRegistry } from './experts/expertRegistry.ts';
import { createIngestionHandlers } from './experts/ingestion/ingestionHandlers.ts';
import type { AcceptParts } from './goals/acceptPlans.ts';
import { createDeletionHandler } from './knowledge/entries/deletionHandler.ts';
import type { VaultApprovalKind } from './model/approval.ts';
import { diagnostic } from './model/codes.ts';
import { createVaultApprovals, type VaultApprovals } from './plans/approvals/vaultApprovals.ts';
import type { PlanDirectory } from './plans/planDirectory.ts';
import { emitFor, type PlanServices } from './plans/services.ts';
import type { Knowledge, Routing } from './requests/handlers.ts';
import { ContentIndex } from './routing/content/contentIndex.ts';
import { historyWaitMs, RecentDecisions } from './routing/history/recentDecisions.ts';
import { RoutingHistory } from './routing/history/routingHistory.ts';
import { createBackTestInputs } from './routing/learning/backTestInputs.ts';
import { Proposer } from './routing/learning/proposer.ts';
import { proposing } from './routing/learning/ruleMining.ts';
import { createSuggestionHandler, type SuggestionHandlerParts } from './routing/learning/suggestionHandler.ts';
import { type SuggestionParts, Suggestions } from './routing/learning/suggestions.ts';
import { RecipientDirectory } from './routing/recipientDirectory.ts';
import { RuleStore } from './routing/rules/ruleStore.ts';
import { LeadsFile } from './routing/scores/leadsFile.ts';
import { TaskLeads } from './routing/scores/taskLeads.ts';
import { askFacts, type ModelFactsPorts } from './routing/sessions/modelFacts.ts';
import { askRouteSession, type RouteSessionPorts } from './routing/sessions/routeSession.ts';
import { RoutingKnowledgeBase } from './routing/steps/knowledge.ts';
import { Router } from './routing/steps/router.ts';
import { createUnroutableHandler, unroutableSubject } from './routing/steps/unroutableHandler.ts';
import type { VaultScanner } from './vault/vaultScanner.ts';

/**
 * All parts that find out where messages go. They read nothing and ask no person before `router.open` and `router.resume`,
 * which only the owner of the vault calls.
 */
export function createRouting(
  services: PlanServices,
  parts: {
    readonly directory: PlanDirectory;
    readonly scanner: VaultScanner;
    readonly registry: ExpertRegistry;
    readonly send: Supervisor['send'];
    /** The bundle of the thread that reads the history. */
    readonly program: string;
    /** Of Ravel; a cache of another one is not used. */
    readonly version: string;
  },
): Routing {
  const { disk, layout, clock, log, settings, emit, onEvent } = services;
  const { directory, scanner, registry, send, program, version } = parts;
  let isWatched = false;
  const recipients = new RecipientDirectory({
    ...{ disk, layout },
    experts: () => registry.current(),
    plans: async (isAfresh) => (await (isAfresh ? directory.rescan() : directory.all())).plans,
    descriptions: async () =>
      (await scanner.outlines()).seen.map(({ plan, value }) => ({ plan, description: value.description })),
  });
  const content = new ContentIndex({ disk, layout, clock, isWatched: () => isWatched });
  const changes = onEvent((event) => {
    recipients.onEvent(event);
    content.onEvent(event);
    if (event.type === 'message.routed') proposer.recordRouted();
    // A fault is told as soon as it is saved, and not only when the next message is routed.
    if (event.type === 'vault.changed' && event.files.includes(basename(layout.routing))) void ruleStore.page();
  });
  const reportProblem = (problem: Diagnostic): void => {
    log.warn(problem.message, { code: problem.code });
    emit({ at: formatTimestamp(clock.wallMs()), actor: 'vault', type: 'diagnostic', diagnostic: problem });
  };
  const recent = new RecentDecisions({
    ...{ disk, clock, log, program },
    onLate: () =>
      reportProblem(diagnostic('routing/historyLate', layout.routingHistory, lateMessage, { severity: 'warning' })),
  });
  const history = new RoutingHistory({
    ...{ disk, path: layout.routingHistory },
    onAppended: (record, line) => recent.record(record, line),
    onBadLine: (offset) => log.warn('a line of the routing history cannot be read', { offset }),
    onError: (error) =>
      log.warn('a file of the routing history stays longer than it should', { error: messageOf(error) }),
  });
  const index = () => recent.ready(history);
  const ruleStore = new RuleStore({ disk, layout, onDiagnostic: reportProblem });
  const knowledge = new RoutingKnowledgeBase({
    rules: () => ruleStore.page(),
    recipients,
    index: () => recent.inTime(history),
    content,
    taskLeads: new TaskLeads({ content, file: new LeadsFile({ disk, layout, log, version }) }),
    settings: settings.routing,
  });
  const questions = createVaultApprovals(services);
  const backTestInputs = createBackTestInputs({ index, recipients });
  const suggestions = new Suggestions({
    ruleStore,
    questions,
    backTestInputs,
    propose: proposedRules,
    onDiagnostic: reportProblem,
  });
  const proposer = new Proposer({
    every: settings.routing['propose-every'],
    propose: (signal) => suggestions.propose(signal),
    onError: (error) => log.warn('no rules could be proposed', { error: messageOf(error) }),
  });
  let warming: Disposable | undefined;
  const router = createRouter(services, {
    send,
    recipients,
    history,
    knowledge,
    ruleStore,
    questions,
    suggestions,
  });
  return {
    begin({ watches }) {
      isWatched = watches;
      warming = clock.schedule(warmAfterMs, () => {
        index().catch((error: unknown) => log.warn('the routing history cannot be read', { error: messageOf(error) }));
      });
    },
    ...{ router, history, recent, recipients, ruleStore, knowledge, suggestions, backTestInputs },
    async stop() {
      changes.dispose();
      warming?.dispose();
      recent.stop();
      await proposer.stop();
      await router.stop();
    },
  };
}

const lateMessage = `The routing history could not be read within ${historyWaitMs / 1000} seconds; messages are routed without it.`;

/** By then, an owner that serves one command is gone, and an early message without a target still waits only briefly. */
const warmAfterMs = 2_000;

type RouterNeeds = Pick<Routing, 'recipients' | 'history' | 'knowledge' | 'ruleStore' | 'suggestions'> & {
  readonly send: Supervisor['send'];
  readonly questions: VaultApprovals;
};

function createRouter(services: PlanServices, needs: RouterNeeds): Router {
  const { disk, layout, clock, log, settings, newUlid, emit } = services;
  const { send, recipients, history, knowledge, ruleStore, questions, suggestions } = needs;
  const { routing } = settings;
  /** With the limits and the model that hold when it is asked. */
  const asking = (): RouteSessionPorts & ModelFactsPorts => ({
    ...{ disk, layout, newUlid, recipients, model: routing.model, consult: services.consult },
    timeMs: routing['level-2-minutes'] * 60_000,
    factsTimeMs: routing['facts-seconds'] * 1000,
    knowledge: () => knowledge.current(),
    vocabulary: async () => (await knowledge.current()).vocabulary,
    whyNot: (rule, message) => knowledge.whyNot(rule, message),
    contradicted: (rule, signal) => knowledge.contradicted(rule, signal),
  });
  return new Router({
    ...{ disk, layout, clock, log, newUlid, emit, send, recipients, history, settings: settings.routing },
    knowledge: () => knowledge.current(),
    rules: async () => (await ruleStore.page()).rules,
    askRouteSession: (question, signal) => askRouteSession(asking(), question, signal),
    findFacts: (message, session, signal) => askFacts(asking(), { message, session }, signal),
    endOrphan: (session) => services.endOrphan(session),
    async askPerson(question, id) {
      await questions.open({ kind: 'unroutable-message', subject: unroutableSubject(question), details: question, id });
    },
    async suggest(suggestion) {
      await suggestions.suggest(suggestion);
    },
  });
}

/** The effects of decisions about goals, suggested rules, messages without a receiver, and entries of the knowledge. */
export function createVaultApprovalHandlers(
  services: PlanServices,
  {
    routing,
    knowledge: { base },
    ingestion,
    makePlans,
  }: {
    readonly routing: Routing;
    readonly knowledge: Pick<Knowledge, 'base'>;
    readonly ingestion: Pick<BackgroundIngestion, 'ingester'>;
    readonly makePlans: Omit<AcceptParts, 'services'>;
  },
): VaultApprovalHandlers {
  return {
    ...loadedHandlers(['new-plans', 'goal-question'], async () => {
      const { createGoalHandlers } = await import('./goals/goalHandlers.ts');
      return createGoalHandlers({ services, ...makePlans });
    }),
    ...createIngestionHandlers({ knowledge: base, ingester: () => ingestion.ingester() }),
    'rule-suggestion': createSuggestionHandler(suggestionParts(services, routing)),
    'unroutable-message': createUnroutableHandler(routing.router),
    'entry-deletion': createDeletionHandler(base),
  };
}

/** Handlers that a vault loads at its first question of these kinds. */
function loadedHandlers<Kind extends VaultApprovalKind>(
  kinds: readonly Kind[],
  load: () => Promise<Readonly<Record<Kind, VaultApprovalHandler>>>,
): Readonly<Record<Kind, VaultApprovalHandler>> {
  const loaded = new CachedPromise<Readonly<Record<Kind, VaultApprovalHandler>>>();
  const handlers = kinds.map((kind): [Kind, VaultApprovalHandler] => {
    const handler = async () => (await loaded.get(load))[kind];
    return [
      kind,
      {
        describe: async (approval) => (await handler()).describe(approval),
        check: async (approval, answer) => (await handler()).check(approval, answer),
        carryOut: async (decision) => (await handler()).carryOut(decision),
      },
    ];
  });
  return Object.fromEntries(handlers) as Record<Kind, VaultApprovalHandler>;
}

function suggestionParts(services: PlanServices, { suggestions, ruleStore }: Routing): SuggestionHandlerParts {
  const { git, layout, vaultCommits, settings } = services;
  return {
    ...{ suggestions, ruleStore, git, root: layout.root, vaultCommits },
    isCommitted: () => settings.vault.commit !== 'never',
    onDiagnostic: (problem) => emitFor(services, 'vault', { type: 'diagnostic', diagnostic: problem }),
  };
}

/** A long history is searched in slices, so that other work continues meanwhile. */
const proposedRules: SuggestionParts['propose'] = async (
  { index, recipients, prepared },
  { rules, refused, signal },
) => {
  const proposals = await runInSlices(proposing(index, { rules, recipients, prepared, refused }), signal);
  return proposals.map(({ suggestion }) => suggestion);
};
