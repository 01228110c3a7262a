import { isQualifiedId, projectOf, qualifiedIdProblem } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';
import { dispatchFileSchema, queryFileSchema } from '../../model/session.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import { formatYaml } from '../../vault/yaml.ts';
import { bodyText, editEffect, readPlanFile, refusal } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

type MessageArgs = VerbArgs<'message/dispatch'>;

export const messageVerbs: VerbHandlers<VerbsOf<'message'>> = {
  'message/dispatch': (args, context) => leave(args, 'dispatches', context),
  'message/ask': (args, context) => leave(args, 'queries', context),
};

/** Appends to the scratch file that code processes once the phase is over. */
function leave(args: MessageArgs, list: 'dispatches' | 'queries', context: VerbContext): VerbEffect {
  const target = checkTarget(args, context);
  const id = context.newUlid();
  const entry = { id, ...targetsOf(args), reason: args.reason, body: bodyText(args.body, 'body', context) };
  const file = planFiles[list];
  const told = { result: { id }, summary: `${list === 'dispatches' ? 'dispatch' : 'question'} for ${target}` };
  if (context.texts.get(file) === undefined) {
    return { edits: new Map([[file, formatYaml({ [list]: [entry] })]]), ...told };
  }
  const index = entriesIn(list, context);
  return editEffect(file, [{ op: 'insert', path: [list], index, value: entry }], context, told);
}

function entriesIn(list: 'dispatches' | 'queries', context: VerbContext): number {
  if (list === 'dispatches') {
    return readPlanFile(planFiles.dispatches, dispatchFileSchema, context).value.dispatches?.length ?? 0;
  }
  return readPlanFile(planFiles.queries, queryFileSchema, context).value.queries?.length ?? 0;
}

const targetFields = ['target-plan', 'target-project', 'target-expert', 'target'] as const;

function targetsOf(args: MessageArgs): Readonly<Record<string, string>> {
  const fields = [...targetFields, 'suggested-target-plan'] as const;
  return Object.fromEntries(fields.flatMap((field) => (args[field] === undefined ? [] : [[field, args[field]]])));
}

/** Returns the one target; whether it exists is known only when the message is delivered. */
function checkTarget(args: MessageArgs, context: VerbContext): string {
  const named = targetFields.filter((field) => args[field] !== undefined);
  const field = named[0];
  if (field === undefined || named.length > 1) {
    const found = field === undefined ? 'none' : named.join(' and ');
    throw refusal(
      'state/badArguments',
      `A message names exactly one of ${targetFields.join(', ')}; here: ${found}.`,
      context,
    );
  }
  const problem = targetProblem(args, context) ?? suggestionProblem(args);
  if (problem !== undefined) throw refusal('state/badArguments', problem, context);
  return args[field] ?? field;
}

function targetProblem(args: MessageArgs, { subject }: VerbContext): string | undefined {
  const plan = args['target-plan'];
  const project = args['target-project'];
  const expert = args['target-expert'];
  const own = subject.startsWith('expert:') ? undefined : projectOf(subject);
  if (plan !== undefined) return planProblem(plan, subject, own);
  if (project !== undefined) {
    if (project === '' || project.includes('/')) return `"${project}" is no name of a project.`;
    return project === own ? `"${project}" is this plan's own project; name the plan instead.` : undefined;
  }
  if (expert !== undefined) {
    const id = `expert:${expert.replace(/^expert:/, '')}`;
    if (!isQualifiedId(id)) return `"${expert}" is no name of an expert: ${qualifiedIdProblem(id)}.`;
    return id === subject ? `"${expert}" cannot send a message to itself.` : undefined;
  }
  return undefined;
}

function planProblem(plan: string, subject: string, own: string | undefined): string | undefined {
  if (!isQualifiedId(plan) || plan.startsWith('expert:')) {
    return `"${plan}" is no id of a plan: ${qualifiedIdProblem(plan) ?? 'it names an expert'}.`;
  }
  if (plan === subject) return `"${plan}" cannot send a message to itself.`;
  if (own !== undefined && projectOf(plan) !== own) {
    return `"${plan}" belongs to another project; name that with target-project, and the plan with suggested-target-plan.`;
  }
  return undefined;
}

function suggestionProblem(args: MessageArgs): string | undefined {
  const suggested = args['suggested-target-plan'];
  const project = args['target-project'];
  if (suggested === undefined) return undefined;
  if (project === undefined) return 'A suggested-target-plan stands only beside a target-project.';
  if (isQualifiedId(suggested) && suggested.startsWith(`${project}/`)) return undefined;
  return `The suggested plan "${suggested}" is no plan of the project "${project}".`;
}
