import type { Supervisor } from '../../actors/supervisor.ts';
import type { QualifiedId } from '../../model/id.ts';
import { targetText } from '../../model/namedTarget.ts';
import type { Withhold } from '../../model/rehearsal.ts';
import type { AskQuestion } from '../sessions/askedQuestion.ts';
import type { MessageRouter } from './messageRouter.ts';

/** What a core is told that runs a plan on a copy. */
export interface Rehearsal {
  readonly plan: QualifiedId;
  readonly withhold: Withhold;
}

/** What takes the place of what sends messages. */
interface Withholding {
  readonly router: MessageRouter;
  readonly ask: AskQuestion;
  /** What a plan is told of its own still reaches it. */
  send(send: Supervisor['send']): Supervisor['send'];
}

/**
 * For a rehearsal, in which a plan sends nothing to others. Each message is told to `withhold`, and its record stays as it
 * is while a message is on its way. A session that waits for an answer is told that there will be none.
 */
export function withholding({ plan, withhold }: Rehearsal): Withholding {
  return {
    router: {
      async route({ type, target, reason, body }) {
        withhold({ type, to: targetText(target), reason, body });
        return 'routing';
      },
    },
    async ask({ id, target, reason, body }) {
      withhold({ type: 'query', to: targetText(target), reason, body });
      const text = 'This is a rehearsal: the question is not sent, so it gets no answer. Continue without it.';
      return { note: id, text, isRefused: true };
    },
    send: (send) => async (message, options) => {
      if (message.to === plan) return send(message, options);
      // What triage made of a message is found in the backlog, no matter when it is looked for.
      const isInBacklog = message.type === 'reply' && (message.about === 'promoted' || message.about === 'declined');
      if (!isInBacklog) {
        withhold({ type: message.type, to: message.to, reason: '', body: 'text' in message ? message.text : '' });
      }
      return { id: message.id, seq: 0 };
    },
  };
}
