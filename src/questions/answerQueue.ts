import { formatTimestamp } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { listIfThere } from '../base/diskErrors.ts';
import type { Disposable } from '../base/disposable.ts';
import { type Diagnostic, isRavelError, messageOf, type RavelError } from '../base/errors.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { plural } from '../base/text.ts';
import { diagnostic, failure } from '../model/codes.ts';
import type { EventBody } from '../model/event.ts';
import { idFromSegment, type QualifiedId, segmentFromId, type Ulid } from '../model/id.ts';
import type { Message, MessageSender, Sender } from '../model/message.ts';
import { person } from '../model/person.ts';
import { sendReply } from '../model/reply.ts';
import type { Answer } from '../model/requests/messages.ts';
import { isAnswered, loadAnswer, saveAnswer } from './answers.ts';
import { type Answerer, askSession, type TurnEnd } from './answerTurn.ts';
import type { QuestionPorts } from './questionPorts.ts';
import { type AskedBack, openTurn, type QueryAnswer, type Question, questionsTo } from './questions.ts';

export interface AnswerQueueParts {
  readonly ports: QuestionPorts;
  readonly answererOf: (actor: QualifiedId) => Answerer;
  /** Actors whose ids are not told by the names of their folders. */
  readonly actorIds: () => Promise<readonly QualifiedId[]>;
  readonly actors: MessageSender;
}

/** What an asker says to a question back. */
export interface DialogueReply {
  readonly query: Ulid;
  readonly from: Sender;
  readonly text: string;
  /** The same for the same reply. */
  readonly id: string;
}

export interface OpenQuestions {
  readonly questions: readonly { readonly actor: QualifiedId; readonly question: Question }[];
  readonly diagnostics: readonly Diagnostic[];
}

type QueryMessage = Extract<Message, { type: 'query' }>;

/** A question that waits for its asker. */
interface Waiting {
  readonly actor: QualifiedId;
  readonly timer: Disposable;
}

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
  /** Questions that are worked on, and what ends the session that is asked. */
  readonly #taken = new Map<Ulid, AbortController>();
  readonly #waiting = new Map<Ulid, Waiting>();
  /** Replies, answers of persons, and the beginning of a wait for one come one after the other. */
  readonly #replies = new SerialQueue();
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
    for (const actor of await this.#askedActors()) this.#begin(actor);
  }

  /** Looks again at the questions of an actor that can answer no more, or otherwise than before. */
  look(actor: QualifiedId): void {
    for (const [query, waiting] of this.#waiting) if (waiting.actor === actor) this.#forget(query);
    this.#begin(actor);
  }

  /**
   * Takes what an asker replies to a question back: durable once it resolves, and the same one again changes nothing.
   * Throws `question/notWaiting`, `question/expired`, or `question/foreign` if another one had asked; a person can
   * reply for everyone.
   */
  reply(reply: DialogueReply): Promise<void> {
    return this.#replies.run(() => this.#takeReply(reply));
  }

  async #takeReply({ query, from, text, id }: DialogueReply): Promise<void> {
    const { ports } = this.#parts;
    const actor = this.#waiting.get(query)?.actor ?? (await this.#actorAsked(query));
    const question = actor === undefined ? undefined : await questionsTo(ports, actor).load(query);
    if (actor === undefined || question === undefined) throw notWaiting(query, await loadAnswer(ports, query));
    if (from !== person && from !== question.message.from) {
      throw failure('question/foreign', query, `The question ${query} was not asked by ${from}.`);
    }
    if (question.askedBack?.some(({ replyId }) => replyId === id) === true) return;
    const turn = openTurn(question);
    if (turn === undefined) {
      throw failure(
        'question/notWaiting',
        query,
        `The question ${query} waits for no reply: ${actor} asked nothing back.`,
      );
    }
    await this.#leftMs(actor, question, turn);
    this.#forget(query);
    const turns = [...(question.askedBack ?? []).slice(0, -1), { ...turn, reply: text, replyId: id }];
    await questionsTo(ports, actor).save(query, { message: question.message, askedBack: turns });
    this.#tell(actor, { type: 'query.replied', query, by: from });
    this.#begin(actor);
  }

  /** The questions that have no answer yet, to one actor or to all, the oldest first, and what cannot be read. */
  async open(to?: QualifiedId): Promise<OpenQuestions> {
    const { ports } = this.#parts;
    const open: OpenQuestions['questions'][number][] = [];
    const diagnostics: Diagnostic[] = [];
    for (const actor of to === undefined ? await this.#askedActors() : [to]) {
      const found = await questionsTo(ports, actor).loadAll();
      diagnostics.push(...found.diagnostics);
      for (const question of found.records) {
        // The file goes after its answer is kept.
        if (!(await isAnswered(ports, question.message.id))) open.push({ actor, question });
      }
    }
    open.sort((one, other) => (one.question.message.id < other.question.message.id ? -1 : 1));
    return { questions: open, diagnostics };
  }

  /**
   * A person's answer in the place of whom was asked, which ends a session that is asked just now. Resolves to the
   * answer that holds: the first one does. Throws `message/unknown` for what waits for no answer.
   */
  answerInPlace(query: Ulid, text: string): Promise<Answer> {
    return this.#replies.run(() => this.#saveInPlace(query, text));
  }

  async #saveInPlace(query: Ulid, text: string): Promise<Answer> {
    const { ports } = this.#parts;
    const known = await loadAnswer(ports, query);
    if (known !== undefined) return known;
    const actor = await this.#actorAsked(query);
    const question = actor === undefined ? undefined : await questionsTo(ports, actor).load(query);
    if (actor === undefined || question === undefined) {
      throw failure('message/unknown', query, `No question ${query} waits for an answer.`);
    }
    const { from, question: asked } = question.message;
    const about = { query, question: asked, from, by: actor, at: this.#now() };
    const holds = await saveAnswer(ports, { ...about, state: 'answered', text, citations: [], isByPerson: true });
    this.#taken.get(query)?.abort(new Error('a person has answered'));
    this.#forget(query);
    this.#begin(actor);
    return holds;
  }

  /** Ends the sessions that are asked; the next owner asks again. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('Ravel stops'));
    for (const query of [...this.#waiting.keys()]) this.#forget(query);
    await this.settled();
  }

  /** Resolves once every question that was taken has its answer, waits for its asker, or for another owner. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled([...this.#working]);
  }

  async #askedActors(): Promise<readonly QualifiedId[]> {
    const { ports, actorIds } = this.#parts;
    const entries = await listIfThere(ports.disk, ports.layout.questions);
    if (entries.length === 0) return [];
    // The segment of a plan far down does not say which plan it is; only the plan itself does.
    const bySegment = new Map((await actorIds()).map((id) => [segmentFromId(id), id]));
    return entries.flatMap(({ name }) => bySegment.get(name) ?? idFromSegment(name) ?? []);
  }

  async #actorAsked(query: Ulid): Promise<QualifiedId | undefined> {
    for (const actor of await this.#askedActors()) {
      if (await questionsTo(this.#parts.ports, actor).has(query)) return actor;
    }
    return undefined;
  }

  #begin(actor: QualifiedId): void {
    // Those that work have perhaps looked already.
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

  /** The oldest question that nothing is done for yet; it is taken then. */
  async #next(actor: QualifiedId): Promise<Ulid | undefined> {
    const isHeld = (query: Ulid) => this.#taken.has(query) || this.#waiting.has(query) || this.#unreadable.has(query);
    const queries = await questionsTo(this.#parts.ports, actor).list();
    const [query, ...others] = queries.filter((one) => !isHeld(one));
    if (query === undefined) return undefined;
    this.#taken.set(query, new AbortController());
    if (others.length > 0 && this.#hasRoom(actor)) this.#work(actor);
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

  /** False if Ravel stopped meanwhile. */
  async #answer(actor: QualifiedId, question: Question): Promise<boolean> {
    const { ports } = this.#parts;
    const { id: query } = question.message;
    const known = await loadAnswer(ports, query);
    const answer = known ?? (await this.#ask(actor, question));
    if (answer === 'stopped') return false;
    if (answer === 'asked back') return true;
    const { state, text, citations } = await saveAnswer(ports, answer);
    const about = state === 'answered' ? 'answered' : 'unanswered';
    await this.#reply(actor, question, { about, text, citations });
    await questionsTo(ports, actor).remove(query);
    return true;
  }

  async #reply(
    actor: QualifiedId,
    { message: { id: re, from: to } }: Question,
    said: {
      readonly about: 'answered' | 'unanswered' | 'askedBack';
      readonly text: string;
      readonly citations?: readonly string[];
      readonly round?: number;
    },
  ): Promise<void> {
    await sendReply(this.#parts.actors, { re, to, by: actor, ...said }).catch((error: unknown) => {
      // An asker that takes nothing any more does not hold up the others; the answer is kept.
      if (!isRavelError(error) || error.code === 'run/stopped') throw error;
      this.#tell(actor, { type: 'diagnostic', diagnostic: { ...error.diagnostic, severity: 'warning' } });
    });
  }

  async #ask(actor: QualifiedId, question: Question): Promise<Answer | 'asked back' | 'stopped'> {
    const { ports } = this.#parts;
    const { id: query, from, question: asked } = question.message;
    const about = { query, question: asked, from, by: actor };
    try {
      if (openTurn(question) !== undefined) {
        // Its owner can have died before the session that asked back had ended.
        const doubt = question.session === undefined ? undefined : await ports.endOrphan(question.session);
        if (doubt !== undefined) return { ...about, ...this.#refusal(actor, doubt), at: this.#now() };
        await this.#waitForReply(actor, query);
        return 'asked back';
      }
      const end = await this.#sessionAnswer(actor, question);
      if (end === 'asked back') {
        await this.#waitForReply(actor, query);
        return 'asked back';
      }
      const { details: _details, ...answer } = end.answer;
      // A person can have answered meanwhile, and then nothing follows from this one.
      const known = await loadAnswer(ports, query);
      if (known !== undefined) return known;
      await this.#parts.answererOf(actor).conclude?.(actor, question, end.answer, end);
      return { ...about, ...answer, ...defined({ session: end.session, usd: end.usd }), at: this.#now() };
    } catch (error) {
      if (this.#stopping.signal.aborted || isRavelError(error, 'run/stopped')) return 'stopped';
      const known = await loadAnswer(ports, query);
      if (known !== undefined) return known;
      const problem = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', actor, messageOf(error));
      return { ...about, ...this.#refusal(actor, problem), at: this.#now() };
    }
  }

  #refusal(actor: QualifiedId, problem: Diagnostic): QueryAnswer {
    this.#tell(actor, { type: 'diagnostic', diagnostic: problem });
    const { code, message, help } = problem;
    const text = help === undefined ? `${code}: ${message}` : `${code}: ${message} ${help}`;
    return { state: 'refused', text, citations: [] };
  }

  /** Rejects if Ravel stops, and if no session could be started. */
  async #sessionAnswer(actor: QualifiedId, question: Question): Promise<TurnEnd> {
    const { ports, answererOf } = this.#parts;
    const { session: earlier, answer, message } = question;
    // A session that had answered when its owner died is not asked again; one that had not is no longer listened to.
    const doubt = earlier === undefined ? undefined : await ports.endOrphan(earlier);
    if (answer !== undefined)
      return { answer: doubt === undefined ? answer : this.#refusal(actor, doubt), session: earlier };
    const stopping = this.#stopping.signal;
    const ending = this.#taken.get(message.id)?.signal ?? stopping;
    return askSession({ ports, answerer: answererOf(actor), actor, question, stopping, ending });
  }

  /**
   * Holds a question until its asker replies, and tells it of that, once more after a crash. What was replied or answered
   * meanwhile is not held. Rejects with `question/expired` if it has waited too long, and as its actor does if that
   * answers no more.
   */
  #waitForReply(actor: QualifiedId, query: Ulid): Promise<void> {
    return this.#replies.run(async () => {
      const { ports } = this.#parts;
      const question = await questionsTo(ports, actor).load(query);
      const turn = question === undefined ? undefined : openTurn(question);
      if (question === undefined || turn === undefined || (await loadAnswer(ports, query)) !== undefined) return;
      const leftMs = await this.#leftMs(actor, question, turn);
      const timer = ports.clock.schedule(leftMs, () => {
        this.#waiting.delete(query);
        this.#begin(actor);
      });
      this.#waiting.set(query, { actor, timer });
      const round = question.askedBack?.length ?? 1;
      this.#tell(actor, { type: 'query.clarification', query, by: actor, text: turn.asked, round });
      await this.#reply(actor, question, { about: 'askedBack', text: turn.asked, round });
    });
  }

  async #leftMs(actor: QualifiedId, question: Question, { asked, at }: AskedBack): Promise<number> {
    const { ports, answererOf } = this.#parts;
    const patienceMs = (await answererOf(actor).patience?.(actor)) ?? 0;
    const leftMs = patienceMs - (ports.clock.wallMs() - Date.parse(at));
    if (leftMs > 0) return leftMs;
    const minutes = plural(Math.round(patienceMs / 60_000), 'minute');
    throw failure('question/expired', question.message.id, `No reply to "${asked}" came within ${minutes}.`);
  }

  #forget(query: Ulid): void {
    this.#waiting.get(query)?.timer.dispose();
    this.#waiting.delete(query);
  }

  #now(): string {
    return formatTimestamp(this.#parts.ports.clock.wallMs());
  }

  #tell(actor: QualifiedId, body: EventBody): void {
    this.#parts.ports.emit({ at: this.#now(), actor, ...body });
  }
}

function notWaiting(query: Ulid, answer: Answer | undefined): RavelError {
  const isExpired = answer?.text.startsWith('question/expired:') === true;
  const why = answer === undefined ? 'it was not asked here' : isExpired ? 'it waited too long' : 'it has its answer';
  const code = isExpired ? 'question/expired' : 'question/notWaiting';
  return failure(code, query, `The question ${query} waits for no reply: ${why}.`);
}
