import type { DeadLetter } from '../actors/deadLetters.ts';
import type { NewMessage } from '../actors/envelope.ts';
import type { ActorStatus } from '../actors/supervisor.ts';
import { failure } from '../model/codes.ts';
import { isQualifiedId, type QualifiedId } from '../model/id.ts';
import { person } from '../model/message.ts';
import type { ActorRow, actorRequests, LetterRow } from '../model/requests/actors.ts';
import type { PlanRow } from '../model/requests/plans.ts';
import { assertOwner, type HandlersOf, type Parsed, type RequestContext } from './handlers.ts';

export const actorHandlers: HandlersOf<typeof actorRequests> = {
  async send(context, params) {
    assertOwner(context);
    const to = await findActor(context, params.to);
    // A sender who chose the id may be sending again what an owner that died had acknowledged.
    const isRepeat = params.id !== undefined;
    const { id } = await context.send(newMessage(context, to, params), { isRepeat });
    const session = params.type === 'note' ? context.live.of(to) : undefined;
    return { message: id, to, ...(session !== undefined && { session }) };
  },

  async actors(context) {
    assertOwner(context);
    return { actors: context.actors.statuses().map(toRow) };
  },

  async dead_letters(context, { actor }) {
    assertOwner(context);
    const of = actor === undefined ? undefined : await findActor(context, actor);
    return { letters: (await context.actors.deadLetters(of)).map(toLetterRow) };
  },

  async redeliver(context, { letter }) {
    const { id, actor } = await findLetter(context, letter);
    await context.actors.redeliver(id);
    return { letter: id, actor };
  },

  async discard(context, { letter }) {
    const { id, actor } = await findLetter(context, letter);
    await context.actors.discard(id);
    return { letter: id, actor };
  },

  async revive(context, { actor }) {
    assertOwner(context);
    const found = await findActor(context, actor);
    await context.actors.revive(found);
    return toRow(context.actors.status(found));
  },
};

/** A plan's row with how the plan stands as an actor, where this process is the one that gives it messages. */
export function withActor<Row extends PlanRow>({ isOwner, actors }: RequestContext, row: Row): Row {
  if (!isOwner) return row;
  const { actor: _actor, ...summary } = toRow(actors.status(row.plan));
  return { ...row, actor: summary };
}

/** A plan by its name, or an expert by its id, which nobody has to know yet. */
async function findActor({ directory }: RequestContext, name: string): Promise<QualifiedId> {
  if (name.startsWith('expert:') && isQualifiedId(name)) return name;
  return (await directory.find(name)).id;
}

async function findLetter(context: RequestContext, named: string): Promise<DeadLetter> {
  assertOwner(context);
  const letters = await context.actors.deadLetters();
  const [letter, ...others] = letters.filter(({ id }) => id.startsWith(named.toUpperCase()));
  if (letter !== undefined && others.length === 0) return letter;
  if (letter === undefined) throw failure('letter/unknown', named, `there is no dead letter ${named}`);
  const ids = [letter, ...others].map(({ id }) => id).join(', ');
  throw failure('letter/unknown', named, `${named} begins the ids of several dead letters: ${ids}`);
}

function newMessage({ services }: RequestContext, to: QualifiedId, params: Parsed<'send'>): NewMessage {
  const envelope = { id: params.id ?? services.newUlid(), from: person, to } as const;
  if (params.type === 'note') return { ...envelope, type: params.type, text: params.text };
  return { ...envelope, type: params.type, reason: params.reason, body: params.body };
}

function toRow({ actor, state, waiting, deadLetters }: ActorStatus): ActorRow {
  const fault = state.kind === 'faulted' ? { fault: state.fault } : {};
  return { actor, state: state.kind, queued: waiting, deadLetters, ...fault };
}

/** A letter may be in a form that nobody knows: what can be read of it is shown. */
function toLetterRow({ id, actor, message, reason, at, attempts }: DeadLetter): LetterRow {
  const text = textFields.map((field) => message[field]).find((value) => typeof value === 'string');
  return {
    letter: id,
    actor,
    type: String(message['type'] ?? 'message'),
    from: String(message['from'] ?? 'somebody'),
    at,
    attempts,
    reason: reason.message,
    text: typeof text === 'string' ? text : '',
  };
}

/** Where the types of messages keep what they say. */
const textFields = ['body', 'question', 'text', 'schedule'];
