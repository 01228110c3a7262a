import type { Message } from '../../model/message.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import { waitsForPerson } from './messageRecords.ts';

/** How a sender's record reads if its message was answered for at once. */
export function outcomeText(outcome: RouteOutcome): string {
  switch (outcome.kind) {
    case 'routed':
      return `accepted by ${outcome.to}`;
    case 'refused':
      return `refused: ${outcome.reason}`;
    case 'waiting':
      return `${waitsForPerson}: ${outcome.reason}`;
  }
}

/** The same, by what was told of the message later. */
export function replyText({ about, by, text, task }: Extract<Message, { type: 'reply' }>): string {
  const who = by ?? 'someone';
  switch (about) {
    case 'routed':
      return text === '' ? `accepted by ${who}` : `accepted by ${who} (${text})`;
    case 'waiting':
      return `${waitsForPerson}: ${text}`;
    case 'unroutable':
      return `refused: ${text}`;
    case 'promoted':
      return `promoted as ${task ?? 'a task'} of ${who}`;
    case 'declined':
      return `declined: ${text}`;
    case 'answered':
      return `answered by ${who}`;
    case 'askedBack':
      return `${who} asks back: ${text}`;
    case 'stale':
      return `answered by ${who}, and what that rests on has changed since`;
    case 'unanswered':
      return `not answered: ${text}`;
  }
}
