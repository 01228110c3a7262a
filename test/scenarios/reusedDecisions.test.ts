import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { absorbing, futures, ingestionsOf, makeIngestionWorld, rejecting } from '../support/ingestionWorld.ts';
import { nextEvent, runOptionsOf } from '../support/phaseWorld.ts';
import { startCore, type World } from '../support/world.ts';

async function reflect(core: Core, world: World) {
  const told = nextEvent(core, 'knowledge.candidate');
  expect(await core.api.request('run_phase', runOptionsOf(world))).toMatchObject({ end: 'finished' });
  return told;
}

/** As another plan learned it that an owner left behind. */
function leave(world: World, id: string, changes: object) {
  const candidate = {
    ...{ entry: 'e', hash: id, title: futures.title, body: futures.body, claims: ['It holds'], state: 'offered' },
    ...{ folder: 'languages', tags: ['rust'], reasons: [], near: [], positions: [], asked: {} },
    experts: [toQualifiedId('expert:rust')],
    ...changes,
  };
  const record = { id, at: '2026-01-01T00:00:00Z', plan: world.plan, record: 'r', candidates: [candidate] };
  mkdirSync(join(world.vault, 'runtime/ingestion-events'), { recursive: true });
  writeFileSync(join(world.vault, 'runtime/ingestion-events', `${id}.json`), `${JSON.stringify(record)}\n`);
}

const absorbSessions = async (core: Core) =>
  (await core.api.request('sessions', {})).sessions.filter(({ phase }) => phase === 'absorb').length;

async function settled(core: Core, id: string) {
  for (let n = 0; n < 200; n += 1) {
    const { candidates } = await core.api.request('ingestion', { id } as never);
    if (candidates[0]?.state !== 'offered' && candidates[0]?.state !== 'new') return candidates[0];
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('not settled');
}

test('a decision that was reused is still known after the record of the first one went', async () => {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: rejecting }] });
  const { core } = await startCore(world);
  await reflect(core, world);
  await core.stop();
  const [first] = ingestionsOf(world);
  leave(world, '01JD0000000000000000000002', {});
  const { core: second } = await startCore(world);
  await settled(second, '01JD0000000000000000000002');
  await second.stop();
  // The retention takes the oldest record; the one that says the same by it stays.
  rmSync(join(world.vault, 'runtime/ingestion-events', `${first?.id}.json`));
  leave(world, '01JD0000000000000000000003', {});
  const { core: third } = await startCore(world);
  await settled(third, '01JD0000000000000000000003');
  expect(await absorbSessions(third)).toBe(1);
});

test('an expert that saw only the beginning of an entry is asked once it may see all of it', async () => {
  const shared = 'knowledge/languages/rust/shared.md';
  const text = `---\ntitle: Runtimes of tests\ntags: [rust]\n---\n\n${`${futures.body}\n\n`.repeat(50)}`;
  const world = await makeIngestionWorld({
    learned: [futures],
    absorb: [{ steps: rejecting }],
    experts: { rust: { retrieval: { 'max-bytes': 1024 } } },
    files: { [shared]: text },
  });
  const { core } = await startCore(world);
  await reflect(core, world);
  await core.stop();
  const file = join(world.vault, 'experts/rust.md');
  const before = readFileSync(file, 'utf8');
  const after = before.replace('1024', '32768');
  expect(after).not.toBe(before);
  writeFileSync(file, after);
  const near = ingestionsOf(world)[0]?.candidates[0]?.near;
  expect(near).toMatchObject([{ path: shared }]);
  leave(world, '01JD0000000000000000000002', { near });
  const { core: next } = await startCore(world);
  await settled(next, '01JD0000000000000000000002');
  expect(await absorbSessions(next)).toBe(2);
});

test('an alias that reads like the path of another entry stops no statement', async () => {
  const world = await makeIngestionWorld({
    learned: [futures],
    absorb: [{ steps: absorbing }],
    files: {
      'knowledge/languages/rust/a.md': `---\ntitle: ${futures.title}\n---\n\nSomething else.\n`,
      'knowledge/tools/b.md': `---\ntitle: B\naliases: ["knowledge/languages/rust/a.md"]\n---\n\nOther.\n`,
    },
  });
  const { core } = await startCore(world);
  await core.api.request('run_phase', runOptionsOf(world));
  await new Promise((done) => setTimeout(done, 3000));
  expect(ingestionsOf(world)[0]?.candidates[0]).toMatchObject({ state: 'added' });
});

test('a replay drops no decision of an expert and no session that runs', async () => {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: rejecting }] });
  const { core } = await startCore(world);
  await core.stop();
  const { core: next } = await startCore(world);
  const session = '01JD0000000000000000000009';
  leave(world, '01JD0000000000000000000002', {
    asking: { expert: 'expert:rust', session },
    experts: ['expert:rust', 'expert:gone'],
    positions: [{ expert: 'expert:gone', verdict: 'absorb', reason: 'It is what I know.', contradicts: [] }],
  });
  await next.api.request('replay_ingestion', { id: '01JD0000000000000000000002' } as never);
  expect((await settled(next, '01JD0000000000000000000002'))?.positions.map(({ expert }) => expert)).toContain(
    'expert:gone',
  );
});
