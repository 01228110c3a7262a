import type { Delivery, Postponed } from '../../actors/behaviour.ts';
import { rejectOnAbort } from '../../base/abort.ts';
import { isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import type { Json } from '../../model/json.ts';
import type { Message } from '../../model/message.ts';
import { type PlanTexts, planFiles } from '../../model/plan.ts';
import { changePlanFileOnce } from '../proposals/planWriter.ts';
import type { PlanServices, PlanWriterPorts } from '../services.ts';
import type { LiveSessions } from '../sessions/liveSessions.ts';
import type { Note } from '../sessions/sessionNotes.ts';
import { addToInbox } from './inbox.ts';
import { archiveMessages, isArchived } from './messageArchive.ts';
import type { MessageRecord } from './messageRecords.ts';

export interface IntakeParts {
  readonly services: PlanServices;
  readonly live: Pick<LiveSessions, 'of' | 'note' | 'isStopped'>;
}

/** Effects of a message, in order; the mailbox keeps how far they have come. */
const effects = { session: 0, prepared: 1 } as const;

/**
 * The session that has the note; undefined if none took it. Which session is asked is decided once and written down
 * first: a later delivery can then look whether that one had taken it, even if it has ended since. While Ravel stops,
 * sessions are let go and may run still: then nothing is decided, and the note waits for the next owner.
 */
export async function takeNote(
  live: IntakeParts['live'],
  plan: QualifiedId,
  note: Note,
  delivery: Delivery,
): Promise<Ulid | undefined> {
  const decided = delivery.done(effects.session);
  if (decided === undefined && live.isStopped) return untilDropped(delivery.signal);
  const session = decided === undefined ? live.of(plan) : toSession(decided);
  if (decided === undefined) await delivery.record(effects.session, session ?? null);
  if (session === undefined) return undefined;
  if (await live.note(session, note)) return session;
  return live.isStopped ? untilDropped(delivery.signal) : undefined;
}

/** One entry of the backlog's `received`, exactly once; or what it has to wait for. */
export async function receive(
  services: PlanWriterPorts,
  plan: QualifiedId,
  record: MessageRecord,
  delivery: Delivery,
): Promise<Postponed | undefined> {
  let postponed = undefined as Postponed | undefined;
  await changeBacklogOnce(services, plan, { id: record.id, at: String(record['at']), delivery }, (texts) => {
    const added = addToInbox(texts, plan, record, { isBegun: isBegun(delivery) });
    postponed = added.kind === 'postponed' ? added : undefined;
    return added.kind === 'added' ? added.text : undefined;
  });
  return postponed;
}

/**
 * Whether the message's change to the backlog is already prepared in a file beside it. If so, it is made whether there
 * is room or not: the file must not lie there for days, because a user who tidies up would remove it, and its absence
 * means that the change was made.
 */
export function isBegun(delivery: Delivery): boolean {
  return delivery.done(effects.prepared) !== undefined;
}

/** Far from the size at which a backlog takes nothing in, and above what its new entries say together. */
const roomNeededBytes = 2 * 1024 * 1024;

/**
 * A change of the plan's backlog that belongs to a message, and is made once; at most one for a message. `at`: when the
 * message was sent. A backlog that is large gives up what is done with first.
 */
export async function changeBacklogOnce(
  services: PlanWriterPorts,
  plan: QualifiedId,
  { id, at, delivery }: { readonly id: string; readonly at: string; readonly delivery: Delivery },
  decide: (texts: PlanTexts) => string | undefined,
): Promise<void> {
  if (!isBegun(delivery)) {
    if (await isArchived(services, plan, { id, at })) return;
    await archiveMessages(services, plan, roomNeededBytes);
  }
  const change = {
    file: planFiles.backlog,
    id,
    wasPrepared: delivery.done(effects.prepared) !== undefined,
    recordPrepared: () => delivery.record(effects.prepared, true),
  };
  await changePlanFileOnce(services, plan, change, decide);
}

/** The place of a received message in its chain, if others led to it. */
export function chainFields({ depth, origin }: Pick<Message, 'depth' | 'origin'>): Partial<MessageRecord> {
  return depth === 0 ? {} : { depth, origin };
}

function untilDropped(signal: AbortSignal): Promise<never> {
  return rejectOnAbort(new Promise(() => undefined), signal);
}

function toSession(decided: Json): Ulid | undefined {
  return typeof decided === 'string' && isUlid(decided) ? decided : undefined;
}
