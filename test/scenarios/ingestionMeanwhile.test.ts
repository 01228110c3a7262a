import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { absorbing, candidatesOf, futures, makeIngestionWorld, rejecting } from '../support/ingestionWorld.ts';
import { finishDone, nextEvent, runOptionsOf, type Steps } from '../support/phaseWorld.ts';
import { startCore, type World } from '../support/world.ts';

// What others do to a vault while experts decide about what a plan learned.

const shared = 'knowledge/languages/rust/runtime.md';
const entryId = '01JD0000000000000000000000';
const entryText = (body: string, more = '') =>
  `---\ntitle: A runtime for each test\nid: ${entryId}\ntags: [rust]\nconfidence: medium\nstatus: staged\n${more}---\n${body}\n`;
const linking: Steps = [{ call: 'link', with: { entry: entryId, reason: 'The entry says the same already.' } }];

/** Has the sessions of experts wait until the function is called that it returns. */
function holdExperts({ scenario: file }: World): () => void {
  const signal = join(dirname(file), 'decide-now');
  const scenario = JSON.parse(readFileSync(file, 'utf8'));
  for (const { steps } of scenario.consultations.absorb) steps.unshift({ wait: { for: signal } });
  writeFileSync(file, JSON.stringify(scenario));
  return () => writeFileSync(signal, '');
}

/** Runs the reflection; `meanwhile` happens after an expert was asked and before it decides. */
async function reflectAnd(core: Core, world: World, meanwhile: () => Promise<void> | void) {
  const decide = holdExperts(world);
  const told = nextEvent(core, 'knowledge.candidate');
  const asked = new Promise<void>((resolve) => {
    core.api.onEvent((event) => {
      if (event.type === 'session.started' && event.phase === 'absorb') resolve();
    });
  });
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  await asked;
  await meanwhile();
  decide();
  return told;
}

async function reflect(core: Core, world: World) {
  const told = nextEvent(core, 'knowledge.candidate');
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  return told;
}

async function accept(core: Core) {
  const { approvals } = await core.api.request('approvals', {});
  expect(approvals).toMatchObject([{ kind: 'learned-statement' }]);
  const approval = approvals[0]?.approval ?? '';
  const { contentHash } = await core.api.request('approval', { approval });
  await core.api.request('decide', { approval, contentHash, decision: 'accept' });
}

const stagedTitles = async (core: Core) =>
  (await core.api.request('entries', { statuses: ['staged'] })).entries.map(({ title }) => title);

test.each<[string, (file: string) => void]>([
  ['removed', (file) => rmSync(file)],
  ['broken', (file) => writeFileSync(file, '---\ntitle: [\n---\nA person is in the middle of it.\n')],
])('an entry that is %s while an expert links to it leaves the statement to a person', async (_how, change) => {
  const world = await makeIngestionWorld({
    learned: [futures],
    absorb: [{ steps: linking }],
    files: { [shared]: entryText(futures.body) },
  });
  const { core } = await startCore(world);
  const event = await reflectAnd(core, world, () => change(join(world.vault, shared)));
  expect(event).toMatchObject({ state: 'waiting', outcome: expect.stringContaining('A person is asked') });
  await accept(core);
  expect(candidatesOf(world)).toMatchObject([{ state: 'added' }]);
  expect(await stagedTitles(core)).toEqual([futures.title]);
});

test('what a person writes into an entry while an expert links to it stays', async () => {
  const world = await makeIngestionWorld({
    learned: [futures],
    absorb: [{ steps: linking }],
    files: { [shared]: entryText(futures.body) },
  });
  const { core } = await startCore(world);
  const mine = entryText(`${futures.body}\n\nA person adds this.`, 'mood: glad\n');
  const event = await reflectAnd(core, world, () => writeFileSync(join(world.vault, shared), mine));
  expect(event).toMatchObject({ state: 'confirmed' });
  const now = readFileSync(join(world.vault, shared), 'utf8');
  expect(now).toContain('A person adds this.');
  expect(now).toContain('mood: glad');
  expect(now).toContain('project: greeter');
});

test('an expert that is removed while it decides keeps what it decided, in the place that code found', async () => {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: absorbing }] });
  const { core } = await startCore(world);
  const event = await reflectAnd(core, world, () => rmSync(join(world.vault, 'experts/rust.md')));
  expect(event).toMatchObject({ state: 'added' });
  expect(candidatesOf(world)[0]?.became).toMatch(/^knowledge\/languages\//);
});

test('a statement that waits while another entry comes to say it becomes that entry, and no second one', async () => {
  const world = await makeIngestionWorld({
    learned: [futures],
    experts: { rust: {}, tests: { tags: ['tests'], 'knowledge-scope': ['techniques'] } },
    absorb: [
      { when: 'expert `tests`', steps: rejecting },
      { when: 'expert `rust`', steps: absorbing },
    ],
  });
  const { core } = await startCore(world);
  expect(await reflect(core, world)).toMatchObject({ state: 'waiting' });
  mkdirSync(join(world.vault, 'knowledge/techniques'), { recursive: true });
  writeFileSync(
    join(world.vault, 'knowledge/techniques/same.md'),
    `---\ntitle: ${futures.title}\nstatus: staged\norigins:\n  - {project: other, date: 2026-01-01}\n---\n${futures.body}\n`,
  );
  await accept(core);
  expect(candidatesOf(world)).toMatchObject([{ state: 'confirmed', became: 'knowledge/techniques/same.md' }]);
  expect(await stagedTitles(core)).toEqual([futures.title]);
});

test('a statement that cannot be written now holds up no other, and is taken in once it can be', async () => {
  const garden = { title: 'A garden needs water', body: 'Beds dry out within two days of sun.', isProven: true };
  const world = await makeIngestionWorld({ learned: [futures, garden], absorb: [{ steps: absorbing }] });
  const folder = join(world.vault, 'knowledge/languages/rust');
  mkdirSync(dirname(folder), { recursive: true });
  symlinkSync(dirname(world.scenario), folder);
  const { core } = await startCore(world);
  expect(await reflect(core, world)).toMatchObject({ title: garden.title, state: 'added' });
  expect(candidatesOf(world)).toMatchObject([{ state: 'offered' }, { state: 'added' }]);
  rmSync(folder);
  expect(await core.api.request('ingest', { plan: world.plan })).toMatchObject({
    ingestion: { candidates: [{ state: 'added' }, { state: 'added' }] },
  });
});

test('what could not be written is taken in after the next reflection', async () => {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: absorbing }] });
  const folder = join(world.vault, 'knowledge/languages/rust');
  mkdirSync(dirname(folder), { recursive: true });
  symlinkSync(dirname(world.scenario), folder);
  const { core } = await startCore(world);
  const stopped = nextEvent(core, 'diagnostic');
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  expect(await stopped).toMatchObject({ diagnostic: { code: 'vault/linkOut' } });
  const latest = join(world.planDirectory, 'latest-session.yaml');
  writeFileSync(latest, readFileSync(latest, 'utf8').replace('2026-01-02-tests', '2026-01-03-more'));
  writeFileSync(join(world.planDirectory, 'phase.md'), 'reflect\n');
  const scenario = JSON.parse(readFileSync(world.scenario, 'utf8'));
  scenario.phases.reflect = [finishDone];
  writeFileSync(world.scenario, JSON.stringify(scenario));
  core.api.onEvent((event) => {
    if (event.type === 'phase.ended' && event.phase === 'reflect') rmSync(folder);
  });
  expect(await reflect(core, world)).toMatchObject({ title: futures.title, state: 'added' });
});

test('entries that are close to a statement are given within the budget of the expert', async () => {
  const long = `${futures.body}\n\n`.repeat(5000);
  const world = await makeIngestionWorld({
    learned: [futures],
    absorb: [{ steps: absorbing }],
    files: {
      [shared]: entryText(long),
      'knowledge/languages/rust/huge.md': `---\ntitle: Huge\n---\n${'x '.repeat(2_700_000)}`,
    },
  });
  const { core } = await startCore(world);
  expect(await reflect(core, world)).toMatchObject({ state: 'added' });
  const { sessions } = await core.api.request('sessions', {});
  const session = sessions.find(({ phase }) => phase === 'absorb')?.session ?? '';
  const prompt = readFileSync(join(world.vault, 'runtime/sessions', session, 'prompt.md'));
  expect(candidatesOf(world)[0]?.near).toMatchObject([{ path: shared }]);
  expect(prompt.byteLength).toBeLessThan(48 * 1024);
});
