import type { Delivery, Postponed } from '../../actors/behaviour.ts';
import { firstLine } from '../../base/text.ts';
import { isUlid, type QualifiedId } from '../../model/id.ts';
import type { Message, MessageOutcome } from '../../model/message.ts';
import { planFiles } from '../../model/plan.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { answerReason, type Note, wasDelivered } from '../sessions/sessionNotes.ts';
import { addToInbox } from './inbox.ts';
import { changeBacklogOnce, type IntakeParts, isBegun, takeNote } from './intake.ts';
import { backlogFrom, editOutcomes, type MessageRecord } from './messageRecords.ts';
import { replyText } from './outcomeText.ts';

type ReplyMessage = Extract<Message, { type: 'reply' }>;

/**
 * What became of a message that this plan had sent: its record says so. What a question comes to is also told to the
 * session that runs, or else to the next triage, unless the session that asked had it with its own call. What is to be
 * an entry of an inbox that has no room waits, and nothing is noted until then.
 */
export async function takeReply(
  parts: IntakeParts,
  plan: QualifiedId,
  reply: ReplyMessage,
  delivery: Delivery,
): Promise<MessageOutcome | Postponed> {
  const { services, live } = parts;
  const note = await noteOf(parts, plan, reply);
  const session = note === undefined ? undefined : await takeNote(live, plan, note, delivery);
  const isReceived = note !== undefined && session === undefined;
  let postponed = undefined as Postponed | undefined;
  await changeBacklogOnce(services, plan, { id: reply.id, at: reply.ts, delivery }, (texts) => {
    const noted = editOutcomes(texts, plan, new Map([[reply.re, replyText(reply)]]), { isFirst: isOfRouter(reply) });
    if (!isReceived) return noted;
    const now = noted === undefined ? texts : new Map([...texts, [planFiles.backlog, noted]]);
    const added = addToInbox(now, plan, entryOf(note, reply), { isBegun: isBegun(delivery) });
    postponed = added.kind === 'postponed' ? added : undefined;
    return added.kind === 'added' ? (added.text ?? noted) : undefined;
  });
  if (postponed !== undefined) return postponed;
  if (session !== undefined) return done(`left for session ${session}`);
  return done(isReceived ? 'received' : `noted: ${replyText(reply)}`);
}

function done(summary: string): MessageOutcome {
  return { kind: 'done', summary };
}

function entryOf(note: Note, { from, re }: ReplyMessage): MessageRecord {
  const { id, at, text, answer } = note;
  return { id, from: answer?.by ?? from, at, reason: answerReason(note), body: text, state: 'new', re };
}

/** What is to be told of a question's end; undefined for a dispatch, and for what the asking session was told. */
async function noteOf({ services }: IntakeParts, plan: QualifiedId, reply: ReplyMessage): Promise<Note | undefined> {
  const { disk, layout } = services;
  const texts = await loadPlanTexts(disk, layout.plan(plan), [planFiles.backlog]);
  const sent = backlogFrom(texts, plan).dispatched?.find(({ id }) => id === reply.re);
  const { id, ts: at, re, by = reply.from, about } = reply;
  // The record of an old question is in the archive, and its answer can still be in use.
  if (about === 'stale')
    return { id, at, text: reply.text, answer: { query: re, by, question: firstLine(sent?.body ?? re) } };
  if (sent?.kind !== 'query' || about === 'routed' || about === 'waiting') return undefined;
  const { session } = sent;
  if (session != null && isUlid(session) && (await wasDelivered(disk, layout.session(session), id))) return undefined;
  return { id, at, text: answerText(reply), answer: { query: re, by, question: firstLine(sent.body) } };
}

/**
 * Whether the reply says where the message went. The receiver answers separately, and after a crash of the owner its
 * answer can come before this reply.
 */
function isOfRouter({ about }: ReplyMessage): boolean {
  return about === 'routed' || about === 'waiting' || about === 'unroutable';
}

function answerText({ re, about, text, citations = [] }: ReplyMessage): string {
  if (about === 'stale') return text;
  if (about === 'askedBack') return `It asks back: ${text}\n\nReply with message_reply, with question ${re}.`;
  const whole = about === 'answered' ? text : `It is not answered: ${text}`;
  return citations.length === 0 ? whole : `${whole}\n\nIt rests on: ${citations.join(', ')}`;
}
