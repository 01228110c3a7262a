import { expect, test } from 'vitest';
import { absorbing, candidatesOf, endOf, leaveIngestion, makeIngestionWorld } from '../support/ingestionWorld.ts';
import { startCore } from '../support/world.ts';

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
  leaveIngestion(world, changes);
  const { core, events } = await startCore(world);
  expect(await endOf(core, events)).toMatchObject({ state: 'added' });
  const { fields } = await core.api.request('entry', { entry: candidatesOf(world)[0]?.became ?? '' });
  expect(JSON.stringify(fields)).not.toMatch(/\\ud83d|\ufffd/);
});
