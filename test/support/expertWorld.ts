import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Core } from '../../src/core.ts';
import { declaration } from './expertDeclaration.ts';
import type { ScenarioSteps, Steps } from './phaseWorld.ts';
import { makeWorld, type World } from './world.ts';

export interface ExpertWorldOptions {
  /** What the sessions of experts do; of several the first whose `when` stands in the prompt. */
  readonly answers: readonly { readonly when?: string; readonly steps: Steps }[];
  readonly phases?: ScenarioSteps;
  readonly plan?: Readonly<Record<string, string>>;
  readonly dialogue?: object;
}

/** The entry that the usual answer rests on. */
export const pinning = {
  path: 'knowledge/languages/rust/pinning.md',
  text: '---\ntitle: Pinning\nid: pin-1\ntags: [rust, async]\n---\nA future needs to be pinned once it is polled,\nsince it may be self-referential.\n',
  passage: 'A future needs to be pinned once it is polled, since it may be self-referential.',
  answer: 'From its first poll on.',
} as const;

/** An answer that cites the entry above. */
export function quoting(answer: string = pinning.answer): Steps {
  return [
    { usage: { 'input-tokens': 100, 'cost-usd': 0.25 } },
    {
      call: 'answer',
      with: { answer, citations: [{ entry: 'pin-1', passage: pinning.passage }], confidence: 'high' },
    },
  ];
}

/** A vault with one expert and three entries, one of them in its scope. */
export async function makeExpertWorld({ answers, phases = {}, plan, dialogue }: ExpertWorldOptions): Promise<World> {
  const world = await makeWorld({
    settings: '[run]\nharness = "scripted"\n\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    ...(plan !== undefined && { plan }),
  });
  writeFileSync(world.scenario, JSON.stringify({ version: 1, phases, consultations: { answer: answers } }));
  const files = {
    'experts/rust.md': declaration(dialogue === undefined ? {} : { dialogue }),
    [pinning.path]: pinning.text,
    'knowledge/domains/cooking.md': '# Cooking\n\nThe dough needs to be pinned by the cook.\n',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.vault, path)), { recursive: true });
    writeFileSync(join(world.vault, path), text);
  }
  const ofProject = join(world.project, 'ravel/knowledge/rust');
  mkdirSync(ofProject, { recursive: true });
  writeFileSync(join(ofProject, 'wall.md'), '# Wall\n\nA future needs to be pinned to the wall.\n');
  return world;
}

/** Asks as a person, and waits for the end. */
export function ask(core: Core, question: string, expert = 'rust') {
  return core.api.request('ask', { 'target-expert': expert, question, 'wait-seconds': 60 });
}
