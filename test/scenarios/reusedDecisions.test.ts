import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import {
  absorbing,
  absorbSessions,
  endOf,
  futures,
  ingestionsOf,
  leaveIngestion,
  makeIngestionWorld,
  reflect,
  rejecting,
} from '../support/ingestionWorld.ts';
import { startCore } from '../support/world.ts';

test('a decision that was reused is still known after the record of the first one went', async () => {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: rejecting }] });
  const { core } = await startCore(world);
  await reflect(core, world);
  await core.stop();
  const [first] = ingestionsOf(world);
  leaveIngestion(world, {});
  const { core: second, events: ofSecond } = await startCore(world);
  await endOf(second, ofSecond);
  await second.stop();
  // The retention takes the oldest record; the one that says the same by it stays.
  rmSync(join(world.vault, 'runtime/ingestion-events', `${first?.id}.json`));
  leaveIngestion(world, {}, '01JD0000000000000000000003' as Ulid);
  const { core: third, events: ofThird } = await startCore(world);
  await endOf(third, ofThird);
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
  const near = ingestionsOf(world)[0]?.candidates[0]?.near ?? [];
  expect(near).toMatchObject([{ path: shared }]);
  leaveIngestion(world, { near });
  const { core: next, events } = await startCore(world);
  await endOf(next, events);
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
  expect(await reflect(core, world)).toMatchObject({ state: 'added' });
  expect(ingestionsOf(world)[0]?.candidates[0]).toMatchObject({ state: 'added' });
});

test('a replay drops no decision of an expert and no session that runs', async () => {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: rejecting }] });
  const { core } = await startCore(world);
  await core.recovered;
  const [rust, gone] = [toQualifiedId('expert:rust'), toQualifiedId('expert:gone')];
  const id = leaveIngestion(world, {
    asking: { expert: rust, session: '01JD0000000000000000000009' as Ulid },
    experts: [rust, gone],
    positions: [{ expert: gone, verdict: 'absorb', reason: 'It is what I know.', contradicts: [] }],
  });
  const { candidates } = await core.api.request('replay_ingestion', { id });
  expect(candidates[0]?.positions.map(({ expert }) => expert)).toContain('expert:gone');
});
