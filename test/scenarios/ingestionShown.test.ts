import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { declaration } from '../support/expertDeclaration.ts';
import { candidatesOf, futures, makeIngestionWorld, reflect } from '../support/ingestionWorld.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { backlogOf, done, runPhase, type Step } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const said = 'A client that retries without a limit keeps the server down, so give each retry a limit.';
const path = 'knowledge/languages/rust/limit.md';
const entry = `---\nid: 01JD0000000000000000000000\ntitle: Retries need a limit\ntags: [rust]\n---\n${said}\n`;
const absorb: readonly Step[] = [{ call: 'absorb', with: { reason: 'It holds for every client.' } }];
const link: readonly Step[] = [
  { call: 'link', with: { entry: '01JD0000000000000000000000', reason: 'The entry says the same already.' } },
];

interface Cycle {
  readonly work: readonly Step[];
  /** Title and text of what the reflection adds. */
  readonly learned: readonly [title: string, body: string];
  readonly decide?: readonly Step[];
  readonly plan?: Readonly<Record<string, string>>;
}

/** A plan whose session of work does these steps, whose analysis finds evidence, and whose reflection adds what it learned. */
async function makeCycle({ work, learned: [title, body], decide = absorb, plan = {} }: Cycle): Promise<World> {
  const claim = { text: 'It retries three times', evidence: [{ path: 'greet.mjs' }] };
  const phases = {
    work: [
      ...work,
      { edit: { path: 'greet.mjs', content: 'export const retries = 3;\n' } },
      { call: 'backlog_set_status', with: { id: 'a', status: 'done' } },
      done,
    ],
    'analyse-work': [
      { call: 'session_set_latest', with: { title: 'Retries', body: 'They have a limit.', claims: [claim] } },
      { call: 'commits_set', with: { commits: [{ paths: ['greet.mjs'], message: 'Limit the retries' }] } },
      done,
    ],
    reflect: [{ call: 'memory_add', with: { title, body, claims: ['c1'] } }, done],
  };
  const world = await makeWorld({
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n',
    plan: { 'backlog.yaml': backlogOf('a'), 'memory.yaml': 'entries: []\n', ...plan },
  });
  writeFileSync(world.scenario, JSON.stringify({ version: 1, phases, consultations: { absorb: [{ steps: decide }] } }));
  const files = { [path]: entry, 'experts/rust.md': declaration({ 'knowledge-scope': ['languages/rust'] }) };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.vault, name)), { recursive: true });
    writeFileSync(join(world.vault, name), text);
  }
  return world;
}

/** Runs the cycle up to its reflection, and waits until what it taught is settled. */
async function learn(core: Core, world: World) {
  for (const phase of ['work', 'analyse-work'] as const) {
    expect(await runPhase(core, world, { phase })).toMatchObject({ end: 'finished' });
  }
  const told = nextEvent(core, 'knowledge.candidate');
  expect(await runPhase(core, world, { phase: 'reflect' })).toMatchObject({ end: 'finished' });
  return told;
}

const show: Step = { call: 'knowledge_show', with: { entry: 'Retries need a limit' } };
const repeated = ['Limit each retry', `As was seen here: ${said}`] as const;

test('what a plan proved by itself is taken in, also if the same was nowhere shown', async () => {
  const world = await makeCycle({ work: [], learned: ['Limit each retry', `Rust clients: ${said}`] });
  const { core } = await startCore(world);
  expect(await learn(core, world)).toMatchObject({ state: 'added' });
  expect(candidatesOf(world)[0]?.sessions).toHaveLength(3);
});

test.each<[string, Cycle]>([
  ['looked up', { work: [show], learned: repeated }],
  ['found by a search', { work: [{ call: 'knowledge_search', with: { text: 'retries' } }], learned: repeated }],
  [
    'had in its memory',
    {
      work: [],
      learned: repeated,
      plan: { 'memory.yaml': formatYaml({ entries: [{ id: 'm', title: 'M', body: said }] }) },
    },
  ],
])('words that a session of the cycle %s prove nothing', async (_how, cycle) => {
  const world = await makeCycle(cycle);
  const { core } = await startCore(world);
  expect(await learn(core, world)).toMatchObject({
    state: 'known',
    outcome: 'The plan had been told it before, so it proves nothing new.',
  });
  expect((await core.api.request('entries', { statuses: ['staged'] })).total).toBe(0);
});

test('an entry that a session looked up is not confirmed by what its cycle proves, however it is worded', async () => {
  const world = await makeCycle({
    work: [show],
    learned: ['Rust retries end', 'Servers stay up if every Rust client counts how often it tried and stops in time.'],
    decide: link,
  });
  const { core } = await startCore(world);
  expect(await learn(core, world)).toMatchObject({ state: 'known' });
  const { fields, uses } = await core.api.request('entry', { entry: path });
  expect([fields['origins'], uses]).toMatchObject([[], { shown: 1, confirmed: 0 }]);
});

test('what was shown is known to the next owner, and what its record has lost a person judges', async () => {
  const world = await makeCycle({
    work: [show],
    learned: ['Rust retries end', 'A Rust client stops after some tries.'],
  });
  const { core } = await startCore(world);
  const { session } = await runPhase(core, world, { phase: 'work' });
  await core.stop();
  const record = join(world.vault, 'runtime/sessions', session, 'shown.jsonl');
  expect(readFileSync(record, 'utf8')).toContain(said);
  writeFileSync(record, 'damaged\n');
  const { core: next } = await startCore(world);
  await runPhase(next, world, { phase: 'analyse-work' });
  const told = nextEvent(next, 'knowledge.candidate');
  await runPhase(next, world, { phase: 'reflect' });
  expect(await told).toMatchObject({ state: 'waiting' });
  const [asked] = (await next.api.request('approvals', {})).approvals;
  expect(asked?.subject).toContain('What sessions were shown is not known');
  const page = await next.api.request('approval', { approval: asked?.approval ?? '' });
  const added = nextEvent(next, 'knowledge.candidate');
  await next.api.request('decide', {
    ...{ approval: asked?.approval ?? '', contentHash: page.contentHash, decision: 'accept' },
  });
  expect(await added).toMatchObject({ state: 'added' });
});

test('a reflection that repeats what its own memory says proves nothing', async () => {
  const world = await makeIngestionWorld({ learned: [futures] });
  await world.writePlan('memory.yaml', formatYaml({ entries: [{ id: 'm', title: 'Runtimes', body: futures.body }] }));
  const { core } = await startCore(world);
  expect(await reflect(core, world)).toMatchObject({ state: 'known' });
});
