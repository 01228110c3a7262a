import * as z from 'zod';
import type { Disposable } from '../base/disposable.ts';
import type { Diagnostic } from '../base/errors.ts';
import { beginning } from '../base/text.ts';
import { failure } from './codes.ts';
import type { RavelEvent } from './event.ts';
import { nearestNames } from './nearest.ts';
import { type ActorResults, actorRequests } from './requests/actors.ts';
import { type ApprovalResults, approvalRequests } from './requests/approvals.ts';
import { type ArchiveResults, archiveRequests } from './requests/archives.ts';
import { type CausalityResults, causalityRequests } from './requests/causality.ts';
import { type DoctorResults, doctorRequests } from './requests/doctor.ts';
import { type DocumentResults, documentRequests } from './requests/documents.ts';
import { type ExpertResults, expertRequests } from './requests/experts.ts';
import { type GoalResults, goalRequests } from './requests/goals.ts';
import { type ImportResults, importRequests } from './requests/imports.ts';
import { type IngestionResults, ingestionRequests } from './requests/ingestion.ts';
import { type InspectResults, inspectRequests } from './requests/inspect.ts';
import { type KnowledgeResults, knowledgeRequests } from './requests/knowledge.ts';
import { type ManualRunResults, manualRunRequests } from './requests/manualRuns.ts';
import { type MessageResults, messageRequests } from './requests/messages.ts';
import { type NextResults, nextRequests } from './requests/next.ts';
import { type NoticeResults, noticeRequests } from './requests/notices.ts';
import { type PlanResults, planRequests } from './requests/plans.ts';
import { type PolicyResults, policyRequests } from './requests/policy.ts';
import { type ReceiptResults, receiptRequests } from './requests/receipts.ts';
import { type RoutingResults, type RuleResults, routingRequests, ruleRequests } from './requests/routing.ts';
import { type RunResults, runRequests } from './requests/runs.ts';
import { type SearchResults, searchRequests } from './requests/search.ts';
import { type SessionResults, sessionRequests } from './requests/sessions.ts';
import { type SinceResults, sinceRequests } from './requests/since.ts';
import { type SnapshotResults, snapshotRequests } from './requests/snapshots.ts';
import { type SpendingResults, spendingRequests } from './requests/spending.ts';
import { type TerminalResults, terminalRequests } from './requests/terminals.ts';
import { type VaultResults, vaultRequests } from './requests/vault.ts';

/** Longest line either side accepts. */
export const lineBytesMax = 8 * 1024 * 1024;

/**
 * Requests: name, and the schema of its parameters. Unknown fields are ignored. The handlers stand in one table of the
 * same names (`requests.ts`); a missing one does not compile.
 */
export const requestSchemas = {
  ...vaultRequests,
  ...spendingRequests,
  ...noticeRequests,
  ...planRequests,
  ...nextRequests,
  ...sinceRequests,
  ...actorRequests,
  ...messageRequests,
  ...archiveRequests,
  ...snapshotRequests,
  ...doctorRequests,
  ...documentRequests,
  ...expertRequests,
  ...ingestionRequests,
  ...receiptRequests,
  ...importRequests,
  ...goalRequests,
  ...routingRequests,
  ...ruleRequests,
  ...runRequests,
  ...approvalRequests,
  ...manualRunRequests,
  ...inspectRequests,
  ...causalityRequests,
  ...policyRequests,
  ...searchRequests,
  ...knowledgeRequests,
  ...sessionRequests,
  ...terminalRequests,
} as const;

export interface RequestResults
  extends VaultResults,
    PlanResults,
    NextResults,
    SinceResults,
    ActorResults,
    MessageResults,
    ArchiveResults,
    SnapshotResults,
    DoctorResults,
    DocumentResults,
    ExpertResults,
    IngestionResults,
    ReceiptResults,
    ImportResults,
    GoalResults,
    RoutingResults,
    RuleResults,
    RunResults,
    ApprovalResults,
    ManualRunResults,
    InspectResults,
    CausalityResults,
    PolicyResults,
    SearchResults,
    KnowledgeResults,
    SessionResults,
    TerminalResults,
    SpendingResults,
    NoticeResults {}

export type RequestName = keyof typeof requestSchemas;
/** Parameters as the caller may write them (defaults not yet filled in). */
export type RequestParams<Name extends RequestName> = z.input<(typeof requestSchemas)[Name]>;

/** How much of an unknown name an answer repeats; the whole name could be too long for it. */
const shownNameMax = 100;

/** The name of a request; throws `server/unknownRequest` for any other text. */
export function toRequestName(text: string): RequestName {
  if (Object.hasOwn(requestSchemas, text)) return text as RequestName;
  const name = beginning(text, shownNameMax);
  // Of three letters, two are enough to come near to anything.
  const nearest = name.length > 3 ? nearestNames(name, Object.keys(requestSchemas), 2) : [];
  const help = nearest.length === 0 ? {} : { help: `Did you mean ${nearest.map((one) => `"${one}"`).join(' or ')}?` };
  throw failure('server/unknownRequest', name, `There is no request "${name}".`, help);
}

/**
 * The one interface that every face holds: the same object in the owner's process, a socket client elsewhere. A request
 * rejects with a RavelError; an aborted signal gives up waiting, and for `run_*` stops the run.
 */
export interface Api {
  request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]>;
  onEvent(listener: (event: RavelEvent) => void): Disposable;
}

/** What a client calls its request, for the answer to it. */
export const requestIdSchema = z.union([z.number().int().nonnegative(), z.string().min(1).max(200)]);

export type RequestId = z.infer<typeof requestIdSchema>;

/** A line from client to server. */
export const clientLineSchema = z.looseObject({
  id: requestIdSchema,
  /** `attach` starts the flow of events, `detach` ends it, `cancel` aborts the request whose id is in `params.id`. */
  request: z.string(),
  params: z.unknown().optional(),
});

export interface ClientLine {
  readonly id: RequestId;
  readonly request: string;
  readonly params?: unknown;
}

/**
 * A line from server to client. `dropped` tells a slow client how many of its oldest events it lost; `goodbye` that the
 * owner closes in order, and did not die.
 */
export type ServerLine =
  | { readonly id: RequestId; readonly result: unknown }
  | { readonly id: RequestId; readonly error: Diagnostic }
  | { readonly event: RavelEvent }
  | { readonly dropped: number }
  | { readonly goodbye: true };
