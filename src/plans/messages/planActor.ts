import type { Behaviour, Delivery, Postponed } from '../../actors/behaviour.ts';
import { defined } from '../../base/defined.ts';
import type { Code } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Message, MessageOutcome } from '../../model/message.ts';
import type { AnswerQueue } from '../../questions/answerQueue.ts';
import { unreadNoteReason } from '../sessions/sessionNotes.ts';
import { chainFields, type IntakeParts, receive, takeNote } from './intake.ts';
import { takeReply } from './takeReply.ts';

export interface PlanActorParts extends IntakeParts {
  readonly answers: Pick<AnswerQueue, 'take'>;
}

/** Handles the messages of a plan. Phases are not messages and run elsewhere. */
export function createPlanActor(parts: PlanActorParts, plan: QualifiedId): Behaviour {
  return {
    handle: (message, delivery) => handle(parts, plan, message, delivery),
    // Holds no state: everything about a plan is in its files.
    stop: async () => undefined,
  };
}

async function handle(
  parts: PlanActorParts,
  plan: QualifiedId,
  message: Message,
  delivery: Delivery,
): Promise<MessageOutcome | Postponed> {
  const { id, from, ts: at } = message;
  const { services, live } = parts;
  switch (message.type) {
    case 'dispatch': {
      const { reason, body, re } = message;
      const answers = defined({ re });
      const record = { id, from, at, reason, body, state: 'new', ...chainFields(message), ...answers };
      return (await receive(services, plan, record, delivery)) ?? received;
    }
    case 'note': {
      const { text } = message;
      const session = await takeNote(live, plan, { id, at, text }, delivery);
      if (session !== undefined) return { kind: 'done', summary: `left for session ${session}` };
      const record = { id, from, at, reason: unreadNoteReason, body: text, state: 'new' };
      return (await receive(services, plan, record, delivery)) ?? received;
    }
    case 'reply':
      return takeReply(parts, plan, message, delivery);
    case 'query':
      await parts.answers.take(plan, message);
      return { kind: 'done', summary: 'a session is asked' };
    case 'tick':
      return rejected('message/notYetImplemented', 'A plan has no schedule yet.');
  }
}

const received: MessageOutcome = { kind: 'done', summary: 'received' };

function rejected(code: Code, reason: string): MessageOutcome {
  return { kind: 'rejected', code, reason };
}
