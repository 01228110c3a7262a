import { defined } from '../../base/defined.ts';
import type { Candidate, WeighedLead } from '../../model/routing.ts';
import type { HistoryIndex, PastDecision } from '../history/historyIndex.ts';
import { leadOf } from '../lead.ts';

/** How far the scores alone were ahead for a text whose right recipient is known. */
export interface LabelledLead {
  /** See `leadOf`; 0 to 1. */
  readonly lead: number;
  /** Whether the best candidate was the right one. */
  readonly isRight: boolean;
}

/** What the scores said about a task of a plan, which is the right recipient. */
export interface TaskLead extends LabelledLead {
  readonly plan: string;
}

/** The lead that decides, and what it rests on. */
export type Calibration = Omit<WeighedLead, 'ahead'>;

/** The newest decisions that count; tasks stand in for those that are missing. */
export const examplesMax = 300;

/**
 * From which lead on the scores are right with the demanded precision. Decisions count first, the newest before the older;
 * tasks of the plans fill up what is missing, so that a vault without a history has a threshold too. A plan
 * with many tasks made of a small plan's words is right about its own, and would lower the lead until it gets the messages
 * of the small one; so each plan has to keep its own tasks.
 */
export function calibrate(
  examples: { readonly decisions: readonly LabelledLead[]; readonly tasks: readonly TaskLead[] },
  precision: number,
): Calibration {
  const decisions = examples.decisions.slice(0, examplesMax);
  const tasks = examples.tasks.slice(0, examplesMax - decisions.length);
  const threshold = reliableLead(decisions, tasks, precision);
  return { ...defined({ threshold }), tasks: tasks.length, decisions: decisions.length };
}

/** The lead of the first candidate beside the one that it needs. */
export function weighedLead(candidates: readonly Candidate[], calibration: Calibration): WeighedLead {
  return { ahead: leadOf(candidates), ...calibration };
}

/**
 * The lowest lead at which the lower bound of the share of right examples, among those with at least this lead, reaches
 * the precision, and no plan loses a larger share of its own tasks. Undefined if there are too few examples, or too many
 * wrong ones, for any lead.
 */
function reliableLead(
  decisions: readonly LabelledLead[],
  tasks: readonly TaskLead[],
  precision: number,
): number | undefined {
  const examples: readonly (LabelledLead & { readonly plan?: string })[] = [...decisions, ...tasks];
  const sorted = examples.filter(({ lead }) => lead > 0).sort((a, b) => b.lead - a.lead);
  const all: Tally = { right: 0, count: 0 };
  const ofPlan = new Map<string, Tally>();
  let found: number | undefined;
  for (const [at, { lead, isRight, plan }] of sorted.entries()) {
    add(all, isRight);
    if (plan !== undefined) {
      const own = ofPlan.get(plan) ?? { right: 0, count: 0 };
      ofPlan.set(plan, own);
      add(own, isRight);
    }
    const isLastOfLead = sorted[at + 1]?.lead !== lead;
    if (isLastOfLead && lowerBound(all.right, all.count) >= precision && losesFew(ofPlan, precision)) {
      found = lead;
    }
  }
  return found;
}

interface Tally {
  right: number;
  count: number;
}

function add(tally: Tally, isRight: boolean): void {
  tally.count += 1;
  if (isRight) tally.right += 1;
}

/** Whether each plan keeps its own tasks: of those that would be decided, it loses no larger share than may be wrong. */
function losesFew(ofPlan: ReadonlyMap<string, Tally>, precision: number): boolean {
  return [...ofPlan.values()].every(({ right, count }) => count - right <= (1 - precision) * count);
}

/** Of the normal distribution, for a confidence of 95 % on one side. */
const z = 1.645;

/** Wilson's lower bound of a share: with 95 % confidence, the true one is not below it. 0 to 1. */
export function lowerBound(right: number, count: number): number {
  if (count === 0) return 0;
  const share = right / count;
  const middle = share + z ** 2 / (2 * count);
  const spread = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return (middle - spread) / (1 + z ** 2 / count);
}

/** Earlier decisions that show whether the scores were right, the newest first; of messages to `within` alone, or to no project. */
export function labelledDecisions({ decisions }: HistoryIndex, within: string | undefined): LabelledLead[] {
  const found: LabelledLead[] = [];
  for (let at = decisions.length - 1; at >= 0 && found.length < examplesMax; at -= 1) {
    const decision = decisions[at];
    const isRight = decision?.within === within ? wasRight(decision) : undefined;
    if (decision?.best !== undefined && isRight !== undefined) found.push({ lead: decision.best.lead, isRight });
  }
  return found;
}

/**
 * Whether the best candidate was the right recipient, as far as that is known. A decision of the scores proves nothing by
 * itself; what a rule, a session or a person decided holds until the receiver declines it.
 */
function wasRight(decision: PastDecision | undefined): boolean | undefined {
  if (decision?.best === undefined || decision.to === undefined) return undefined;
  const isBest = decision.best.recipient === decision.to;
  if (decision.declined) return isBest ? false : undefined;
  return decision.step !== 'scores' || decision.promoted ? isBest : undefined;
}
