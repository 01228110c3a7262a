import type { Code } from './codes.ts';
import { isQualifiedId } from './id.ts';
import type { Sender } from './message.ts';
import { expertId, fieldsNamed, type NamedTarget, type TargetFields } from './namedTarget.ts';
import { projectOfSender } from './senders.ts';

/** Why a message cannot be sent: `reason` is half a sentence about the message. */
export interface TargetProblem {
  readonly code: Code;
  readonly reason: string;
}

/** A message would come back to its own sender. */
export const sentToSelf: TargetProblem = { code: 'message/toSelf', reason: 'its sender cannot be its receiver' };

/**
 * Why nothing may be sent to this target, as far as names alone say; undefined if nothing speaks against it. Whether the
 * receiver exists is not asked. A person does not belong to a project and can name any plan.
 */
export function targetProblem(target: NamedTarget, from: Sender): TargetProblem | undefined {
  if (target.kind === 'unclear') return unclearProblem(target.fields);
  if (target.kind === 'plan') return planProblem(target.name, from);
  if (target.kind === 'project') return projectProblem(target, from);
  return target.kind === 'expert' && expertId(target.name) === from ? sentToSelf : undefined;
}

function unclearProblem(fields: TargetFields): TargetProblem {
  const named = fieldsNamed(fields);
  if (named.length === 0) return { code: 'message/noTarget', reason: 'it names no target' };
  if (named.length > 1) {
    return { code: 'message/twoTargets', reason: `it names more than one target: ${named.join(' and ')}` };
  }
  return suggestedElsewhere(fields['suggested-target-plan'] ?? '');
}

function planProblem(plan: string, from: Sender): TargetProblem | undefined {
  if (plan === from) return sentToSelf;
  const home = projectOfSender(from);
  const project = plan.includes('/') ? plan.split('/')[0] : undefined;
  if (home === undefined || project === undefined || project === home) return undefined;
  return { code: 'message/otherProject', reason: `${plan} belongs to another project` };
}

function projectProblem(
  { name, suggested }: Extract<NamedTarget, { readonly kind: 'project' }>,
  from: Sender,
): TargetProblem | undefined {
  if (name === projectOfSender(from)) {
    return { code: 'message/ownProject', reason: `it names its sender's project ${name} instead of a plan in it` };
  }
  if (suggested === undefined || (isQualifiedId(suggested) && suggested.startsWith(`${name}/`))) return undefined;
  return suggestedElsewhere(suggested);
}

function suggestedElsewhere(suggested: string): TargetProblem {
  return {
    code: 'message/suggestedElsewhere',
    reason: `it suggests ${suggested}, which is not a plan of a project that it names`,
  };
}
