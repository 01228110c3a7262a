import * as z from 'zod';
import type { Task } from './backlog.ts';
import type { QualifiedId, Ulid } from './id.ts';

/** Tasks of one proposal: what a person can still review at once. */
export const proposedTasksMax = 200;
/** Plans of one proposal. */
export const proposedPlansMax = 40;
/** Bytes of a list, a YAML document or an export that a person hands in. */
export const handedInBytesMax = 1024 * 1024;
/** Questions that a session can ask before it proposes. */
export const goalQuestionsMax = 3;
/** In the place of a child's slug: the plan itself that the goal is for. */
export const samePlan = '.';

const text = z.string();

/**
 * How long a text may be is judged with everything else, so that a session learns all that is wrong at once. A key that is
 * not known is refused: a dependency under another name must not be lost.
 */
export const proposedTaskSchema = z.strictObject({
  title: text.describe('what to do, in a few words; one line, no other task of the plan has it'),
  category: text.optional().describe('one word, such as feature, bug, test or docs'),
  description: text.optional().describe('the work, for a reader who knows only this task and the project'),
  done_when: text.optional().describe('how to see that it is done: a command, a file, a behaviour'),
  dependencies: z.array(text).optional().describe('titles of tasks of the same plan that must be done before it'),
  order: z.number().optional().describe('its place by priority, from 1; the order of the list without it'),
});

const proposedMemorySchema = z.strictObject({
  title: text.describe('what it says, in a few words'),
  body: text.describe('a fact or a decision that each session of the plan must know'),
});

export const proposedPlanSchema = z.strictObject({
  slug: text.describe(
    `name of the folder of a new child plan, such as search-index; "${samePlan}" adds the tasks to the plan itself`,
  ),
  title: text.optional(),
  description: text.optional().describe('the lasting purpose of a new plan, one sentence of at most 120 characters'),
  tasks: z.array(proposedTaskSchema).optional(),
  memory: z.array(proposedMemorySchema).optional(),
});

export const planProposalSchema = z.strictObject({
  description: text.describe('the whole proposal in one sentence of at most 120 characters'),
  questions: z.array(text).optional().describe('what a person should decide; they read it beside the proposal'),
  plans: z.array(proposedPlanSchema).describe('the plans with their tasks'),
  suggestions: z
    .object({
      expert: text.optional().describe('an expert that would help, and with what'),
      rule: text.optional().describe('which messages should come to these plans'),
    })
    .optional(),
});

export type ProposedTask = z.infer<typeof proposedTaskSchema>;
export type ProposedPlan = z.infer<typeof proposedPlanSchema>;
export type PlanProposal = z.infer<typeof planProposalSchema>;

const id = text.transform((value) => value as Ulid);
const plan = text.transform((value) => value as QualifiedId);

/** What a question of kind `new-plans` is about. */
export const newPlansSchema = z.looseObject({
  /** The plan that the new ones go under. */
  under: plan,
  proposal: planProposalSchema,
  /** The sentence that it was made from; absent if a person wrote the proposal. */
  goal: text.optional(),
  /** The session that proposed it; absent if a person did. */
  session: id.optional(),
  /** What a person should look at. */
  notes: z.array(text),
});
export type NewPlans = z.infer<typeof newPlansSchema>;

/** What a question of kind `goal-question` is about. */
export const goalQuestionSchema = z.looseObject({
  under: plan,
  goal: text,
  questions: z.array(text),
  session: id,
  /** The harness that the person named. */
  harness: text.optional(),
  /** What the scripted harness plays, as an absolute path. */
  scenario: text.optional(),
  /** The id of the proposal that the answers lead to, so that there is one however often the session is started. */
  next: id,
});
export type GoalQuestion = z.infer<typeof goalQuestionSchema>;

/** A proposed plan as it would be made. */
export interface PlanDraft {
  readonly id: QualifiedId;
  /** Whether the tasks go to a plan that is there. */
  readonly isThere: boolean;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly tasks: readonly Task[];
  readonly memory: readonly { readonly id: string; readonly title: string; readonly body: string }[];
}

export function countTasks({ plans }: Pick<PlanProposal, 'plans'>): number {
  return plans.reduce((sum, { tasks = [] }) => sum + tasks.length, 0);
}

/** The form that a person fills in to write a proposal by hand; as it stands, the checks refuse it. */
export const emptyProposal = `# A proposal of plans and tasks. Fill it in, then save and close; nothing is made before you accept it.
# The slug "." stands for the plan itself; any other slug makes a child plan below it, which needs a description.
# A Markdown list in the place of all this does as well.
description: ""
plans:
- slug: "."
  tasks:
  - title: ""
    category: task
    description: |
      What to do, for a reader who knows only this task.
    done_when: A command passes, or a file says so.
    dependencies: []
- slug: ""
  description: ""
  tasks: []
  memory: []
`;
