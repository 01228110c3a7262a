import type * as z from 'zod';
import type { Supervisor } from '../actors/supervisor.ts';
import type { Emitter } from '../base/emitter.ts';
import type { ApprovalService } from '../decisions/approvalService.ts';
import type { VaultApprovalHandlers } from '../decisions/vaultApprovals.ts';
import type { ExpertRegistry } from '../experts/expertRegistry.ts';
import type { Ingester } from '../experts/ingestion/ingester.ts';
import type { ReceiptSituation } from '../experts/receiptKey.ts';
import type { Receipts } from '../experts/receipts.ts';
import type { Consultations } from '../harness/consultations.ts';
import type { CatalogWriter } from '../housekeeping/catalogWriter.ts';
import type { Relocations } from '../housekeeping/relocations.ts';
import type { EntryDeletion } from '../knowledge/entries/deletion.ts';
import type { KnowledgeBase } from '../knowledge/entries/knowledgeBase.ts';
import type { Remembering } from '../knowledge/entries/remembering.ts';
import type { VaultSearch } from '../knowledge/search/vaultSearch.ts';
import type { EntryUse } from '../knowledge/uses/entryUse.ts';
import type { UseJournal } from '../knowledge/uses/useJournal.ts';
import { failure } from '../model/codes.ts';
import type { RavelEvent } from '../model/event.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { RequestName, RequestResults, requestSchemas } from '../model/protocol.ts';
import type { AnswerReceipt } from '../model/receipt.ts';
import type { NoticeClaims } from '../notifications/noticeClaims.ts';
import type { ManualRuns } from '../plans/phases/manualRuns.ts';
import type { PhaseHistory } from '../plans/phases/phaseHistory.ts';
import type { PhaseRunner } from '../plans/phases/phaseRunner.ts';
import type { RunLocks } from '../plans/phases/runLocks.ts';
import type { Spending } from '../plans/phases/spending.ts';
import type { WorkTrees } from '../plans/phases/workTrees.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import type { PlanServices } from '../plans/services.ts';
import type { LiveSessions } from '../plans/sessions/liveSessions.ts';
import type { Transcripts } from '../plans/transcripts.ts';
import type { AnswerQueue } from '../questions/answerQueue.ts';
import type { RecentDecisions } from '../routing/history/recentDecisions.ts';
import type { RoutingHistory } from '../routing/history/routingHistory.ts';
import type { BackTestInputs, Suggestions } from '../routing/learning/suggestions.ts';
import type { RecipientDirectory } from '../routing/recipientDirectory.ts';
import type { RuleStore } from '../routing/rules/ruleStore.ts';
import type { RoutingKnowledgeBase } from '../routing/steps/knowledge.ts';
import type { Router } from '../routing/steps/router.ts';
import type { LiveSettings } from '../vault/liveSettings.ts';
import type { VaultScanner } from '../vault/vaultScanner.ts';
import type { VaultWatch } from '../vault/vaultWatch.ts';

/** Whatever finds out where messages go. */
export interface Routing {
  readonly router: Router;
  readonly history: RoutingHistory;
  readonly recent: RecentDecisions;
  readonly recipients: RecipientDirectory;
  readonly ruleStore: RuleStore;
  readonly suggestions: Suggestions;
  /** What rules are held against, with all of the history. */
  readonly backTestInputs: () => Promise<BackTestInputs>;
  readonly knowledge: RoutingKnowledgeBase;
  /** Soon reads what places are scored by, so that the first message need not wait for it. */
  begin(options: { readonly watches: boolean }): void;
  stop(): Promise<void>;
}

/** What a vault knows. */
export interface Knowledge {
  readonly base: () => Promise<KnowledgeBase>;
  /** Takes the statements of agents and sessions, one after the other. */
  readonly remembering: () => Promise<Remembering>;
  readonly uses: UseJournal;
  /** The id and the time of a new use. */
  readonly newUse: () => Pick<EntryUse, 'use' | 'at'>;
  /** Asks a person whether an entry is to be deleted; a question that is open already is not asked again. */
  readonly ask: (deletion: EntryDeletion) => Promise<Ulid>;
}

/** What an owner settles behind its start, of what an earlier one left. */
export interface SettledStart {
  /** Everything. */
  readonly done: Promise<void>;
  /** Resolves once one plan is settled. */
  of(plan: QualifiedId): Promise<void>;
  /** Resolves once the plans are that the index of what is under way names. */
  named(): Promise<void>;
}

export interface RequestContext {
  readonly services: PlanServices;
  readonly directory: PlanDirectory;
  readonly scanner: VaultScanner;
  readonly vaultSearch: Pick<VaultSearch, 'search'>;
  readonly knowledge: Knowledge;
  readonly locks: RunLocks;
  /** The folder of the experts and entries that come with Ravel. */
  readonly shipped: string;
  readonly runner: PhaseRunner;
  readonly spending: Spending;
  /** Delivers no messages if `isOwner` is false. */
  readonly actors: Supervisor;
  readonly send: Supervisor['send'];
  readonly live: LiveSessions;
  readonly consultations: Consultations;
  readonly manualRuns: ManualRuns;
  readonly history: PhaseHistory;
  readonly transcripts: Transcripts;
  readonly approvals: ApprovalService;
  readonly vaultApprovals: VaultApprovalHandlers;
  readonly relocations: Relocations;
  readonly trees: WorkTrees;
  readonly catalog: CatalogWriter;
  readonly liveSettings: LiveSettings;
  /** Absent if nothing watches for changes that others make. */
  readonly watch?: Pick<VaultWatch, 'reconcile'>;
  /** Absent if the vault has no owner. */
  readonly claims?: NoticeClaims;
  /** Absent if the vault has no owner: there is nothing to settle then. */
  readonly start?: SettledStart;
  readonly routing: Routing;
  readonly registry: ExpertRegistry;
  /** Takes what plans prove into the knowledge; loaded with its first use. */
  readonly ingester: () => Promise<Ingester>;
  readonly receipts: Receipts;
  /** What the question of a receipt would be asked with now. */
  readonly situationOf: (receipt: AnswerReceipt, signal: AbortSignal) => Promise<ReceiptSituation>;
  /** Answers nothing if `isOwner` is false. */
  readonly answers: AnswerQueue;
  readonly events: Emitter<RavelEvent>;
  readonly version: string;
  readonly isOwner: boolean;
}

export type ParsedParams<Name extends RequestName> = z.output<(typeof requestSchemas)[Name]>;

export type Handler<Name extends RequestName> = (
  context: RequestContext,
  params: ParsedParams<Name>,
  signal: AbortSignal,
) => Promise<RequestResults[Name]>;

/** Handlers of one noun's requests. */
export type HandlersOf<Schemas> = { readonly [Name in keyof Schemas & RequestName]: Handler<Name> };

export function assertOwner({ isOwner, services }: Pick<RequestContext, 'services' | 'isOwner'>): void {
  if (!isOwner) throw failure('vault/owned', services.layout.root, 'This process does not own the vault.');
}
