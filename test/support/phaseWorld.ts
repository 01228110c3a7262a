import { writeFile } from 'node:fs/promises';
import { createDeferred } from '../../src/base/async.ts';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { ReasoningPhase } from '../../src/model/phase.ts';
import { listTree } from './listTree.ts';
import { makeWorld, type World, type WorldOptions } from './world.ts';

/** Steps as a scenario writes them. */
export type Steps = readonly Readonly<Record<string, unknown>>[];
export type ScenarioSteps = Readonly<Partial<Record<ReasoningPhase, Steps>>>;

/** The text of a scenario; JSON is YAML too. */
export function formatScenario(phases: ScenarioSteps): string {
  return `${JSON.stringify({ version: 1, phases }, undefined, 2)}\n`;
}

export const finishDone: Steps[number] = { finish: { outcome: 'done', summary: 'Done.' } };

/** A memory of one entry. */
export const oneEntry = `entries:
  - id: tabs
    title: Tabs
    body: |
      Indent with tabs.
`;

/** Steps of a reflection that ends well. */
export const goodReflection: Steps = [
  { call: 'memory_add', with: { title: 'Learned', body: 'Something.' } },
  { finish: { outcome: 'done', summary: 'Learned something.' } },
];

/** A world that stands before a reflection, the cheapest phase there is: it reads no source. */
export function makeReflectWorld(reflect: Steps, options: WorldOptions = {}): Promise<World> {
  return makeWorld({
    scenario: formatScenario({ reflect }),
    ...options,
    plan: { 'phase.md': 'reflect\n', 'memory.yaml': oneEntry, ...options.plan },
  });
}

/** What the sessions that start from here on do. */
export function setScenario(world: World, phases: ScenarioSteps): Promise<void> {
  return writeFile(world.scenario, formatScenario(phases));
}

export function runOptionsOf(world: Pick<World, 'plan' | 'scenario'>) {
  return { plan: world.plan, harness: 'scripted', scenario: world.scenario } as const;
}

/** Everything that a phase that did not end well must leave as it was: the plan's folder and the person's history. */
export async function stateOf(world: World): Promise<unknown> {
  return {
    plan: listTree(world.planDirectory),
    log: await world.git('log', '--format=%H'),
    status: await world.git('status', '--porcelain=v2', '--untracked-files=all'),
  };
}

/** Resolves with the first event from now on that fits. */
export function nextEvent<Type extends RavelEvent['type']>(
  core: Core,
  type: Type,
  fits: (event: Extract<RavelEvent, { type: Type }>) => boolean = () => true,
): Promise<Extract<RavelEvent, { type: Type }>> {
  type Wanted = Extract<RavelEvent, { type: Type }>;
  const found = createDeferred<Wanted>();
  const subscription = core.api.onEvent((event) => {
    if (event.type !== type || !fits(event as Wanted)) return;
    subscription.dispose();
    found.resolve(event as Wanted);
  });
  return found.promise;
}

/** Resolves once a session has said `text`. */
export async function whenPrinted(core: Core, text: string): Promise<void> {
  await nextEvent(core, 'session.output', ({ output }) => output.kind === 'text' && output.text === text);
}
