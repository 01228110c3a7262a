import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { absorbing, futures, makeIngestionWorld } from '../support/ingestionWorld.ts';
import { startCore, type World } from '../support/world.ts';

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

async function settled(core: Core, id: string) {
  for (let n = 0; n < 200; n += 1) {
    const { candidates } = await core.api.request('ingestion', { id } as never);
    if (candidates[0]?.state !== 'offered' && candidates[0]?.state !== 'new') return candidates[0];
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('not settled');
}

test.each([
  ['a letter of two halves where the claims are cut', { claims: [`${'a'.repeat(299)}\u{1f600} and more`] }, ''],
  [
    'the longest title, which another entry has',
    { title: `Rust ${'x'.repeat(200 - 5)}` },
    `Rust ${'x'.repeat(200 - 5)}`,
  ],
])('a statement with %s is taken in', async (_name, changes, taken) => {
  const files =
    taken === '' ? {} : { 'knowledge/languages/rust/other.md': `---\ntitle: ${taken}\n---\n\nSomething else.\n` };
  const world = await makeIngestionWorld({ learned: [], absorb: [{ steps: absorbing }], files });
  leave(world, '01JD0000000000000000000002', changes);
  const { core } = await startCore(world);
  const end = await settled(core, '01JD0000000000000000000002');
  expect(end).toMatchObject({ state: 'added' });
  const { fields } = await core.api.request('entry', { entry: end?.became ?? '' });
  expect(JSON.stringify(fields)).not.toMatch(/\\ud83d|\ufffd/);
});
