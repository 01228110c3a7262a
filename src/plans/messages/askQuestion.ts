import { defined } from '../../base/defined.ts';
import type { AnswerQueue } from '../../questions/answerQueue.ts';
import type { PlanServices } from '../services.ts';
import type { AskedQuestion, GivenReply, QuestionEnd } from '../sessions/askedQuestion.ts';
import { AnswerWatch, refusedEnd } from './answerWatch.ts';
import type { DeliveryParts } from './dispatches.ts';
import { sendAtOnce } from './sending.ts';

/**
 * Posts a question of a session that runs and waits for its end, at most `waitMs`. The plan's record of it comes first,
 * so that whatever it comes to has a place to be noted; asked again after a crash under the same id, it is asked once.
 */
export async function askQuestion(
  parts: DeliveryParts,
  question: AskedQuestion,
  waitMs: number,
  signal: AbortSignal,
): Promise<QuestionEnd | undefined> {
  const { id, plan: from, target, reason, body, session, cause } = question;
  const watch = new AnswerWatch(parts.services, id);
  try {
    const outgoing = { id, from, list: 'queries', target, reason, body, session } as const;
    const outcome = await sendAtOnce(parts, { ...outgoing, ...defined({ cause }) });
    if (outcome !== 'routing' && outcome.kind === 'refused') return refusedEnd(id, outcome);
    return await watch.end(waitMs, signal);
  } finally {
    watch.dispose();
  }
}

/** Gives the reply of a session that runs to a question back, and waits for what comes of it, at most `waitMs`. */
export async function replyToQuestion(
  { services, answers }: { readonly services: PlanServices; readonly answers: Pick<AnswerQueue, 'reply'> },
  reply: GivenReply,
  waitMs: number,
  signal: AbortSignal,
): Promise<QuestionEnd | undefined> {
  const watch = new AnswerWatch(services, reply.query);
  try {
    await answers.reply(reply);
    return await watch.end(waitMs, signal);
  } finally {
    watch.dispose();
  }
}
