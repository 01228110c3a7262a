import type { Behaviour } from '../../actors/behaviour.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { Message, MessageSender } from '../../model/message.ts';
import { ignoreRefusal, sendReply } from '../../model/reply.ts';
import { saveAnswer } from '../../questions/answers.ts';
import { type PlanServices, timestamp } from '../services.ts';

/**
 * An actor whose refusals return to the sender: a task that it does not take is declined, and a question has the refusal
 * as its answer. Told before the message is done with, and once however often it is delivered.
 */
export function replyOnRefusal(
  parts: { readonly services: PlanServices; readonly actors: MessageSender },
  actor: QualifiedId,
  behaviour: Behaviour,
): Behaviour {
  return {
    async handle(message, delivery) {
      const outcome = await behaviour.handle(message, delivery);
      if (outcome.kind === 'rejected') await replyRefusal(parts, actor, message, outcome.reason);
      return outcome;
    },
    stop: () => behaviour.stop(),
  };
}

async function replyRefusal(
  { services, actors }: { readonly services: PlanServices; readonly actors: MessageSender },
  by: QualifiedId,
  message: Message,
  text: string,
): Promise<void> {
  const { id: re, from: to, type } = message;
  if (type !== 'query' && type !== 'dispatch') return;
  if (type === 'query') {
    const { question } = message;
    const at = timestamp(services);
    await saveAnswer(services, { query: re, question, from: to, by, at, state: 'refused', text, citations: [] });
  }
  const about = type === 'query' ? 'unanswered' : 'declined';
  await sendReply(actors, { re, to, by, about, text }).catch(ignoreRefusal);
}
