import { defined } from '../base/defined.ts';
import { excerpt } from '../base/text.ts';
import { failure } from '../model/codes.ts';
import { isQualifiedId, isUlid, type QualifiedId, type Ulid, wholePlanName } from '../model/id.ts';
import { subjectLengthMax } from '../model/messageSize.ts';
import { type NamedTarget, parseTarget, type TargetFields } from '../model/namedTarget.ts';
import { person } from '../model/person.ts';
import type { AskedBackRow, messageRequests, OpenQuestionRow } from '../model/requests/messages.ts';
import type { RoutedMessage, RouteOutcome } from '../model/routing.ts';
import { AnswerWatch } from '../plans/messages/answerWatch.ts';
import { outcomeText } from '../plans/messages/outcomeText.ts';
import { sendAtOnce } from '../plans/messages/sending.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import { loadAnswer } from '../questions/answers.ts';
import { openTurn, type Question, questionsTo } from '../questions/questions.ts';
import { presentName } from '../vault/planRenames.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import { assertOwner, type HandlersOf, type RequestContext } from './handlers.ts';

export const messageHandlers: HandlersOf<typeof messageRequests> = {
  async dispatch(context, params) {
    const { reason, body, task } = params;
    const outcome = await post(context, { ...params, type: 'dispatch', reason, body, task });
    return { message: outcome.id, ...withOutcome(outcome.outcome) };
  },

  async ask(context, { question, reason = '', 'wait-seconds': waitSeconds, ...params }, signal) {
    const { services } = context;
    const id = params.id ?? services.newUlid();
    const watch = new AnswerWatch(services, id, { endsWithPerson: true });
    try {
      const isNew = params.id === undefined;
      const { outcome } = await post(context, { ...params, id, isNew, type: 'query', reason, body: question });
      const isOver = outcome !== 'routing' && outcome.kind !== 'routed';
      if (!isOver && waitSeconds > 0) await watch.end(waitSeconds * 1000, signal);
      const answer = await loadAnswer(services, id);
      const later = watch.refusal ?? watch.waiting;
      const askedBack = answer === undefined ? watch.askedBack : undefined;
      return { query: id, ...withOutcome(later ?? outcome), ...defined({ answer, askedBack }) };
    } finally {
      watch.dispose();
    }
  },

  async answer({ services, routing, isOwner }, { query: named }) {
    const query = queryNamed(named);
    const answer = await loadAnswer(services, query);
    if (answer !== undefined) return { answer };
    const onItsWay = await routing.router.onItsWay(query);
    if (onItsWay !== undefined) return { pending: onItsWay.row };
    const decided = await routing.history.find(query);
    if (decided === undefined) throw failure('message/unknown', named, `No question ${named} was asked here.`);
    const { on: type, from, at, outcome, body } = decided;
    const row = { message: query, type, from, at, subject: excerpt(body, subjectLengthMax) };
    const state = outcomeText(outcome);
    if (outcome.kind !== 'routed') return { pending: { ...row, state } };
    // A session that an earlier owner had begun is asked again by the next one.
    if (!isOwner) return { pending: { ...row, state: `${state}, and waits for an owner of the vault` } };
    const question = await waitingQuestion(services, outcome.to, query);
    const askedBack = question === undefined ? undefined : askedBackIn(question, outcome.to);
    return { pending: { ...row, state, ...defined({ session: question?.session }) }, ...defined({ askedBack }) };
  },

  async reply(context, { query: named, text, id, 'wait-seconds': waitSeconds }, signal) {
    assertOwner(context);
    const { services, answers } = context;
    const query = queryNamed(named);
    const watch = new AnswerWatch(services, query);
    try {
      await answers.reply({ query, from: person, text, id: id ?? services.newUlid() });
      if (waitSeconds > 0) await watch.end(waitSeconds * 1000, signal);
      const answer = await loadAnswer(services, query);
      const askedBack = answer === undefined ? watch.askedBack : undefined;
      return { query, ...defined({ answer, askedBack }) };
    } finally {
      watch.dispose();
    }
  },

  async answer_in_place(context, { query, text }) {
    assertOwner(context);
    return { answer: await context.answers.answerInPlace(queryNamed(query), text) };
  },

  async questions({ answers, directory }, { to: named, limit }) {
    const to = named === undefined ? undefined : await actorNamed(directory, named);
    const { questions, diagnostics } = await answers.open(to);
    return { questions: questions.slice(0, limit).map(openQuestionRow), total: questions.length, diagnostics };
  },

  routing({ routing }) {
    return routing.router.pending();
  },
};

interface Posted {
  readonly id: Ulid;
  readonly outcome: RouteOutcome | 'routing';
}

type Outgoing = TargetFields &
  Pick<RoutedMessage, 'type' | 'reason' | 'body'> & {
    readonly from?: string | undefined;
    readonly id?: Ulid | undefined;
    readonly isNew?: boolean;
    readonly task?: string | undefined;
  };

/** Posts a person's message, or one that they send for a plan, whose record of it comes first. */
async function post(context: RequestContext, outgoing: Outgoing): Promise<Posted> {
  assertOwner(context);
  const { services, directory, routing } = context;
  const { type, reason, body, isNew = outgoing.id === undefined } = outgoing;
  const id = outgoing.id ?? services.newUlid();
  const target = withWholeName(parseTarget(outgoing));
  const from = outgoing.from === undefined ? person : (await directory.find(outgoing.from)).id;
  if (from === person) {
    const message: RoutedMessage = { id, type, from, target, reason, body, depth: 0, origin: id };
    return { id, outcome: await routing.router.route(message, { isNew }) };
  }
  const list = type === 'query' ? 'queries' : 'dispatches';
  const about = defined({ task: outgoing.task });
  const parts = { services, post: routing.router };
  return { id, outcome: await sendAtOnce(parts, { id, from, list, target, reason, body, ...about }, { isNew }) };
}

function queryNamed(named: string): Ulid {
  const query = named.toUpperCase();
  if (isUlid(query)) return query;
  throw failure('message/unknown', named, `"${named}" is not an id of a question.`);
}

/** A question that was taken in and has no answer yet, with the session that is asked just now. */
async function waitingQuestion(services: VaultPorts, to: QualifiedId, query: Ulid): Promise<Question | undefined> {
  const actor = (await presentName(services, to)) ?? to;
  // The answering code reports what is wrong with a file that cannot be read.
  return questionsTo(services, actor).loadUndamaged(query);
}

/** The plan or expert of a name; a plan has to be there, while questions to an expert can outlive its declaration. */
async function actorNamed(directory: PlanDirectory, named: string): Promise<QualifiedId> {
  const id = named.startsWith('expert:') && isQualifiedId(named) ? named : undefined;
  return id ?? (await directory.find(named)).id;
}

export function openQuestionRow({
  actor,
  question,
}: {
  readonly actor: QualifiedId;
  readonly question: Question;
}): OpenQuestionRow {
  const { id, from, ts, question: asked } = question.message;
  const askedBack = askedBackIn(question, actor);
  const about = { query: id, to: actor, from, at: ts, question: excerpt(asked, subjectLengthMax) };
  return { ...about, ...defined({ askedBack }) };
}

function askedBackIn(question: Question, by: QualifiedId): AskedBackRow | undefined {
  const turn = openTurn(question);
  const round = question.askedBack?.length ?? 0;
  return turn && { by, text: turn.asked, round };
}

/** A person names a plan as everywhere: a project alone is its root plan. */
function withWholeName(target: NamedTarget): NamedTarget {
  return target.kind === 'plan' ? { ...target, name: wholePlanName(target.name) } : target;
}

function withOutcome(outcome: RouteOutcome | 'routing'): { readonly outcome?: RouteOutcome } {
  return outcome === 'routing' ? {} : { outcome };
}
