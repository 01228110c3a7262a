import type { Behaviour, Delivery } from '../../actors/behaviour.ts';
import type { Code } from '../../model/codes.ts';
import { isUlid, type QualifiedId, type Ulid } from '../../model/id.ts';
import type { Json } from '../../model/json.ts';
import type { Message, MessageOutcome } from '../../model/message.ts';
import { planFiles } from '../../model/plan.ts';
import { changePlanFileOnce } from '../proposals/planWriter.ts';
import type { PlanServices } from '../services.ts';
import type { LiveSessions } from '../sessions/liveSessions.ts';
import { type Note, noteReason } from '../sessions/sessionNotes.ts';
import { appendMessage, type MessageRecord } from './messageRecords.ts';

export interface PlanActorParts {
  readonly services: PlanServices;
  readonly live: Pick<LiveSessions, 'of' | 'note' | 'isStopped'>;
}

/** What a plan does with its messages; its phases are no messages, and nothing of them is here (design 4). */
export function createPlanActor(parts: PlanActorParts, plan: QualifiedId): Behaviour {
  return {
    handle: (message, delivery) => handle(parts, plan, message, delivery),
    // It holds nothing: what a plan is, is in its files.
    stop: async () => undefined,
  };
}

async function handle(
  parts: PlanActorParts,
  plan: QualifiedId,
  message: Message,
  delivery: Delivery,
): Promise<MessageOutcome> {
  const { id, from, ts: at } = message;
  const { services, live } = parts;
  switch (message.type) {
    case 'dispatch': {
      const { reason, body } = message;
      return receive(services, plan, { id, from, at, reason, body, state: 'new' }, delivery);
    }
    case 'note': {
      const { text } = message;
      const session = await takeNote(live, plan, { id, at, text }, delivery);
      if (session !== undefined) return { kind: 'done', summary: `left for session ${session}` };
      return receive(services, plan, { id, from, at, reason: noteReason, body: text, state: 'new' }, delivery);
    }
    case 'query':
      return rejected(
        'message/notYetImplemented',
        'A plan answers no questions yet; ask a person, or send it a dispatch.',
      );
    case 'tick':
      return rejected('message/notYetImplemented', 'A plan has no schedule yet.');
  }
}

/** Effects of a message, in order; the mailbox keeps how far they have come. */
const effects = { session: 0, prepared: 1 } as const;

/**
 * The session that has the note; undefined where none took it. Which session is asked is decided once and written down
 * first: a later delivery can then look whether that one had taken it, even where it has ended since. While Ravel stops,
 * sessions are let go and may run still: then nothing is decided, and the note waits for the next owner.
 */
async function takeNote(
  live: PlanActorParts['live'],
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

function untilDropped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const drop = () => reject(signal.reason);
    if (signal.aborted) drop();
    signal.addEventListener('abort', drop, { once: true });
  });
}

function toSession(decided: Json): Ulid | undefined {
  return typeof decided === 'string' && isUlid(decided) ? decided : undefined;
}

/** One entry of the backlog's `received`, exactly once. */
async function receive(
  services: PlanServices,
  plan: QualifiedId,
  record: MessageRecord,
  delivery: Delivery,
): Promise<MessageOutcome> {
  const change = {
    file: planFiles.backlog,
    id: record.id,
    wasPrepared: delivery.done(effects.prepared) !== undefined,
    notePrepared: () => delivery.record(effects.prepared, true),
  };
  await changePlanFileOnce(services, plan, change, (texts) => appendMessage(texts, plan, 'received', record));
  return { kind: 'done', summary: 'received' };
}

function rejected(code: Code, reason: string): MessageOutcome {
  return { kind: 'rejected', code, reason };
}
