import { formatTimestamp } from '../base/clock.ts';
import { plural } from '../base/text.ts';
import type { ConsultationReport, ConsultationRequest } from '../harness/consultation.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import type { QuestionPorts } from './questionPorts.ts';
import { type QueryAnswer, type Question, questionsTo } from './questions.ts';

/** One session that is asked, as the code that answers sees it. What it keeps is durable once the promise resolves. */
export interface AnswerTurn {
  readonly session: Ulid;
  readonly keep: (answer: QueryAnswer) => Promise<void>;
  /** Leaves the question open until its asker replies; then another session is asked. */
  readonly askBack: (text: string) => Promise<void>;
}

/** An answer that needs no session, or what one session is asked. */
export type Prepared =
  | { readonly kind: 'answer'; readonly answer: QueryAnswer }
  | { readonly kind: 'ask'; readonly request: ConsultationRequest };

/** What a session came to that gave an answer; after a crash only its id is known. */
export interface AnsweringSession {
  readonly session?: Ulid | undefined;
  readonly model?: string | undefined;
  readonly usd?: number | undefined;
}

/** How a kind of actor answers. */
export interface Answerer {
  /** How many of one actor's questions are asked at a time; the others are files and not sessions. */
  readonly atOnce: number;
  /** A rejection is the answer, as a refusal. */
  prepare(actor: QualifiedId, question: Question, turn: AnswerTurn, signal: AbortSignal): Promise<Prepared>;
  /** Makes durable what else follows from an answer, before anyone is told of it; after a crash once more. */
  conclude?(actor: QualifiedId, question: Question, answer: QueryAnswer, concluded: AnsweringSession): Promise<void>;
  /** How long a question back waits for its reply, in milliseconds; a rejection ends it at once. */
  patience?(actor: QualifiedId): Promise<number>;
}

/** What came of asking one session. */
export type TurnEnd = (AnsweringSession & { readonly answer: QueryAnswer }) | 'asked back';

interface AskedTurn {
  readonly ports: QuestionPorts;
  readonly answerer: Answerer;
  readonly actor: QualifiedId;
  readonly question: Question;
  /** Aborts when Ravel stops. */
  readonly stopping: AbortSignal;
  /** Aborts when the question has its answer from elsewhere. */
  readonly ending: AbortSignal;
}

/**
 * Asks one session, which the question's file names before it starts and which it holds the answer of before the session
 * is told that it was taken. Rejects if Ravel stops, and if no session could be started.
 */
export async function askSession({ ports, answerer, actor, question, stopping, ending }: AskedTurn): Promise<TurnEnd> {
  const { message, askedBack = [] } = question;
  const signal = AbortSignal.any([stopping, ending]);
  const asked: Question = { message, ...(askedBack.length > 0 && { askedBack }) };
  const session = ports.newUlid();
  const questions = questionsTo(ports, actor);
  let end: QueryAnswer | 'asked back' | undefined;
  const turn: AnswerTurn = {
    session,
    keep: async (answer) => {
      await questions.save(message.id, { ...asked, session, answer });
      end = answer;
    },
    askBack: async (text) => {
      const at = formatTimestamp(ports.clock.wallMs());
      await questions.save(message.id, { message, session, askedBack: [...askedBack, { asked: text, at }] });
      end = 'asked back';
    },
  };
  const prepared = await answerer.prepare(actor, asked, turn, signal);
  if (prepared.kind === 'answer') return { answer: prepared.answer };
  await questions.save(message.id, { ...asked, session });
  const report = await ports.consult(prepared.request, signal);
  const said = end as QueryAnswer | 'asked back' | undefined;
  if (said === 'asked back') return said;
  if (said === undefined) stopping.throwIfAborted();
  const text = whyUnanswered(report, prepared.request.timeMs);
  const { model, usage } = report;
  return { answer: said ?? { state: 'refused', text, citations: [] }, session, model, usd: usage?.costUsd };
}

/** Tells the asker why the session gave no answer. */
function whyUnanswered({ end, output: said }: ConsultationReport, timeMs: number): string {
  if (end === 'timeLimit') return `No answer came within ${plural(timeMs / 60_000, 'minute')}.`;
  if (end !== 'exited') return `The session that was asked ended without an answer (${end}).`;
  const words = said === '' ? '' : ` It said: ${said.slice(-1000)}`;
  return `The session that was asked ended without an answer.${words}`;
}
