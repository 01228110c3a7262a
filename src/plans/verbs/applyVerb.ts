import type * as z from 'zod';
import { assert } from '../../base/assert.ts';
import { failure } from '../../model/codes.ts';
import { describeIssue } from '../../model/issueText.ts';
import { isKnowledgeVerb, toolFromVerb, type VerbArgs, type VerbName, verbs, verbsOfPhase } from '../../model/verbs.ts';
import { backlogVerbs } from './backlog.ts';
import { memoryVerbs } from './memory.ts';
import { messageVerbs } from './messages.ts';
import { phaseVerbs } from './phase.ts';
import { receivedVerbs } from './received.ts';
import { sessionVerbs } from './session.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { StateVerbName, VerbHandlers } from './verbHandlers.ts';

const handlers: VerbHandlers<StateVerbName> = {
  ...backlogVerbs,
  ...receivedVerbs,
  ...memoryVerbs,
  ...sessionVerbs,
  ...messageVerbs,
  ...phaseVerbs,
};

/**
 * Computes what a state verb does to a plan's files.
 *
 * Throws `state/badArguments` if the arguments do not fit the verb, `state/notAllowed` if the phase does not have the
 * verb, what the verb itself refuses, and what the files' own problems are. `source/revert` touches the source,
 * `message/reply` a question that waits, and the verbs of `knowledge` no file of the plan; they are not carried out here.
 */
export function applyVerb(name: VerbName, args: unknown, context: VerbContext): VerbEffect {
  checkPhase(name, context);
  assert(name !== 'source/revert', 'source/revert is carried out by the runner');
  assert(name !== 'message/reply', 'message/reply is carried out by the running session');
  assert(!isKnowledgeVerb(name), 'the verbs of knowledge are carried out by the running session');
  const parsed = verbs[name].args.safeParse(args);
  if (!parsed.success) throw badArguments(name, parsed.error.issues, context);
  checkTask(name, parsed.data, context);
  return run(name, parsed.data, context);
}

/** The schema of `name` has just accepted `args`; the compiler cannot follow that through the table. */
function run<Name extends StateVerbName>(name: Name, args: unknown, context: VerbContext): VerbEffect {
  return handlers[name](args as VerbArgs<Name>, context);
}

function checkPhase(name: VerbName, { phase, subject }: VerbContext): void {
  if (phase === undefined || verbs[name].phases.includes(phase)) return;
  const tools = verbsOfPhase(phase).map(toolFromVerb).join(', ');
  throw failure('state/notAllowed', subject, `The phase ${phase} does not have ${name}.`, {
    help: `Use one of the tools of this phase: ${tools}.`,
  });
}

const ofChosenTask: ReadonlySet<VerbName> = new Set([
  'backlog/set-status',
  'backlog/set-results',
  'backlog/set-handoff',
]);

/** A work session changes its own task and no other. */
function checkTask(name: VerbName, args: object, { phase, task, subject }: VerbContext): void {
  if (phase !== 'work' || task === undefined || !ofChosenTask.has(name)) return;
  if (!('id' in args) || args.id === task) return;
  throw failure('state/notAllowed', subject, `This session works on "${task}" and cannot change "${args.id}".`, {
    help: `Use the id ${task}; leave other tasks to triage.`,
  });
}

function badArguments(name: VerbName, issues: readonly z.core.$ZodIssue[], context: VerbContext) {
  const sentences = issues.map((issue) => {
    const problem = describeIssue(issue);
    return issue.path.length === 0 ? problem : `${issue.path.join('.')}: ${problem}`;
  });
  return failure(
    'state/badArguments',
    context.subject,
    `The arguments of ${name} do not fit: ${sentences.join('; ')}.`,
    { help: `See \`ravel state ${name.replace('/', ' ')} --help\`.` },
  );
}
