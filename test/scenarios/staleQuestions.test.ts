import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { futures, ingestionsOf, makeIngestionWorld } from '../support/ingestionWorld.ts';
import { nextEvent, runOptionsOf, type Steps } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const shared = 'knowledge/languages/rust/runtime.md';
const id = '01JD0000000000000000000000';
const older = `---\ntitle: A runtime for each test\nid: ${id}\ntags: [rust]\nconfidence: medium\nstatus: staged\norigins:\n  - {project: other, date: 2026-01-01}\n---\n${futures.body}\n`;
const steps: Steps = [{ call: 'link', with: { entry: id, reason: 'The entry says the same already.' } }];

async function asked() {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps }], files: { [shared]: older } });
  const { core } = await startCore(world);
  const told = nextEvent(core, 'knowledge.candidate');
  await core.api.request('run_phase', runOptionsOf(world));
  expect(await told).toMatchObject({ state: 'confirmed' });
  const { approvals } = await core.api.request('approvals', {});
  expect(approvals).toMatchObject([{ kind: 'entry-graduation' }]);
  const approval = approvals[0]?.approval ?? '';
  const page = await core.api.request('approval', { approval });
  const accept = () =>
    core.api.request('decide', { approval, contentHash: page.contentHash, decision: 'accept' }).catch(() => undefined);
  return { world, core, accept };
}

test('an entry that says something else by now does not become high by the answer about what it said', async () => {
  const { world, core, accept } = await asked();
  const file = join(world.vault, shared);
  writeFileSync(file, readFileSync(file, 'utf8').replace(futures.body, 'Never write tests.'));
  await accept();
  expect((await core.api.request('entry', { entry: id })).row).toMatchObject({
    confidence: 'medium',
    status: 'staged',
  });
});

test('an entry that was contradicted meanwhile does not become high', async () => {
  const { world, core, accept } = await asked();
  writeFileSync(join(world.vault, 'knowledge/languages/rust/no.md'), '---\ntitle: No\n---\n\nShare the runtime.\n');
  await core.api.request('contradict_entry', { entry: id, other: 'No', reason: 'It is the opposite.' });
  await accept();
  expect((await core.api.request('entry', { entry: id })).row).toMatchObject({
    confidence: 'medium',
    status: 'staged',
  });
});

test('an entry that was archived meanwhile is not consolidated in the archive', async () => {
  const { core, accept } = await asked();
  await core.api.request('archive_entry', { entry: id, reason: 'It does not hold.' });
  await accept();
  expect((await core.api.request('entry', { entry: id })).row).toMatchObject({ status: 'archived' });
});

test('a decision that comes before an interrupted statement waits again is not lost', async () => {
  const absorb: Steps = [{ call: 'absorb', with: { reason: 'It holds for every test there is.' } }];
  const world = await makeIngestionWorld({
    learned: [futures],
    experts: { rust: {}, tests: { tags: ['rust'] } },
    absorb: [{ when: 'tests', steps: absorb }],
    settings: '\n[knowledge]\ningestion = "review-first"\n',
  });
  const { core } = await startCore(world);
  const told = nextEvent(core, 'knowledge.candidate');
  await core.api.request('run_phase', runOptionsOf(world));
  expect(await told).toMatchObject({ state: 'waiting' });
  const [record] = ingestionsOf(world);
  const file = join(world.vault, 'runtime/ingestion-events', `${record?.id}.json`);
  // As the record is right after the question was asked.
  writeFileSync(file, readFileSync(file, 'utf8').replace('"state":"waiting"', '"state":"new"'));
  const { approvals } = await core.api.request('approvals', {});
  const approval = approvals[0]?.approval ?? '';
  const { contentHash } = await core.api.request('approval', { approval });
  const rejected = nextEvent(core, 'knowledge.candidate', ({ state }) => state === 'rejected');
  await core.api.request('decide', { approval, contentHash, decision: 'reject', reason: 'It is wrong.' });
  await rejected;
  const [now] = ingestionsOf(world);
  const open = (await core.api.request('approvals', {})).approvals.length;
  expect([now?.candidates[0]?.state, open]).toEqual(['rejected', 0]);
});
