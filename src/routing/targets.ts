import { assert } from '../base/assert.ts';
import { defined } from '../base/defined.ts';
import { withoutEnd } from '../base/text.ts';
import type { Code } from '../model/codes.ts';
import { isQualifiedId, type QualifiedId } from '../model/id.ts';
import { messageDepthMax, type Sender } from '../model/message.ts';
import { tooLong } from '../model/messageSize.ts';
import { expertId, type Target } from '../model/namedTarget.ts';
import { nearestNames, nearestPlans } from '../model/nearest.ts';
import type { RoutedMessage, RouteOutcome } from '../model/routing.ts';
import { fromActor, projectOfSender } from '../model/senders.ts';
import { type TargetProblem, targetProblem } from '../model/targetProblem.ts';

/** Whom a message can reach, by name alone. */
export interface Reachable {
  readonly plans: ReadonlySet<string>;
  readonly experts: ReadonlySet<string>;
  /** Experts whose declaration was never valid, each with what is wrong with it. */
  readonly faultyExperts: ReadonlyMap<string, string>;
  /** Every project that the vault links, and whether its folder is still there. */
  readonly projects: ReadonlyMap<string, 'there' | 'gone'>;
}

/** The target of a message, once its name is resolved: one actor, or the scope in which one is looked for. */
export type Destination =
  | { readonly kind: 'actor'; readonly actor: QualifiedId }
  | { readonly kind: 'project'; readonly project: string; readonly suggested?: QualifiedId }
  | { readonly kind: 'vault' }
  | RefusedOutcome;

export type RefusedOutcome = Extract<RouteOutcome, { readonly kind: 'refused' }>;

/**
 * Whom a message is for, or why it is refused. `targetProblem` has what names alone speak against; the rest depends on
 * who is there.
 */
export function destinationOf(message: RoutedMessage, reachable: Reachable): Destination {
  const { target, from, depth } = message;
  if (depth > messageDepthMax) {
    return refused('message/tooDeep', `it is number ${depth} in a chain of messages; the limit is ${messageDepthMax}`);
  }
  const length = tooLong(message);
  if (length !== undefined) return refused('message/tooLong', length);
  const problem = targetProblem(target, from);
  if (problem !== undefined && problem.code !== 'message/otherProject') return refused(problem.code, problem.reason);
  assert(target.kind !== 'unclear', 'what does not name exactly one target is refused');
  return destinationOfTarget(target, { from, problem }, reachable);
}

interface Sent {
  readonly from: Sender;
  /** Another project than the sender's is a problem only if it exists. */
  readonly problem: TargetProblem | undefined;
}

function destinationOfTarget(target: Target, sent: Sent, reachable: Reachable): Destination {
  switch (target.kind) {
    case 'plan':
      return planDestination(target.name, sent, reachable);
    case 'project':
      return projectDestination(target, sent.from, reachable);
    case 'expert':
      return expertDestination(target.name, reachable);
    case 'auto':
      return { kind: 'vault' };
  }
}

function planDestination(plan: string, { from, problem }: Sent, reachable: Reachable): Destination {
  if (plan.startsWith('expert:')) return expertDestination(plan, reachable);
  const project = plan.includes('/') ? (plan.split('/')[0] ?? plan) : undefined;
  if (problem !== undefined && project !== undefined) {
    if (!reachable.projects.has(project)) return unknownPlan(plan, reachable, undefined);
    const help = reachable.plans.has(plan)
      ? `Name target-project: ${project} with suggested-target-plan: ${plan}.`
      : `Name target-project: ${project}.`;
    return refused(problem.code, problem.reason, help);
  }
  if (project !== undefined && reachable.projects.get(project) === 'gone') return goneProject(project);
  if (isQualifiedId(plan) && reachable.plans.has(plan)) return { kind: 'actor', actor: plan };
  return unknownPlan(plan, reachable, projectOfSender(from), fromActor(from));
}

function unknownPlan(plan: string, { plans }: Reachable, home: string | undefined, sender?: string): RefusedOutcome {
  const known = [...plans].filter((id) => id !== sender && (home === undefined || id.startsWith(`${home}/`)));
  const near = nearestPlans(plan, known);
  const place = home === undefined ? 'this vault' : 'this project';
  const which = near.length > 0 ? `Plans of ${place} with a similar name` : `Plans of ${place}`;
  const shown = near.length > 0 ? near : known.slice(0, namesMax);
  const more = near.length === 0 && known.length > namesMax ? ` and ${known.length - namesMax} more` : '';
  const none = home === undefined ? 'This vault has no plan.' : 'This project has no other plan.';
  const help = shown.length === 0 ? none : `${which}: ${shown.join(', ')}${more}.`;
  return refused('message/unknownPlan', `there is no plan ${plan}`, help);
}

/** Names that a sentence can hold. */
const namesMax = 20;

function expertDestination(expert: string, { experts, faultyExperts }: Reachable): Destination {
  const id = expertId(expert);
  const name = id.slice('expert:'.length);
  if (isQualifiedId(id) && experts.has(id)) return { kind: 'actor', actor: id };
  const fault = faultyExperts.get(id);
  if (fault !== undefined) {
    const help = `Correct experts/${name}.md; \`ravel experts\` says all that is wrong with it.`;
    return refused(
      'message/faultyExpert',
      `${id} cannot answer, since its declaration is not valid: ${withoutEnd(fault, '.')}`,
      help,
    );
  }
  const names = [...experts].map((known) => known.slice('expert:'.length));
  const near = nearestNames(name, names);
  const shown = near.length > 0 ? near : names.slice(0, namesMax);
  const help = shown.length === 0 ? 'This vault has no expert.' : `Experts: ${shown.join(', ')}.`;
  return refused('message/unknownExpert', `there is no expert ${name}`, help);
}

function projectDestination(
  { name: project, suggested }: Extract<Target, { readonly kind: 'project' }>,
  from: Sender,
  reachable: Reachable,
): Destination {
  const state = reachable.projects.get(project);
  if (state === 'gone') return goneProject(project);
  if (state === undefined) {
    const names = [...reachable.projects.keys()];
    const near = nearestNames(project, names);
    const shown = near.length > 0 ? near : names.slice(0, namesMax);
    const help = shown.length === 0 ? 'This vault has no project.' : `Projects: ${shown.join(', ')}.`;
    return refused('message/unknownProject', `there is no project ${project}`, help);
  }
  const only = fromActor(from) === undefined ? onlyPlanOf(project, reachable) : undefined;
  if (only !== undefined && (suggested ?? only) === only) return { kind: 'actor', actor: only };
  if (suggested === undefined) return { kind: 'project', project };
  if (!isQualifiedId(suggested) || !reachable.plans.has(suggested)) return unknownPlan(suggested, reachable, project);
  return { kind: 'project', project, suggested };
}

/** A person who names a project with one plan has named that plan; of another project's wish a session judges first. */
function onlyPlanOf(project: string, { plans }: Reachable): QualifiedId | undefined {
  const [only, ...others] = [...plans].filter((plan) => plan.startsWith(`${project}/`));
  return only !== undefined && others.length === 0 && isQualifiedId(only) ? only : undefined;
}

function goneProject(project: string): RefusedOutcome {
  return refused('message/projectGone', `the folder of the project ${project} is not there`);
}

function refused(code: Code, reason: string, help?: string): RefusedOutcome {
  return { kind: 'refused', code, reason, ...defined({ help }) };
}
