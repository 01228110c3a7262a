import { formatTimestamp } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { partsFolder } from '../base/journalParts.ts';
import { type ActivityFact, type Bounded, bounded, summarizeActivity } from '../model/activity.ts';
import { isVaultApproval } from '../model/approval.ts';
import { isRollback } from '../model/history.ts';
import type { QualifiedId } from '../model/id.ts';
import { person } from '../model/person.ts';
import type { RouteRow } from '../model/requests/routing.ts';
import type { sinceRequests, WaitingItem } from '../model/requests/since.ts';
import { decisionFolder } from '../plans/approvals/decisions.ts';
import { entriesAddedSince } from '../plans/origins.ts';
import { toRow } from '../plans/phases/status.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { approvalHandlers } from './approvals.ts';
import type { HandlersOf, RequestContext } from './handlers.ts';

const plansShown = 20;
const itemsShown = 10;
/** Messages of the history that are looked through, the newest first. */
const messagesMax = 2000;
const messagePage = 200;

export const activityHandlers: HandlersOf<typeof sinceRequests> = {
  async since(context, { since, plans = plansShown, items = itemsShown }, signal) {
    const sinceMs = wholeSecond(Date.parse(since));
    const until = formatTimestamp(context.services.clock.wallMs());
    const diagnostics: Diagnostic[] = [];
    const scan = await context.scanner.overviews(signal);
    context.directory.keep(scan);
    const facts = [
      ...(await factsOfPlans(context, scan.plans, sinceMs, diagnostics)),
      ...(await decisionsSince(context, sinceMs)),
      ...(await messagesSince(context, sinceMs, signal)),
      ...(await costsSince(context, sinceMs)),
      ...(await knowledgeSince(context, sinceMs, diagnostics)),
    ];
    signal.throwIfAborted();
    const rows = scan.seen.map(({ plan, value }) => toRow(plan.id, value));
    return {
      ...{ since: formatTimestamp(sinceMs), until },
      ...summarizeActivity(facts, { plans, items }),
      waiting: await waitingNow(context, rows, items, signal),
      diagnostics: [...scan.diagnostics, ...diagnostics],
    };
  },
};

/** Records have whole seconds: what happened in the same second is shown rather than lost. */
function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

/** What the history of each plan says, and what was added to its memory; a history that was not written since is not read. */
async function factsOfPlans(
  context: RequestContext,
  plans: readonly PlanLocation[],
  sinceMs: number,
  diagnostics: Diagnostic[],
): Promise<ActivityFact[]> {
  const { services, history } = context;
  const { layout } = services;
  await history.written();
  const changed = await changedSince(context, [layout.histories, layout.plans], sinceMs);
  const facts: ActivityFact[] = [];
  for (const { id } of plans) {
    const path = layout.history(id);
    if (changed.has(path) || changed.has(partsFolder(path))) {
      await keepGoing(diagnostics, async () => {
        for (const record of await history.since(id, sinceMs)) {
          const at = { of: id, atMs: Date.parse(record.endedAt) };
          facts.push(isRollback(record) ? { kind: 'rollback', ...at, record } : { kind: 'phase', ...at, record });
        }
      });
    }
    if (changed.has(layout.origins(id))) {
      await keepGoing(diagnostics, async () => {
        for (const { at, title } of await entriesAddedSince(services, id, sinceMs)) {
          facts.push({ kind: 'learned', of: id, atMs: Date.parse(at), title, place: 'memory' });
        }
      });
    }
  }
  return facts;
}

/** Files and folders in these folders that were written since; of ten thousand plans most were not. */
async function changedSince(
  { services: { disk } }: RequestContext,
  folders: readonly string[],
  sinceMs: number,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>();
  for (const folder of folders) {
    for (const { name } of await listIfThere(disk, folder)) {
      const path = `${folder}/${name}`;
      // One that is removed meanwhile says nothing any more.
      const stat = await disk.stat(path).catch(() => undefined);
      if (stat !== undefined && stat.mtimeMs >= sinceMs) changed.add(path);
    }
  }
  return changed;
}

/** A damaged file costs only what it holds. */
async function keepGoing(diagnostics: Diagnostic[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isRavelError(error)) throw error;
    diagnostics.push(error.diagnostic);
  }
}

async function decisionsSince({ services }: RequestContext, sinceMs: number): Promise<ActivityFact[]> {
  const folder = decisionFolder(services);
  const facts: ActivityFact[] = [];
  for (const id of await folder.list()) {
    const stat = await services.disk.stat(folder.fileOf(id)).catch(() => undefined);
    if (stat === undefined || stat.mtimeMs < sinceMs) continue;
    const found = await folder.loadUndamaged(id);
    const atMs = Date.parse(found?.at ?? '');
    if (found === undefined || !(atMs >= sinceMs)) continue;
    const { kind: question, subject, decision, by, plan = 'vault' } = found;
    const decided = { approval: id, question, subject, decision, by };
    facts.push({ kind: 'decision', of: plan, atMs, ...decided });
  }
  return facts;
}

async function messagesSince(
  { routing }: RequestContext,
  sinceMs: number,
  signal: AbortSignal,
): Promise<ActivityFact[]> {
  const facts: ActivityFact[] = [];
  let before: RouteRow['message'] | undefined;
  for (let seen = 0; seen < messagesMax; ) {
    signal.throwIfAborted();
    const page = await routing.history.page(messagePage, before);
    for (const row of page.routes) {
      if (Date.parse(row.firstAt ?? row.at) < sinceMs) return facts;
      facts.push(...factsOfMessage(row));
    }
    if (page.next === undefined) return facts;
    before = page.next;
    seen += messagePage;
  }
  return facts;
}

function factsOfMessage({ message, at, from, outcome, excerpt }: RouteRow): ActivityFact[] {
  const atMs = Date.parse(at);
  const to = outcome.kind === 'routed' ? outcome.to : undefined;
  const refused = outcome.kind === 'refused' ? outcome.reason : undefined;
  const about = { atMs, message, text: excerpt };
  return [
    ...(from === person ? [] : [{ kind: 'sent' as const, of: from, ...about, ...defined({ with: to, refused }) }]),
    ...(to === undefined ? [] : [{ kind: 'received' as const, of: to, ...about, with: from }]),
  ];
}

async function costsSince({ spending }: RequestContext, sinceMs: number): Promise<ActivityFact[]> {
  const records = await spending.since(sinceMs);
  return records.map(({ plan, at, usd }) => ({
    kind: 'paid',
    of: plan as QualifiedId | 'vault',
    atMs: Date.parse(at),
    usd,
  }));
}

/** What became an entry, by the cycle that taught it. */
async function knowledgeSince(
  { ingester }: RequestContext,
  sinceMs: number,
  diagnostics: Diagnostic[],
): Promise<ActivityFact[]> {
  const found = await (await ingester()).all();
  diagnostics.push(...found.diagnostics);
  return found.records.flatMap(({ at, plan, candidates }) => {
    const atMs = Date.parse(at);
    if (!(atMs >= sinceMs)) return [];
    const added = candidates.filter(({ state }) => state === 'added');
    return added.map(({ title }) => ({ kind: 'learned' as const, of: plan, atMs, title, place: 'knowledge' as const }));
  });
}

/** Questions, the oldest first, then phases that did not finish, and paused runs. */
async function waitingNow(
  context: RequestContext,
  rows: readonly ReturnType<typeof toRow>[],
  items: number,
  signal: AbortSignal,
): Promise<Bounded<WaitingItem>> {
  const { approvals } = await approvalHandlers.approvals(context, {}, signal);
  const asked = new Set(approvals.flatMap(({ plan, kind }) => (isVaultApproval(kind) ? [] : (plan ?? []))));
  const questions = approvals.map(({ approval, kind, plan, subject }) => ({
    ...{ kind, approval, text: subject },
    ...defined({ plan }),
  }));
  const others = rows.flatMap(({ plan, waiting, paused }): WaitingItem[] => {
    if (waiting !== undefined) return asked.has(plan) ? [] : [{ kind: 'unfinished-phase', plan, text: waiting }];
    if (paused === undefined) return [];
    return [{ kind: 'paused-run', plan, text: `${paused.done} of ${paused.cycles} cycles are done` }];
  });
  return bounded([...questions, ...others], items);
}
