import * as z from 'zod';
import { harnessNames } from '../harnesses.ts';
import type { QualifiedId, Ulid } from '../id.ts';
import { name, path, plan } from './parameters.ts';

/** Requests that propose plans; nothing is made before a person accepts. */
export const goalRequests = {
  plan_goal: z
    .object({
      under: plan.optional().describe('the plan that the new ones go under'),
      goal: z.string().optional(),
      harness: z.enum(harnessNames).optional(),
      /** Absolute path of a scenario file, for the scripted harness. */
      scenario: path.optional(),
      /** The id of a question of kind `goal-question` that was answered. */
      answered: name.min(1).optional(),
    })
    .describe(
      'has a fresh session look at a project and propose plans and tasks for a `goal`, under a plan, or continue with the answers to the question `answered`; the result is a question for a person',
    ),
  propose_plans: z
    .object({
      under: plan,
      text: z.string().optional().describe('without it, an empty proposal is made for a person to fill in'),
      source: name.optional().describe('what the text is, such as the name of its file'),
    })
    .describe(
      'turns a `text` into a proposal under a plan, without a model: a Markdown list, YAML in the form of a proposal, or issues as JSON; without a text the proposal is empty',
    ),
} as const;

/** What became of a goal or a list: a question for a person. */
export interface ProposedResult {
  readonly approval: Ulid;
  readonly kind: 'new-plans' | 'goal-question';
  readonly under: QualifiedId;
  /** One line: what is asked. */
  readonly subject: string;
  readonly plans: number;
  readonly tasks: number;
  /** What a person should look at. */
  readonly notes: readonly string[];
  /** How often a proposal of the session was refused before this one. */
  readonly refused: number;
}

export interface GoalResults {
  plan_goal: ProposedResult;
  propose_plans: ProposedResult;
}
