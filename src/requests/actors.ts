import { type DeadLetter, DeadLetters } from '../actors/deadLetters.ts';
import { listDormant } from '../actors/dormantActors.ts';
import type { ActorStatus } from '../actors/supervision.ts';
import { defined } from '../base/defined.ts';
import { failure } from '../model/codes.ts';
import { isQualifiedId, type QualifiedId } from '../model/id.ts';
import type { NewMessage } from '../model/message.ts';
import { nearestNames } from '../model/nearest.ts';
import { person } from '../model/person.ts';
import type { ActorRow, ActorSummary, actorRequests, DeadLetterRow } from '../model/requests/actors.ts';
import type { PlanRow } from '../model/requests/plans.ts';
import { loadCrashTimes } from '../vault/crashTimes.ts';
import { assertOwner, type HandlersOf, type ParsedParams, type RequestContext } from './handlers.ts';

export const actorHandlers: HandlersOf<typeof actorRequests> = {
  async send(context, params) {
    assertOwner(context);
    await refuseExpert(context, params.to);
    const to = await findActor(context, params.to);
    // A sender who chose the id may be sending again what an owner that died had acknowledged.
    const isRepeat = params.id !== undefined;
    const { id } = await context.send(newMessage(context, to, params), { isRepeat });
    const session = params.type === 'note' ? context.live.of(to) : undefined;
    return { message: id, to, ...defined({ session }) };
  },

  async actors(context) {
    // Until then the messages that waited at the start are not known.
    if (context.isOwner) await context.actors.scanned();
    return { actors: (await actorStatuses(context)).map(toRow) };
  },

  async dead_letters(context, { actor }) {
    const of = actor === undefined ? undefined : await findActor(context, actor);
    return { deadLetters: (await deadLettersOf(context, of)).map(toDeadLetterRow) };
  },

  async redeliver(context, { message }) {
    const { id, actor } = await findDeadLetter(context, message);
    await context.actors.redeliver(id);
    return { message: id, actor };
  },

  async discard(context, { message }) {
    const { id, actor } = await findDeadLetter(context, message);
    await context.actors.discard(id);
    return { message: id, actor };
  },

  async revive(context, { actor }) {
    assertOwner(context);
    const found = await findActor(context, actor);
    const wasFaulted = context.actors.status(found).state.kind === 'faulted';
    await context.actors.revive(found);
    return { ...toRow(context.actors.status(found)), wasFaulted };
  },
};

/**
 * The state of every actor that has something to do or cannot do it; if the vault has no owner, as the files show it.
 */
export async function actorStatuses(
  context: Pick<RequestContext, 'services' | 'actors' | 'isOwner'>,
): Promise<readonly ActorStatus[]> {
  return context.isOwner ? context.actors.statuses() : resting(context);
}

/**
 * Adds to a plan's row its state as an actor and in queues. If the vault has no owner, that state is what waits on
 * disk, and a phase that runs has lost its owner.
 */
export async function actorsOfRows(context: RequestContext): Promise<<Row extends PlanRow>(row: Row) => Row> {
  if (context.isOwner) {
    return (row) => {
      const queued = context.locks.waitsFor(row.plan);
      return { ...row, actor: toSummary(context.actors.status(row.plan)), ...defined({ queued }) };
    };
  }
  const known = new Map((await resting(context)).map((status) => [status.actor, status]));
  return (row) => {
    const status = known.get(row.plan);
    return {
      ...row,
      ...(row.running !== undefined && { running: { ...row.running, unowned: true } }),
      ...(status !== undefined && { actor: toSummary(status) }),
    };
  };
}

function resting({ services }: Pick<RequestContext, 'services'>): Promise<ActorStatus[]> {
  const { disk, layout, settings } = services;
  const { crashes, 'crash-window-seconds': seconds } = settings.actors;
  return listDormant({
    disk,
    mailboxes: layout.mailboxes,
    deadLetters: layout.deadLetters,
    limits: { crashes, crashWindowMs: seconds * 1000 },
    crashTimes: { load: (actor) => loadCrashTimes({ disk, layout }, actor) },
  });
}

async function deadLettersOf(
  { isOwner, actors, services }: Pick<RequestContext, 'services' | 'actors' | 'isOwner'>,
  actor: QualifiedId | undefined,
) {
  if (isOwner) return actors.deadLetters(actor);
  return (await new DeadLetters(services.disk, services.layout.deadLetters).list(actor)).letters;
}

/**
 * An expert would accept a note or a task and refuse it only when no caller listens any more: the text stays with the
 * sender.
 */
async function refuseExpert({ registry }: Pick<RequestContext, 'registry'>, to: string): Promise<void> {
  if (!to.startsWith('expert:')) return;
  const { experts, diagnostics } = await registry.current();
  const name = to.slice('expert:'.length);
  const names = experts.map(({ expert }) => expert['expert-id']);
  // A declaration with a fault is one all the same.
  if (names.includes(name) || diagnostics.some(({ subject }) => subject === to)) {
    throw failure('expert/questionsOnly', to, `${to} answers questions and takes in nothing else.`);
  }
  const near = nearestNames(name, names).map((other) => `expert:${other}`);
  const help = `Did you mean ${near.join(' or ')}? See \`ravel experts\` for all of them.`;
  throw failure('expert/unknown', to, `There is no expert "${to}" in this vault.`, near.length > 0 ? { help } : {});
}

/** A plan by its name, or an expert by its id, even if it is not declared yet. */
async function findActor({ directory }: Pick<RequestContext, 'directory'>, name: string): Promise<QualifiedId> {
  if (name.startsWith('expert:') && isQualifiedId(name)) return name;
  return (await directory.find(name)).id;
}

async function findDeadLetter(
  context: Pick<RequestContext, 'services' | 'actors' | 'isOwner'>,
  named: string,
): Promise<DeadLetter> {
  assertOwner(context);
  const deadLetters = await context.actors.deadLetters();
  const [letter, ...others] = deadLetters.filter(({ id }) => id.startsWith(named.toUpperCase()));
  if (letter !== undefined && others.length === 0) return letter;
  if (letter === undefined) throw failure('message/noDeadLetter', named, `There is no dead letter ${named}.`);
  const ids = [letter, ...others].map(({ id }) => id).join(', ');
  throw failure('message/noDeadLetter', named, `${named} begins the ids of several dead letters: ${ids}`);
}

function newMessage(
  { services }: Pick<RequestContext, 'services'>,
  to: QualifiedId,
  params: ParsedParams<'send'>,
): NewMessage {
  const envelope = { id: params.id ?? services.newUlid(), from: person, to } as const;
  if (params.type === 'note') return { ...envelope, type: params.type, text: params.text };
  return { ...envelope, type: params.type, reason: params.reason, body: params.body };
}

function toRow(status: ActorStatus): ActorRow {
  return { actor: status.actor, ...toSummary(status) };
}

function toSummary({ state, waiting, deadLetters, waitsBecause }: ActorStatus): ActorSummary {
  const fault = state.kind === 'faulted' ? { fault: state.fault } : {};
  const because = defined({ waitsBecause });
  return { state: state.kind, queued: waiting, deadLetters, ...fault, ...because };
}

/** A letter can have an unknown form: the row shows what can be read of it. */
function toDeadLetterRow({ id, actor, message, reason, at, attempts }: DeadLetter): DeadLetterRow {
  const text = textFields.map((field) => message[field]).find((value) => typeof value === 'string');
  return {
    message: id,
    actor,
    type: String(message['type'] ?? 'message'),
    from: String(message['from'] ?? 'someone'),
    at,
    attempts,
    reason: reason.message,
    text: typeof text === 'string' ? text : '',
  };
}

/** Where the types of messages keep what they say. */
const textFields = ['body', 'question', 'text', 'schedule'];
