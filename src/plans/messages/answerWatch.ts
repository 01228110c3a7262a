import { onAbort } from '../../base/abort.ts';
import { createDeferred } from '../../base/async.ts';
import { isRavelError } from '../../base/errors.ts';
import { quoting } from '../../harness/toolAnswers.ts';
import type { RavelEvent } from '../../model/event.ts';
import type { Ulid } from '../../model/id.ts';
import { replyId } from '../../model/reply.ts';
import type { Answer, AskedBackRow } from '../../model/requests/messages.ts';
import type { RouteOutcome } from '../../model/routing.ts';
import { loadAnswer } from '../../questions/answers.ts';
import type { PlanServices } from '../services.ts';
import type { QuestionEnd } from '../sessions/askedQuestion.ts';

type WatchPorts = Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'onEvent'>;

/**
 * Watches for the end of one question from its construction on, so that an end before the caller waits is not missed.
 */
export class AnswerWatch {
  readonly #services: WatchPorts;
  readonly #query: Ulid;
  readonly #subscription: { dispose(): void };
  readonly #over = createDeferred<void>();
  readonly #endsWithPerson: boolean;
  #refusal: Extract<RouteOutcome, { kind: 'refused' }> | undefined;
  #waiting: Extract<RouteOutcome, { kind: 'waiting' }> | undefined;
  #askedBack: AskedBackRow | undefined;

  /** `endsWithPerson`: a question that waits for a person is not waited for, since it is that person who asked it. */
  constructor(services: WatchPorts, query: Ulid, { endsWithPerson = false } = {}) {
    this.#services = services;
    this.#query = query;
    this.#endsWithPerson = endsWithPerson;
    this.#subscription = services.onEvent((event) => this.#see(event));
  }

  async end(waitMs: number, signal: AbortSignal): Promise<QuestionEnd | undefined> {
    const early = await this.#found();
    if (early !== undefined) return early;
    const over = () => this.#over.resolve();
    if (this.#endsWithPerson && this.#waiting !== undefined) over();
    const timer = this.#services.clock.schedule(waitMs, over);
    const listening = onAbort(signal, over);
    try {
      await this.#over.promise;
    } finally {
      timer.dispose();
      listening.dispose();
    }
    return this.#found();
  }

  /** Why the question was refused, if that has become known. */
  get refusal(): Extract<RouteOutcome, { kind: 'refused' }> | undefined {
    return this.#refusal;
  }

  /** The question that a person was asked meanwhile about who takes it. */
  get waiting(): Extract<RouteOutcome, { kind: 'waiting' }> | undefined {
    return this.#waiting;
  }

  /** What was asked back last. */
  get askedBack(): AskedBackRow | undefined {
    return this.#askedBack;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #see(event: RavelEvent): void {
    if (event.type === 'query.answered' && event.query === this.#query) this.#over.resolve();
    if (event.type === 'query.clarification' && event.query === this.#query) {
      const { by, text, round } = event;
      this.#askedBack = { by, text, round };
      this.#over.resolve();
    }
    if (event.type !== 'message.routed' || event.message !== this.#query) return;
    const { outcome } = event;
    this.#waiting = outcome.kind === 'waiting' ? outcome : undefined;
    if (outcome.kind === 'refused') this.#refusal = outcome;
    if (outcome.kind === 'refused' || (outcome.kind === 'waiting' && this.#endsWithPerson)) this.#over.resolve();
  }

  async #found(): Promise<QuestionEnd | undefined> {
    if (this.#refusal !== undefined) return refusedEnd(this.#query, this.#refusal);
    const answer = await loadAnswer(this.#services, this.#query).catch((error: unknown) => {
      // An answer that cannot be read is told to a person; the session goes on without it.
      if (!isRavelError(error, 'message/unreadable')) throw error;
      return undefined;
    });
    if (answer === undefined) return this.#askedBack && askedBackEnd(this.#query, this.#askedBack);
    const about = answer.state === 'answered' ? 'answered' : 'unanswered';
    return {
      note: replyId(this.#query, about),
      text: sessionAnswerText(answer),
      isRefused: answer.state === 'refused',
    };
  }
}

function askedBackEnd(query: Ulid, { by, text, round }: AskedBackRow): QuestionEnd {
  const words = `${by} wants to know first:\n\n${quoting(text)}\n\nReply with message_reply, with question ${query}.`;
  return { note: replyId(query, 'askedBack', round), text: words, isRefused: false };
}

/** The answer to a question, in the words that its asker gets. */
export function sessionAnswerText({ state, text, by, citations, isSupported }: Answer): string {
  const words = quoting(text);
  const how = isSupported === false ? ', and what it rests on could not be checked' : '';
  const whole = state === 'answered' ? `${by} answers${how}:\n\n${words}` : `${by} does not answer: ${words}`;
  return citations.length === 0 ? whole : `${whole}\n\nIt rests on: ${citations.join(', ')}`;
}

export function refusedEnd(id: Ulid, { code, reason, help }: Extract<RouteOutcome, { kind: 'refused' }>): QuestionEnd {
  const text = `The question was not asked (${code}): ${reason}.${help === undefined ? '' : ` ${help}`}`;
  return { note: replyId(id, 'unroutable'), text, isRefused: true };
}
