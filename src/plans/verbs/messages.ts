import { defined } from '../../base/defined.ts';
import { beginning, plural } from '../../base/text.ts';
import type { Backlog } from '../../model/backlog.ts';
import { qualifiedIdProblem } from '../../model/id.ts';
import { tooLong } from '../../model/messageSize.ts';
import { expertId, formatTarget, type NamedTarget, parseTarget, targetText } from '../../model/namedTarget.ts';
import { planFiles } from '../../model/plan.ts';
import { dispatchFileSchema, queryFileSchema } from '../../model/session.ts';
import { targetProblem } from '../../model/targetProblem.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import { formatYaml } from '../../yaml/yaml.ts';
import {
  bodyText,
  editEffect,
  findRecord,
  readBacklog,
  readEffect,
  readPlanFile,
  refusal,
  someOf,
} from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

type MessageArgs = VerbArgs<'message/dispatch'>;

export const messageVerbs: VerbHandlers<VerbsOf<'message'>> = {
  'message/list': (_args, context) => listSent(context),
  'message/dispatch': (args, context) => leave(args, 'dispatches', context),
  'message/ask': (args, context) => leave(args, 'queries', context),
};

/** Of each message the beginning: the backlog has them whole, and a list of many is one answer. */
function listSent(context: VerbContext): VerbEffect {
  const sent = readBacklog(context).backlog.dispatched ?? [];
  const messages = sent.map((record) => ({ ...record, body: beginning(record.body, bodyLengthMax) }));
  return readEffect({ messages }, plural(messages.length, 'sent message'));
}

/** Characters of a body in a list of messages. */
const bodyLengthMax = 1000;

/** Appends to the scratch file that code processes once the phase is over. */
function leave(args: MessageArgs, list: 'dispatches' | 'queries', context: VerbContext): VerbEffect {
  const target = parseTarget(args);
  assertTarget(target, context);
  const id = context.newUlid();
  const { session } = context;
  const cause = causeOf(args, context);
  const fields = { reason: args.reason, body: bodyText(args.body, 'body', context) };
  const length = tooLong({ ...fields, target });
  // Later, only its beginning would be kept, and its author could not shorten it any more.
  if (length !== undefined) throw refusal('message/tooLong', notSent(length), context);
  const led = defined({ session, cause });
  const entry = { id, ...(formatTarget(target) as Readonly<Record<string, string>>), ...fields, ...led };
  const file = planFiles[list];
  const done = {
    result: { id },
    summary: `${list === 'dispatches' ? 'dispatch' : 'question'} for ${targetText(target)}`,
  };
  if (context.texts.get(file) === undefined) {
    return { edits: new Map([[file, formatYaml({ [list]: [entry] })]]), ...done };
  }
  const index = entriesIn(list, context);
  return editEffect(file, [{ op: 'insert', path: [list], index, value: entry }], context, done);
}

/**
 * The received message that this one follows from: the one that is named, by itself or by the task it became, or the
 * one that became the task at hand. So a chain of messages is recognised, and one that goes round in a circle
 * ends. A triage has several messages, so it has to say; nothing is guessed, since `ravel why` reports it.
 */
function causeOf({ cause }: Pick<MessageArgs, 'cause'>, context: VerbContext): string | undefined {
  const { task, texts, phase, workCause } = context;
  // It is given no backlog: what it names it cannot know.
  if (phase === 'reflect') return workCause;
  if (cause === undefined && phase === 'triage') return refuseWithout(context);
  if (cause === undefined || cause === noCause) {
    if (task === undefined || texts.get(planFiles.backlog) === undefined) return undefined;
    return becameTask(receivedIn(context), task)?.id;
  }
  const received = receivedIn(context);
  return (becameTask(received, cause) ?? findRecord(received, cause, 'received message', context).record).id;
}

/** What a triage names if its message follows from none of those that were received. */
const noCause = 'none';

/** Refuses if the triage began with a received message that waits, or with a task that was one. */
function refuseWithout(context: VerbContext): undefined {
  const { base = context.texts } = context;
  if (base.get(planFiles.backlog) === undefined) return undefined;
  const { backlog, tasks } = readBacklog({ ...context, texts: base });
  const ids = new Set(tasks.map(({ id }) => id));
  const open = (backlog.received ?? []).filter(({ state, task }) => state === 'new' || (task != null && ids.has(task)));
  if (open.length === 0) return undefined;
  const message = 'The message does not say which received message it follows from.';
  const help = `Name as cause the one that it follows from or passes on, or the task that this became, or ${noCause}: ${someOf(open.map(({ id, task }) => task ?? id))}.`;
  throw refusal('state/badArguments', message, context, help);
}

type Received = NonNullable<Backlog['received']>;

function receivedIn(context: VerbContext): Received {
  return readBacklog(context).backlog.received ?? [];
}

function becameTask(received: Received, task: string): Received[number] | undefined {
  return received.find((record) => record.task === task);
}

function entriesIn(list: 'dispatches' | 'queries', context: VerbContext): number {
  if (list === 'dispatches') {
    return readPlanFile(planFiles.dispatches, dispatchFileSchema, context).value.dispatches?.length ?? 0;
  }
  return readPlanFile(planFiles.queries, queryFileSchema, context).value.queries?.length ?? 0;
}

/** The target in words; whether it exists is known only when the message is delivered. */
function assertTarget(target: NamedTarget, context: VerbContext): void {
  const name = nameProblem(target);
  if (name !== undefined) throw refusal('state/badArguments', name, context);
  const problem = targetProblem(target, context.subject);
  if (problem !== undefined) throw refusal(problem.code, notSent(problem.reason), context);
}

/** Why no target of this kind has this name, as a sentence. */
function nameProblem(target: NamedTarget): string | undefined {
  if (target.kind === 'plan') {
    const problem = target.name.startsWith('expert:') ? 'it names an expert' : qualifiedIdProblem(target.name);
    return problem === undefined ? undefined : `"${target.name}" is not an id of a plan: ${problem}.`;
  }
  if (target.kind === 'project') {
    const isName = target.name !== '' && !target.name.includes('/');
    return isName ? undefined : `"${target.name}" is not a name of a project.`;
  }
  if (target.kind !== 'expert') return undefined;
  const problem = qualifiedIdProblem(expertId(target.name));
  return problem === undefined ? undefined : `"${target.name}" is not a name of an expert: ${problem}.`;
}

function notSent(reason: string): string {
  return `The message cannot be sent: ${reason}.`;
}
