import { planFiles } from '../../model/plan.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import { changePlanFiles } from '../proposals/planWriter.ts';
import type { PlanServices } from '../services.ts';
import type { AskedQuestion, QuestionEnd } from '../sessions/askedQuestion.ts';
import { AnswerWatch, refusedEnd } from './answerWatch.ts';
import { chainOf } from './chain.ts';
import { noteDispatched } from './dispatches.ts';
import { editOutcomes } from './messageRecords.ts';
import { outcomeText } from './outcomeText.ts';
import type { MessagePost } from './post.ts';

export interface AskParts {
  readonly services: PlanServices;
  readonly post: MessagePost;
}

/**
 * Posts a question of a session that runs and waits for its end, at most `waitMs`. The plan's record of it comes first,
 * so that whatever it comes to has a place to be noted; asked again after a crash under the same id, it is asked once.
 */
export async function askQuestion(
  { services, post }: AskParts,
  question: AskedQuestion,
  waitMs: number,
  signal: AbortSignal,
): Promise<QuestionEnd | undefined> {
  const { id, plan: from, named, reason, body, session, cause } = question;
  const watch = new AnswerWatch(services, id);
  try {
    const record = { ...named, id, list: 'queries', reason, body, session } as const;
    const backlog = await noteDispatched(services, from, [record]);
    const chain = chainOf(id, cause, backlog);
    const outcome = await post.post({ id, type: 'query', from, named, reason, body, ...chain });
    if (outcome !== 'routing') await noteOutcome(services, question, outcome);
    if (outcome !== 'routing' && outcome.kind === 'refused') return refusedEnd(id, outcome);
    return await watch.end(waitMs, signal);
  } finally {
    watch.dispose();
  }
}

async function noteOutcome(services: PlanServices, { plan, id }: AskedQuestion, outcome: RouteOutcome): Promise<void> {
  await changePlanFiles(services, plan, (texts) => {
    const text = editOutcomes(texts, plan, new Map([[id as string, outcomeText(outcome)]]), { isFirst: true });
    return { edits: new Map(text === undefined ? [] : [[planFiles.backlog, text]]), result: undefined };
  });
}
