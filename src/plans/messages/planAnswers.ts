import { defined } from '../../base/defined.ts';
import { listIfThere } from '../../base/diskErrors.ts';
import { type Diagnostic, isRavelError, messageOf } from '../../base/errors.ts';
import { diagnostic } from '../../model/codes.ts';
import { idFromSegment, type QualifiedId, segmentFromId, type Ulid } from '../../model/id.ts';
import type { Message, MessageSender } from '../../model/message.ts';
import { sendReply } from '../../model/reply.ts';
import type { Answer } from '../../model/requests/messages.ts';
import type { PlanDirectory } from '../planDirectory.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';
import { loadAnswer, saveAnswer } from './answers.ts';
import { questionToPlan, whyUnanswered } from './askPlan.ts';
import { type QueryAnswer, type Question, questionsTo } from './questions.ts';

export interface PlanAnswersParts {
  readonly services: PlanServices;
  readonly directory: Pick<PlanDirectory, 'find' | 'all'>;
  readonly actors: MessageSender;
}

type QueryMessage = Extract<Message, { type: 'query' }>;

/**
 * Answers the questions that plans are asked, outside of their mailboxes: a session can take minutes, and neither a
 * dispatch behind a question nor a running phase should wait for it. A question is a file from the moment its message
 * is handled until its asker has been told, so it is answered once, even if an owner dies in between.
 */
export class PlanAnswers {
  readonly #parts: PlanAnswersParts;
  readonly #stopping = new AbortController();
  /** By plan: one question at a time, so that ten thousand are files and not sessions. */
  readonly #working = new Map<QualifiedId, Promise<void>>();
  /** Questions that cannot be read wait for a person and do not hold up the others. */
  readonly #unreadable = new Set<Ulid>();

  constructor(parts: PlanAnswersParts) {
    this.#parts = parts;
  }

  /** Takes a question over from the mailbox: durable once it resolves. Again with the same it changes nothing. */
  async take(plan: QualifiedId, message: QueryMessage): Promise<void> {
    const { services } = this.#parts;
    if ((await loadAnswer(services, message.id)) !== undefined) return;
    const questions = questionsTo(services, plan);
    if (!(await questions.has(message.id))) await questions.save(message.id, { message });
    this.#begin(plan);
  }

  /** Continues what an earlier owner had not answered. */
  async begin(): Promise<void> {
    const { services, directory } = this.#parts;
    const { disk, layout } = services;
    const entries = await listIfThere(disk, layout.questions);
    if (entries.length === 0) return;
    // The segment of a plan far down does not say which plan it is; only the plan itself does.
    const { plans } = await directory.all();
    const bySegment = new Map(plans.map(({ id }) => [segmentFromId(id), id]));
    for (const { name } of entries) {
      const plan = bySegment.get(name) ?? idFromSegment(name);
      if (plan !== undefined) this.#begin(plan);
    }
  }

  /** Ends the sessions that are asked; the next owner asks again. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('Ravel stops'));
    await this.settled();
  }

  /** Resolves once every question that was taken has its answer, or waits for another owner. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled([...this.#working.values()]);
  }

  #begin(plan: QualifiedId): void {
    if (this.#working.has(plan) || this.#stopping.signal.aborted) return;
    const work = this.#answerAll(plan).catch((error: unknown) => {
      // The question is a file still; the next one to this plan, or the next start, tries again.
      this.#parts.services.log.warn('a question is not answered', { plan, error: messageOf(error) });
    });
    this.#working.set(plan, work);
    void work.finally(() => this.#working.delete(plan));
  }

  async #answerAll(plan: QualifiedId): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const questions = await questionsTo(this.#parts.services, plan).list();
      const query = questions.find((one) => !this.#unreadable.has(one));
      if (query === undefined) return;
      const question = await this.#load(plan, query);
      if (question !== undefined && !(await this.#answer(plan, question))) return;
    }
  }

  async #load(plan: QualifiedId, query: Ulid): Promise<Question | undefined> {
    const { services } = this.#parts;
    try {
      return await questionsTo(services, plan).load(query);
    } catch (error) {
      if (!isRavelError(error)) throw error;
      this.#unreadable.add(query);
      emitFor(services, plan, { type: 'diagnostic', diagnostic: error.diagnostic });
      return undefined;
    }
  }

  /** False if Ravel stopped meanwhile. */
  async #answer(plan: QualifiedId, question: Question): Promise<boolean> {
    const { services, actors } = this.#parts;
    const { id: query, from } = question.message;
    const known = await loadAnswer(services, query);
    const answer = known ?? (await this.#ask(plan, question));
    if (answer === undefined) return false;
    const { state, text, citations } = await saveAnswer(services, answer);
    const about = state === 'answered' ? 'answered' : 'unanswered';
    await sendReply(actors, { re: query, to: from, by: plan, about, text, citations }).catch((error: unknown) => {
      // An asker that takes nothing any more does not hold up the others; the answer is kept.
      if (!isRavelError(error) || error.code === 'run/stopped') throw error;
      emitFor(services, plan, { type: 'diagnostic', diagnostic: { ...error.diagnostic, severity: 'warning' } });
    });
    await questionsTo(services, plan).remove(query);
    return true;
  }

  /** Undefined if Ravel stopped meanwhile, and the next owner asks. */
  async #ask(plan: QualifiedId, question: Question): Promise<Answer | undefined> {
    const { services } = this.#parts;
    const { id: query, from, question: asked } = question.message;
    const about = { query, question: asked, from, by: plan };
    // A session that had answered when its owner died is not asked again; one that had not is no longer listened to.
    const doubt = question.session === undefined ? undefined : await services.endOrphan(question.session);
    if (question.answer !== undefined) {
      const answer = doubt === undefined ? question.answer : this.#refusal(plan, doubt);
      const session = defined({ session: question.session });
      return { ...about, ...answer, ...session, at: timestamp(services) };
    }
    const session = services.newUlid();
    await questionsTo(services, plan).save(query, { message: question.message, session });
    try {
      return { ...about, ...(await this.#consult(plan, question, session)), session, at: timestamp(services) };
    } catch (error) {
      if (this.#stopping.signal.aborted || isRavelError(error, 'run/stopped')) return undefined;
      const problem = isRavelError(error) ? error.diagnostic : diagnostic('base/internal', plan, messageOf(error));
      return { ...about, ...this.#refusal(plan, problem), at: timestamp(services) };
    }
  }

  #refusal(plan: QualifiedId, problem: Diagnostic): QueryAnswer {
    emitFor(this.#parts.services, plan, { type: 'diagnostic', diagnostic: problem });
    return { state: 'refused', text: `${problem.code}: ${problem.message}`, citations: [] };
  }

  /** Rejects if Ravel stops, and if no session could be started. */
  async #consult(
    plan: QualifiedId,
    { message }: Question,
    session: Ulid,
  ): Promise<Pick<Answer, 'state' | 'text' | 'citations' | 'usd'>> {
    const { services, directory } = this.#parts;
    const { signal } = this.#stopping;
    let answer: Question['answer'];
    const keep = async (what: NonNullable<Question['answer']>) => {
      await questionsTo(services, plan).save(message.id, { message, session, answer: what });
      answer = what;
    };
    const request = await questionToPlan(services, await directory.find(plan), { message }, { session, keep });
    const report = await services.consult(request, signal);
    if (answer === undefined) signal.throwIfAborted();
    const usd = report.usage?.costUsd;
    const text = whyUnanswered(report, services.settings.limits['answer-minutes']);
    const { state, text: words, citations } = answer ?? { state: 'refused', text, citations: [] };
    return { state, text: words, citations, ...defined({ usd }) };
  }
}
