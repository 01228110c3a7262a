import { formatTimestamp } from '../base/clock.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { type Diagnostic, isRavelError, messageOf } from '../base/errors.ts';
import { plural } from '../base/text.ts';
import type { ConsultationReport, ConsultationRequest } from '../harness/consultation.ts';
import { diagnostic } from '../model/codes.ts';
import type { EventBody } from '../model/event.ts';
import { idFromSegment, type QualifiedId, segmentFromId, type Ulid } from '../model/id.ts';
import type { Message, MessageSender } from '../model/message.ts';
import { sendReply } from '../model/reply.ts';
import type { Answer } from '../model/requests/messages.ts';
import { loadAnswer, saveAnswer } from './answers.ts';
import type { QuestionPorts } from './questionPorts.ts';
import { type QueryAnswer, type Question, questionsTo } from './questions.ts';

/** One session that is asked, as what answers sees it. */
export interface AnswerTurn {
  readonly session: Ulid;
  /** Keeps what the session said; once the promise resolves it is durable. */
  readonly keep: (answer: QueryAnswer) => Promise<void>;
}

/** What a kind of actor answers with. */
export interface Answerer {
  /** How many of one actor's questions are asked at a time; the others are files and not sessions. */
  readonly atOnce: number;
  /** The question as one session is asked it. A rejection is the answer, as a refusal. */
  prepare(question: Question, turn: AnswerTurn): Promise<ConsultationRequest>;
}

export interface AnswerQueueParts {
  readonly ports: QuestionPorts;
  readonly answererOf: (actor: QualifiedId) => Answerer;
  /** Actors whose ids are not told by the names of their folders. */
  readonly actorIds: () => Promise<readonly QualifiedId[]>;
  readonly actors: MessageSender;
}

type QueryMessage = Extract<Message, { type: 'query' }>;

/**
 * Answers the questions that plans and experts are asked, outside of their mailboxes: a session can take minutes, and
 * neither a dispatch behind a question nor a running phase should wait for it. A question is a file from the moment its
 * message is handled until its asker has been told, so it is answered once, even if an owner dies in between.
 */
export class AnswerQueue {
  readonly #parts: AnswerQueueParts;
  readonly #stopping = new AbortController();
  /** How many work for an actor. */
  readonly #workers = new Map<QualifiedId, number>();
  readonly #working = new Set<Promise<void>>();
  /** Actors for which more came while all worked. */
  readonly #again = new Set<QualifiedId>();
  /** Questions that are worked on. */
  readonly #taken = new Set<Ulid>();
  /** Questions that cannot be read wait for a person and do not hold up the others. */
  readonly #unreadable = new Set<Ulid>();

  constructor(parts: AnswerQueueParts) {
    this.#parts = parts;
  }

  /** Takes a question over from the mailbox: durable once it resolves. Again with the same it changes nothing. */
  async take(actor: QualifiedId, message: QueryMessage): Promise<void> {
    const { ports } = this.#parts;
    if ((await loadAnswer(ports, message.id)) !== undefined) return;
    const questions = questionsTo(ports, actor);
    if (!(await questions.has(message.id))) await questions.save(message.id, { message });
    this.#begin(actor);
  }

  /** Continues what an earlier owner had not answered. */
  async begin(): Promise<void> {
    const { ports, actorIds } = this.#parts;
    const entries = await listIfThere(ports.disk, ports.layout.questions);
    if (entries.length === 0) return;
    // The segment of a plan far down does not say which plan it is; only the plan itself does.
    const bySegment = new Map((await actorIds()).map((id) => [segmentFromId(id), id]));
    for (const { name } of entries) {
      const actor = bySegment.get(name) ?? idFromSegment(name);
      if (actor !== undefined) this.#begin(actor);
    }
  }

  /** Ends the sessions that are asked; the next owner asks again. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('Ravel stops'));
    await this.settled();
  }

  /** Resolves once every question that was taken has its answer, or waits for another owner. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled([...this.#working]);
  }

  #begin(actor: QualifiedId): void {
    // Those that work may have looked already.
    if (!this.#hasRoom(actor)) this.#again.add(actor);
    else this.#work(actor);
  }

  #hasRoom(actor: QualifiedId): boolean {
    return (this.#workers.get(actor) ?? 0) < this.#parts.answererOf(actor).atOnce;
  }

  #work(actor: QualifiedId): void {
    if (this.#stopping.signal.aborted) return;
    this.#workers.set(actor, (this.#workers.get(actor) ?? 0) + 1);
    const work = this.#answerAll(actor)
      .catch((error: unknown) => {
        // The question is a file still; the next one to this actor, or the next start, tries again.
        this.#parts.ports.log.warn('a question is not answered', { actor, error: messageOf(error) });
      })
      .finally(() => {
        this.#working.delete(work);
        this.#workers.set(actor, (this.#workers.get(actor) ?? 1) - 1);
        if (this.#again.delete(actor)) this.#begin(actor);
      });
    this.#working.add(work);
  }

  async #answerAll(actor: QualifiedId): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const query = await this.#next(actor);
      if (query === undefined) return;
      try {
        const question = await this.#load(actor, query);
        if (question !== undefined && !(await this.#answer(actor, question))) return;
      } finally {
        this.#taken.delete(query);
      }
    }
  }

  /** The oldest question that waits; it is taken then. */
  async #next(actor: QualifiedId): Promise<Ulid | undefined> {
    const queries = await questionsTo(this.#parts.ports, actor).list();
    const waiting = queries.filter((query) => !this.#unreadable.has(query) && !this.#taken.has(query));
    const [query] = waiting;
    if (query === undefined) return undefined;
    this.#taken.add(query);
    if (waiting.length > 1 && this.#hasRoom(actor)) this.#work(actor);
    return query;
  }

  async #load(actor: QualifiedId, query: Ulid): Promise<Question | undefined> {
    try {
      return await questionsTo(this.#parts.ports, actor).load(query);
    } catch (error) {
      if (!isRavelError(error)) throw error;
      this.#unreadable.add(query);
      this.#tell(actor, { type: 'diagnostic', diagnostic: error.diagnostic });
      return undefined;
    }
  }

  /** False where Ravel stopped meanwhile. */
  async #answer(actor: QualifiedId, question: Question): Promise<boolean> {
    const { ports, actors } = this.#parts;
    const { id: query, from } = question.message;
    const known = await loadAnswer(ports, query);
    const answer = known ?? (await this.#ask(actor, question));
    if (answer === undefined) return false;
    const { state, text, citations } = await saveAnswer(ports, answer);
    const about = state === 'answered' ? 'answered' : 'unanswered';
    await sendReply(actors, { re: query, to: from, by: actor, about, text, citations }).catch((error: unknown) => {
      // An asker that takes nothing any more does not hold up the others; the answer is kept.
      if (!isRavelError(error) || error.code === 'run/stopped') throw error;
      this.#tell(actor, { type: 'diagnostic', diagnostic: { ...error.diagnostic, severity: 'warning' } });
    });
    await questionsTo(ports, actor).remove(query);
    return true;
  }

  /** Undefined where Ravel stopped meanwhile, and the next owner asks. */
  async #ask(actor: QualifiedId, question: Question): Promise<Answer | undefined> {
    const { ports } = this.#parts;
    const { id: query, from, question: asked } = question.message;
    const about = { query, question: asked, from, by: actor };
    // A session that had answered when its owner died is not asked again; one that had not is no longer listened to.
    const doubt = question.session === undefined ? undefined : await ports.endOrphan(question.session);
    if (question.answer !== undefined) {
      const answer = doubt === undefined ? question.answer : this.#refusal(actor, doubt);
      const session = question.session === undefined ? {} : { session: question.session };
      return { ...about, ...answer, ...session, at: this.#now() };
    }
    const session = ports.newUlid();
    await questionsTo(ports, actor).save(query, { message: question.message, session });
    try {
      return { ...about, ...(await this.#consult(actor, question, session)), session, at: this.#now() };
    } catch (error) {
      if (this.#stopping.signal.aborted || isRavelError(error, 'run/stopped')) return undefined;
      const problem = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', actor, messageOf(error));
      return { ...about, ...this.#refusal(actor, problem), at: this.#now() };
    }
  }

  #refusal(actor: QualifiedId, problem: Diagnostic): QueryAnswer {
    this.#tell(actor, { type: 'diagnostic', diagnostic: problem });
    return { state: 'refused', text: `${problem.code}: ${problem.message}`, citations: [] };
  }

  /** Rejects where Ravel stops, and where no session could be started. */
  async #consult(
    actor: QualifiedId,
    { message }: Question,
    session: Ulid,
  ): Promise<Pick<Answer, 'state' | 'text' | 'citations' | 'usd'>> {
    const { ports, answererOf } = this.#parts;
    const { signal } = this.#stopping;
    let answer: Question['answer'];
    const keep = async (what: QueryAnswer) => {
      await questionsTo(ports, actor).save(message.id, { message, session, answer: what });
      answer = what;
    };
    const request = await answererOf(actor).prepare({ message }, { session, keep });
    const report = await ports.consult(request, signal);
    if (answer === undefined) signal.throwIfAborted();
    const usd = report.usage?.costUsd;
    const { state, text, citations } = answer ?? {
      state: 'refused',
      text: whyUnanswered(report, request.timeMs),
      citations: [],
    };
    return { state, text, citations, ...(usd !== undefined && { usd }) };
  }

  #now(): string {
    return formatTimestamp(this.#parts.ports.clock.wallMs());
  }

  #tell(actor: QualifiedId, body: EventBody): void {
    this.#parts.ports.emit({ at: this.#now(), actor, ...body });
  }
}

/** Tells the asker why the session gave no answer. */
function whyUnanswered({ end, output: said }: ConsultationReport, timeMs: number): string {
  if (end === 'timeLimit') return `No answer came within ${plural(timeMs / 60_000, 'minute')}.`;
  if (end !== 'exited') return `The session that was asked ended without an answer (${end}).`;
  const words = said === '' ? '' : ` It said: ${said.slice(-1000)}`;
  return `The session that was asked ended without an answer.${words}`;
}
