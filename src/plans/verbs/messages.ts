import { beginning, plural } from '../../base/text.ts';
import type { Backlog } from '../../model/backlog.ts';
import type { Code } from '../../model/codes.ts';
import { isQualifiedId, projectOf, qualifiedIdProblem } from '../../model/id.ts';
import { tooLong } from '../../model/messageSize.ts';
import { namedBy, targetFields } from '../../model/namedTarget.ts';
import { planFiles } from '../../model/plan.ts';
import { dispatchFileSchema, queryFileSchema } from '../../model/session.ts';
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

const bodyLengthMax = 1000;

/** Appends to the scratch file that code processes once the phase is over. */
function leave(args: MessageArgs, list: 'dispatches' | 'queries', context: VerbContext): VerbEffect {
  const target = checkTarget(args, context);
  const id = context.newUlid();
  const { session } = context;
  const cause = causeOf(args, context);
  const fields = { reason: args.reason, body: bodyText(args.body, 'body', context) };
  const length = tooLong({ ...fields, named: namedBy(args) });
  // Later only its beginning would be kept, and nobody who could shorten it would hear of it.
  if (length !== undefined) throw refusal('message/tooLong', `The message is not left: ${length}.`, context);
  const led = { ...(session !== undefined && { session }), ...(cause !== undefined && { cause }) };
  const entry = { id, ...(namedBy(args) as Readonly<Record<string, string>>), ...fields, ...led };
  const file = planFiles[list];
  const done = { result: { id }, summary: `${list === 'dispatches' ? 'dispatch' : 'question'} for ${target}` };
  if (context.texts.get(file) === undefined) {
    return { edits: new Map([[file, formatYaml({ [list]: [entry] })]]), ...done };
  }
  const index = entriesIn(list, context);
  return editEffect(file, [{ op: 'insert', path: [list], index, value: entry }], context, done);
}

/**
 * The received message that this one follows from: the one that is named, by itself or by the task it became, or the
 * one that became the task at hand. So a chain of messages is known for what it is, and one that goes round in a circle
 * ends. A triage has several at hand, so it has to say; nothing is guessed, for `ravel why` tells it on.
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

/** What a triage names where its message follows from none of those that were received. */
const noCause = 'none';

/** Refuses where the triage began with a received message that waits, or with a task that was one. */
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

/** Returns the one target; whether it exists is known only when the message is delivered. */
function checkTarget(args: MessageArgs, context: VerbContext): string {
  const named = targetFields.filter((field) => args[field] !== undefined);
  const field = named[0];
  const each = `A message names exactly one of ${targetFields.join(', ')}`;
  if (field === undefined) throw refusal('message/noTarget', `${each}; here is none.`, context);
  if (named.length > 1) throw refusal('message/twoTargets', `${each}; here are ${named.join(' and ')}.`, context);
  const problem = targetProblem(args, context) ?? suggestionProblem(args);
  if (problem !== undefined) throw refusal(problem.code, problem.message, context);
  return args[field] ?? field;
}

interface Problem {
  readonly code: Code;
  readonly message: string;
}

function targetProblem(args: MessageArgs, { subject }: VerbContext): Problem | undefined {
  const plan = args['target-plan'];
  const project = args['target-project'];
  const expert = args['target-expert'];
  const own = subject.startsWith('expert:') ? undefined : projectOf(subject);
  if (plan !== undefined) return planProblem(plan, subject, own);
  if (project !== undefined) {
    if (project === '' || project.includes('/')) return badName(`"${project}" is not a name of a project.`);
    if (project !== own) return undefined;
    const message = `"${project}" is this plan's own project; name the plan instead.`;
    return { code: 'message/ownProject', message };
  }
  if (expert !== undefined) {
    const id = `expert:${expert.replace(/^expert:/, '')}`;
    if (!isQualifiedId(id)) return badName(`"${expert}" is not a name of an expert: ${qualifiedIdProblem(id)}.`);
    return id === subject ? toSelf(expert) : undefined;
  }
  return undefined;
}

function planProblem(plan: string, subject: string, own: string | undefined): Problem | undefined {
  if (!isQualifiedId(plan) || plan.startsWith('expert:')) {
    return badName(`"${plan}" is not an id of a plan: ${qualifiedIdProblem(plan) ?? 'it names an expert'}.`);
  }
  if (plan === subject) return toSelf(plan);
  if (own === undefined || projectOf(plan) === own) return undefined;
  const instead = 'name that with target-project, and the plan with suggested-target-plan';
  return { code: 'message/otherProject', message: `"${plan}" belongs to another project; ${instead}.` };
}

function suggestionProblem(args: MessageArgs): Problem | undefined {
  const suggested = args['suggested-target-plan'];
  const project = args['target-project'];
  if (suggested === undefined) return undefined;
  const code = 'message/suggestedElsewhere';
  if (project === undefined) return { code, message: 'A suggested-target-plan stands only beside a target-project.' };
  if (isQualifiedId(suggested) && suggested.startsWith(`${project}/`)) return undefined;
  return { code, message: `The suggested plan "${suggested}" is not a plan of the project "${project}".` };
}

function badName(message: string): Problem {
  return { code: 'state/badArguments', message };
}

function toSelf(name: string): Problem {
  return { code: 'message/toSelf', message: `"${name}" cannot send a message to itself.` };
}
