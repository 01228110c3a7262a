import { deriveUlid } from '../../base/ulid.ts';
import { describeMisfit } from '../../harness/toolAnswers.ts';
import { failure } from '../../model/codes.ts';
import { type KnowledgeVerbName, toolFromVerb, type VerbArgs, verbs } from '../../model/verbs.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { CallRecord } from '../proposals/callJournal.ts';
import { type PlanServices, timestamp } from '../services.ts';
import type { Transaction } from '../transaction.ts';
import type { KnowledgeReader, SessionKnowledge } from './sessionKnowledge.ts';
import { loadShown, type ShownRecord } from './shownRecord.ts';

/** A session whose call is about the knowledge. */
export interface KnowingSession {
  readonly services: Pick<PlanServices, 'disk' | 'layout' | 'clock'>;
  readonly transaction: Transaction;
  readonly location: Pick<PlanLocation, 'project'>;
  readonly knowledge: SessionKnowledge;
  readonly shown: Pick<ShownRecord, 'note'>;
  /** What it called before. */
  readonly calls: readonly CallRecord[];
  /** Aborts when nothing more is waited for. */
  readonly closing: AbortSignal;
}

/** What a call comes to: a text to read, or something that was done. */
export type KnowledgeCallEnd =
  | { readonly read: string }
  | { readonly summary: string; readonly result: { readonly entry: string; readonly isNew: boolean } };

type Args = Readonly<Record<string, unknown>>;

/** Statements that one session can stage. */
const statementsMax = 10;

/**
 * Carries out a call about the knowledge. What it shows is on record before it is answered. Throws `state/badArguments`,
 * `write/tooMany`, and what the entries and the write gate refuse.
 */
export async function knowledgeInCall(
  session: KnowingSession,
  call: string,
  verb: KnowledgeVerbName,
  args: Args,
): Promise<KnowledgeCallEnd> {
  if (verb === 'knowledge/remember') return remember(session, args);
  const { services, transaction, location, knowledge, shown, closing } = session;
  const reader: KnowledgeReader = {
    ...{ session: transaction.session, project: location.project, at: timestamp(services) },
    use: deriveUlid(['shown', transaction.session, call]),
  };
  const { answer, text, entries } =
    verb === 'knowledge/search'
      ? await knowledge.search(parsed(verb, args, transaction), reader, closing)
      : await knowledge.show(parsed(verb, args, transaction), reader, closing);
  await shown.note({ text, entries: [...entries] });
  return { read: answer };
}

/** Immediate, as for other agents: a statement stands by itself, whatever becomes of the phase. */
async function remember(
  { services, transaction, knowledge, calls, closing }: KnowingSession,
  args: Args,
): Promise<KnowledgeCallEnd> {
  const { plan, session } = transaction;
  const statement = parsed('knowledge/remember', args, transaction);
  const before = calls.filter((record) => record.verb === 'knowledge/remember').length;
  if (before >= statementsMax) {
    throw failure('write/tooMany', plan, `A session can stage ${statementsMax} statements; this one was not stored.`, {
      help: 'Leave it in the results of your task: the reflection decides what stays.',
    });
  }
  const { texts: given } = await loadShown(services.disk, services.layout.session(session));
  const result = await knowledge.remember(statement, { plan, session, given }, closing);
  const { entry, isNew } = result;
  const summary = isNew
    ? `${entry} has it now, staged and with low confidence`
    : `nothing was added: ${entry} says this already`;
  return { summary, result };
}

function parsed<Name extends KnowledgeVerbName>(name: Name, args: Args, { plan }: Transaction): VerbArgs<Name> {
  const { data, error } = verbs[name].args.safeParse(args);
  if (error === undefined) return data as VerbArgs<Name>;
  throw failure('state/badArguments', plan, describeMisfit(toolFromVerb(name), error));
}
