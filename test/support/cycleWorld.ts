import { readFileSync } from 'node:fs';
import { makeWorld, makeWorldIn, type World, type WorldOptions } from './world.ts';

/** The scenario of one whole cycle, the same for every harness. */
export const cycleScenario = readFileSync(new URL('../fixtures/scenarios/cycle.yaml', import.meta.url), 'utf8');

export const cycleSettings = '[dream]\nheadroom-words = 10\n';

/** A plan with three tasks, one of which depends on another, and a memory with two entries that say the same. */
export function makeCycleWorld(options: WorldOptions = {}): Promise<World> {
  return makeWorld({ ...cycleOptions(), ...options });
}

/** The same in a folder that is there already; the caller that made it removes it. */
export function makeCycleWorldIn(root: string): Promise<World> {
  return makeWorldIn(root, cycleOptions());
}

function cycleOptions(): WorldOptions {
  return {
    settings: cycleSettings,
    scenario: cycleScenario,
    plan: { 'backlog.yaml': backlog, 'memory.yaml': memory },
  };
}

const backlog = `# Kept by Ada and Ravel
tasks:
  - id: add-a-farewell
    title: Add a farewell
    category: core
    status: not_started
    dependencies: []
    description: |
      Say goodbye as politely as hello.
  - id: greet-in-french
    title: Greet in French
    category: languages
    status: not_started
    dependencies: []
    description: |
      Bonjour.
  - id: say-it-in-spanish
    title: Say it in Spanish # soon
    category: languages
    status: not_started
    dependencies: [add-a-farewell]
    description: |
      Hola and adiós.
`;

const memory = `entries:
  - id: modules-are-esm
    title: Modules are ESM
    body: |
      All modules are ESM with the suffix \`.mjs\`.
  - id: esm-only
    title: ESM only
    body: |
      There must be no CommonJS; all modules are ESM.
`;
