import { type PolicyAnswer, policyRuleName } from '../../model/policy.ts';
import type { ToolRequest } from '../../model/verdict.ts';
import type { Arrivals } from './arrivals.ts';
import type { Dialect } from './shell/shell.ts';

/** Why a command may not simply run; undefined when it may. */
export type Objection =
  | {
      readonly decision: 'deny' | 'ask';
      readonly reason: string;
      /** It can only do its work if its sandbox opens the network. */
      readonly needsNetwork?: true;
      /** What it would do cannot be known, so no rule of the policy answers it. */
      readonly isUnknown?: true;
      /** Which gate objects; the one for commands if absent. */
      readonly gate?: 'protected' | 'policy' | 'network';
      /** The rule of the policy that objects. */
      readonly ruled?: PolicyAnswer;
    }
  | undefined;

/** Where a command may run: every folder that an earlier `cd` may have led to. */
export interface CommandPlace {
  readonly request: ToolRequest;
  readonly folders: readonly string[];
  /** Where earlier commands of the line put links and trees. */
  readonly arrivals: Arrivals;
  /** Variables that programs were given so far on the line. */
  readonly exported: Set<string>;
  /** How many shells stand around it. */
  readonly depth: number;
  /** Judges the text of a shell that a command starts. */
  readonly judgeText: (text: string, place: CommandPlace, dialect?: Dialect) => Objection;
}

export function refuse(reason: string): Objection {
  return { decision: 'deny', reason };
}

export function ask(reason: string): Objection {
  return { decision: 'ask', reason };
}

/** A question that no rule of the policy answers: a rule cannot know what a person would see either. */
export function askUnknown(reason: string): Objection {
  return { decision: 'ask', reason, isUnknown: true };
}

/** A question that no rule of the policy answers, since it is about what a session must not reach unseen. */
export function askProtected(reason: string): Objection {
  return { decision: 'ask', reason, gate: 'protected' };
}

/** What a rule of the policy has against something; undefined for one that allows it. */
export function objectionOfRule(subject: string, ruled: PolicyAnswer | undefined): Objection {
  if (ruled === undefined || ruled.action === 'allow') return undefined;
  const decision = ruled.action;
  return { decision, reason: `${subject} ${sayRule(ruled)}.`, gate: 'policy', ruled };
}

/** As the end of a sentence about what the rule matches, without its full stop. */
export function sayRule({ action, rule, why, instead }: PolicyAnswer): string {
  const verb = action === 'deny' ? 'is denied' : 'needs your approval';
  const said = `${verb} by the rule ${policyRuleName(rule)} of the ${rule.layer}’s policy`;
  const reasons = [why, instead === undefined ? undefined : `Instead: ${instead}`];
  const texts = reasons.flatMap((text) => (text === undefined ? [] : [text.trimEnd().replace(/\.$/, '')]));
  return [said, ...texts].join('. ');
}

/** A question that a sandbox answers: what runs inside of one does no harm that the sandbox does not keep from us. */
export function doubt(place: CommandPlace, reason: string): Objection {
  return place.request.confinement === 'confined' ? undefined : ask(reason);
}

/** A question about the network, which a sandbox keeps from commands unless a person opens it. */
export function reaches({ request }: CommandPlace, reason: string): Objection {
  if (request.confinement !== 'confined') return { decision: 'ask', reason, gate: 'network' };
  return request.network === 'ask' ? { decision: 'ask', reason, needsNetwork: true, gate: 'network' } : undefined;
}

/**
 * The first refusal, else the first question of the gate that comes first; with the network if any of the questions is
 * about it.
 */
export function strictest(objections: Iterable<Objection>): Objection {
  let found: Objection;
  for (const objection of objections) {
    if (objection?.decision === 'deny') return objection;
    if (found !== undefined && objection !== undefined && rankOf(objection) < rankOf(found)) {
      const isNetwork = found.needsNetwork === true || objection.needsNetwork === true;
      const reason = found.needsNetwork === true ? `${objection.reason} ${found.reason}` : objection.reason;
      found = { ...objection, reason, ...(isNetwork && { needsNetwork: true }) };
      continue;
    }
    if (found !== undefined && objection?.needsNetwork === true && found.needsNetwork !== true) {
      found = { ...objection, reason: `${found.reason} ${objection.reason}` };
    }
    found ??= objection;
  }
  return found;
}

/** Those that no rule answers come first, so that none is lost behind one that a rule does. */
function rankOf({ gate, isUnknown }: Exclude<Objection, undefined>): number {
  if (gate === 'protected') return 0;
  if (gate === 'policy') return 1;
  return isUnknown === true ? 2 : 3;
}
