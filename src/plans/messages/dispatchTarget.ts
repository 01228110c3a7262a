import type { Code } from '../../model/codes.ts';
import { isQualifiedId, projectOf, type QualifiedId } from '../../model/id.ts';
import { nearestNames } from '../../model/nearest.ts';
import type { DispatchEntry } from '../../model/session.ts';

/** Where an entry of `dispatches.yaml` goes, or why it stays with its sender. */
export type DispatchTarget =
  | { readonly kind: 'plan'; readonly plan: QualifiedId }
  | { readonly kind: 'refused'; readonly code: Code; readonly reason: string; readonly help?: string };

const targetFields = ['target-plan', 'target-project', 'target-expert', 'target'] as const;

/** Only a plan of the same project can be named until routing decides about everything else (design 5). */
export function dispatchTarget(from: QualifiedId, entry: DispatchEntry, plans: readonly QualifiedId[]): DispatchTarget {
  const named = targetFields.filter((field) => entry[field] !== undefined);
  if (named.length === 0) return refused('message/noTarget', 'it names no target');
  if (named.length > 1) return refused('message/twoTargets', `it names ${named.join(' and ')}`);
  const { 'target-plan': plan, 'target-project': project, 'target-expert': expert } = entry;
  if (plan !== undefined) return planTarget(from, plan, plans);
  if (expert !== undefined) return refusedExpert(expert);
  if (project === projectOf(from)) {
    return refused('message/unrouted', `it names its own project ${project} and no plan of it`);
  }
  if (project !== undefined) return otherProject(project);
  return refused('message/unrouted', 'nothing finds a target by itself yet');
}

/** The target as the sender's record names it. */
export function targetText(entry: DispatchEntry): string {
  const named = targetFields.map((field) => entry[field]).filter((target) => target !== undefined);
  return named.length === 0 ? 'nobody' : named.join(' and ');
}

function planTarget(from: QualifiedId, target: string, plans: readonly QualifiedId[]): DispatchTarget {
  if (target.startsWith('expert:')) return refusedExpert(target);
  if (target === from) return refused('message/toSelf', 'it names its own plan');
  const project = target.split('/')[0] ?? target;
  if (target.includes('/') && project !== projectOf(from)) return otherProject(project);
  if (isQualifiedId(target) && plans.includes(target)) return { kind: 'plan', plan: target };
  const siblings = plans.filter((plan) => plan !== from && projectOf(plan) === projectOf(from));
  const near = nearestNames(target, siblings);
  const known = near.length > 0 ? near : siblings;
  const help = known.length === 0 ? 'This project has no other plan.' : `Plans of this project: ${known.join(', ')}.`;
  return { ...refused('message/unknownPlan', `there is no plan ${target}`), help };
}

function otherProject(project: string): DispatchTarget {
  return refused('message/otherProject', `${project} is another project`);
}

function refusedExpert(expert: string): DispatchTarget {
  const name = expert.replace(/^expert:/, '');
  return refused('expert/notYetImplemented', `the expert ${name} takes no messages yet`);
}

function refused(code: Code, reason: string): Extract<DispatchTarget, { kind: 'refused' }> {
  return { kind: 'refused', code, reason };
}
