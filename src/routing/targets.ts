import type { Code } from '../model/codes.ts';
import { isQualifiedId, projectOf, type QualifiedId } from '../model/id.ts';
import { messageDepthMax } from '../model/message.ts';
import { tooLong } from '../model/messageSize.ts';
import { targetFields } from '../model/namedTarget.ts';
import { nearestNames } from '../model/nearest.ts';
import type { RoutedMessage, RouteOutcome } from '../model/routing.ts';
import { fromActor } from '../model/senders.ts';

/** Whom a message can reach, by name alone. */
export interface Reachable {
  readonly plans: ReadonlySet<string>;
  readonly experts: ReadonlySet<string>;
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
 * Whom a message is for, or why it is refused: one code and one sentence for each refusal. A person does not belong to
 * a project and can name any plan.
 */
export function destinationOf(message: RoutedMessage, reachable: Reachable): Destination {
  const { named, depth } = message;
  if (depth > messageDepthMax) {
    return refused('message/tooDeep', `it is the ${depth}th of a chain of messages; ${messageDepthMax} may be`);
  }
  const length = tooLong(message);
  if (length !== undefined) return refused('message/tooLong', length);
  const fields = targetFields.filter((field) => named[field] !== undefined);
  if (fields.length === 0) return refused('message/noTarget', 'it names no target');
  if (fields.length > 1) return refused('message/twoTargets', `it names ${fields.join(' and ')}`);
  const suggested = named['suggested-target-plan'];
  if (suggested !== undefined && named['target-project'] === undefined) {
    return refused('message/suggestedElsewhere', `it suggests ${suggested} without naming its project`);
  }
  const { 'target-plan': plan, 'target-project': project, 'target-expert': expert } = named;
  if (plan !== undefined) return planDestination(message, plan, reachable);
  if (expert !== undefined) return expertDestination(expert, reachable);
  if (project !== undefined) return projectDestination(message, project, reachable);
  return { kind: 'vault' };
}

function planDestination(message: RoutedMessage, plan: string, reachable: Reachable): Destination {
  if (plan.startsWith('expert:')) return expertDestination(plan, reachable);
  const sender = fromActor(message.from);
  if (plan === sender) return refused('message/toSelf', 'it names its own plan');
  const home = sender === undefined || sender.startsWith('expert:') ? undefined : projectOf(sender);
  const project = plan.includes('/') ? (plan.split('/')[0] ?? plan) : undefined;
  if (home !== undefined && project !== undefined && project !== home) {
    if (!reachable.projects.has(project)) return unknownPlan(plan, reachable, undefined);
    const help = reachable.plans.has(plan)
      ? `Name target-project: ${project} with suggested-target-plan: ${plan}.`
      : `Name target-project: ${project}.`;
    return refused('message/otherProject', `${project} is another project`, help);
  }
  if (project !== undefined && reachable.projects.get(project) === 'gone') return goneProject(project);
  if (isQualifiedId(plan) && reachable.plans.has(plan)) return { kind: 'actor', actor: plan };
  return unknownPlan(plan, reachable, home, sender);
}

function unknownPlan(plan: string, { plans }: Reachable, home: string | undefined, sender?: string): RefusedOutcome {
  const known = [...plans].filter((id) => id !== sender && (home === undefined || id.startsWith(`${home}/`)));
  const near = nearestNames(plan, known);
  const shown = near.length > 0 ? near : known.slice(0, namesMax);
  const which = home === undefined ? 'Plans of this vault' : 'Plans of this project';
  const more = near.length === 0 && known.length > namesMax ? ` and ${known.length - namesMax} more` : '';
  const none = home === undefined ? 'This vault has no plan.' : 'This project has no other plan.';
  const help = shown.length === 0 ? none : `${which}: ${shown.join(', ')}${more}.`;
  return refused('message/unknownPlan', `there is no plan ${plan}`, help);
}

/** Names that a sentence can hold. */
const namesMax = 20;

function expertDestination(expert: string, { experts }: Reachable): Destination {
  const name = expert.replace(/^expert:/, '');
  const id = `expert:${name}`;
  if (isQualifiedId(id) && experts.has(id)) return { kind: 'actor', actor: id };
  const names = [...experts].map((known) => known.slice('expert:'.length));
  const near = nearestNames(name, names);
  const shown = near.length > 0 ? near : names.slice(0, namesMax);
  const help = shown.length === 0 ? 'This vault has no expert.' : `Experts: ${shown.join(', ')}.`;
  return refused('message/unknownExpert', `there is no expert ${name}`, help);
}

function projectDestination(message: RoutedMessage, project: string, reachable: Reachable): Destination {
  const sender = fromActor(message.from);
  if (sender !== undefined && !sender.startsWith('expert:') && projectOf(sender) === project) {
    return refused('message/ownProject', `it names its own project ${project} and no plan of it`);
  }
  const state = reachable.projects.get(project);
  if (state === 'gone') return goneProject(project);
  if (state === undefined) {
    const names = [...reachable.projects.keys()];
    const near = nearestNames(project, names);
    const shown = near.length > 0 ? near : names.slice(0, namesMax);
    const help = shown.length === 0 ? 'This vault has no project.' : `Projects: ${shown.join(', ')}.`;
    return refused('message/unknownProject', `there is no project ${project}`, help);
  }
  const suggested = message.named['suggested-target-plan'];
  const only = sender === undefined ? onlyPlanOf(project, reachable) : undefined;
  if (only !== undefined && (suggested ?? only) === only) return { kind: 'actor', actor: only };
  if (suggested === undefined) return { kind: 'project', project };
  if (suggested.split('/')[0] !== project || !isQualifiedId(suggested)) {
    return refused('message/suggestedElsewhere', `${suggested} is not a plan of ${project}`);
  }
  if (!reachable.plans.has(suggested)) return unknownPlan(suggested, reachable, project);
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
  return { kind: 'refused', code, reason, ...(help !== undefined && { help }) };
}
