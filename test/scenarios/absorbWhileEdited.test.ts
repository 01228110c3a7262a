import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { futures, makeIngestionWorld, reflect } from '../support/ingestionWorld.ts';
import type { Steps } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const path = 'knowledge/languages/rust/runtime.md';
const id = '01JD0000000000000000000000';
const older = `---\nid: ${id}\ntitle: A runtime for each test\ntags: [rust]\n---\n${futures.body} It was seen twice.\n`;
const link: Steps = [{ call: 'link', with: { entry: id, reason: 'The entry says the same already.' } }];

/** An expert links what a plan proved to an entry that a person saves between the question and the answer. */
async function linkWhile(edit: (file: string) => void) {
  const world = await makeIngestionWorld({ learned: [futures], absorb: [{ steps: link }], files: { [path]: older } });
  const { core } = await startCore(world);
  const file = join(world.vault, path);
  core.api.onEvent((event) => {
    if (event.type === 'knowledge.step' && event.step === 'offered') edit(file);
  });
  const told = await reflect(core, world);
  return { core, told, text: readFileSync(file, 'utf8') };
}

test('an entry that a person edits while an expert decides keeps the edit, and gets the proof', async () => {
  const own = '\n## By hand\n\nAlso with a current-thread runtime.\n';
  const { core, told, text } = await linkWhile((file) => appendFileSync(file, own));
  expect(told).toMatchObject({ state: 'confirmed' });
  expect(text).toContain(own);
  expect((await core.api.request('entry', { entry: id })).fields['origins']).toMatchObject([{ project: 'greeter' }]);
});

test('an entry that a person breaks while an expert decides stays as it is, and the statement waits', async () => {
  const broken = '---\ntitle: A\ntitle: B\n---\nHalf written\n';
  const { core, told, text } = await linkWhile((file) => writeFileSync(file, broken));
  expect(told).toMatchObject({ state: 'waiting' });
  expect(text).toBe(broken);
  expect((await core.api.request('approvals', {})).approvals).toMatchObject([{ kind: 'learned-statement' }]);
});
