import { writeFileSync } from 'node:fs';
import type { PlanProposal } from '../../src/model/planProposal.ts';
import type { Steps } from './phaseWorld.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

/** What sessions of purpose `plan` do: the first list whose `when` is in their prompt. */
export type GoalScenario = readonly { readonly when?: string; readonly steps: Steps }[];

const settings = '[run]\nharness = "scripted"\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n';

/** A world whose sessions for goals play these steps. */
export async function makeGoalWorld(plan: GoalScenario = [], options: WorldOptions = {}): Promise<World> {
  const world = await makeWorld({ settings, ...options });
  playGoals(world, plan);
  return world;
}

export function playGoals(world: World, plan: GoalScenario): void {
  writeFileSync(world.scenario, JSON.stringify({ version: 1, consultations: { plan } }));
}

/** A session that proposes at once. */
export function proposing(proposal: object): Steps {
  return [{ call: 'propose_plan', with: proposal }];
}

/** Two child plans, and a task for the plan itself. */
export const frenchProposal: PlanProposal = {
  description: 'Greet people in French and in other languages',
  questions: ['Does the greeting follow the locale of the system?'],
  plans: [
    { slug: '.', tasks: [{ title: 'Name the languages in the README', category: 'docs' }] },
    {
      slug: 'languages',
      title: 'Languages',
      description: 'Greeting people in the language that they speak',
      tasks: [
        {
          ...{ title: 'Greet in German', category: 'feature', order: 2 },
          ...{ dependencies: ['Read the greetings from a file'], done_when: 'greet("Ada", "de") returns Hallo Ada' },
        },
        {
          ...{ title: 'Read the greetings from a file', category: 'refactoring', order: 1 },
          ...{ description: 'Move the text of greet.mjs to greetings.json.', done_when: 'node --test passes' },
        },
      ],
      memory: [{ title: 'English is the fallback', body: 'An unknown language greets in English.' }],
    },
    {
      slug: 'politeness',
      description: 'Forms of address that fit whom they are for',
      tasks: [{ title: 'Tell a formal from a friendly greeting', category: 'feature' }],
    },
  ],
  suggestions: { expert: 'A linguist', rule: 'Messages about languages belong to languages.' },
};
