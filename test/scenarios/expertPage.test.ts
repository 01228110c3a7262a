import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declaration } from '../support/expertDeclaration.ts';
import { ask, makeExpertWorld, pinning, quoting } from '../support/expertWorld.ts';
import { startCore } from '../support/world.ts';

test('the page of an expert has what it covers, what it is asked, what it answered and could not, and what changed since', async () => {
  const world = await makeExpertWorld({
    answers: [
      { when: 'Who pins?', steps: [{ call: 'ask_back', with: { question: 'Which executor?' } }] },
      { when: 'How long is a pinned future?', steps: [{ call: 'decline', with: { missing: 'Its length' } }] },
      { steps: quoting() },
    ],
  });
  const scope = { 'knowledge-scope': ['languages/rust', 'languages/go'], 'project-knowledge': ['*/rust'] };
  writeFileSync(join(world.vault, 'experts/rust.md'), declaration(scope));
  const moves = '---\ntitle: Moves\n---\nAbout moves.\n';
  writeFileSync(join(world.vault, 'knowledge/languages/rust/moves.md'), moves);
  mkdirSync(join(world.vault, 'knowledge/languages/rust-like'), { recursive: true });
  writeFileSync(join(world.vault, 'knowledge/languages/rust-like/zig.md'), '---\ntitle: Zig\n---\nNot Rust.\n');
  const { core } = await startCore(world);
  const page = () => core.api.request('expert', { expert: 'rust' });

  const empty = await page();
  expect(empty).toMatchObject({ actor: 'expert:rust', declaration: { persona: 'You are precise.' } });
  expect(empty.scopes).toEqual([
    { scope: 'languages/rust', entries: 2 },
    { scope: 'languages/go', entries: 0 },
    { scope: '*/rust (projects)', entries: 1 },
  ]);
  expect(empty.entries.total).toBe(3);
  expect(empty.entries.shown).toEqual(
    expect.arrayContaining([
      { title: 'Moves', kind: 'reference', path: 'knowledge/languages/rust/moves.md', status: 'consolidated' },
      // Its id has a form of its own, so it can be asked about and not changed.
      { title: 'languages/rust/pinning.md', path: pinning.path },
    ]),
  );
  expect([empty.questions, empty.answers, empty.gaps]).toEqual([[], { total: 0, shown: [] }, { total: 0, shown: [] }]);
  expect(empty.diagnostics).toMatchObject([{ code: 'expert/unknownScope' }]);

  const answered = await ask(core, 'When does a future need to be pinned?');
  const open = await ask(core, 'Who pins? A future needs to be pinned.');
  const unknown = await ask(core, 'How long is a pinned future?');
  expect(unknown.answer).toMatchObject({ state: 'refused', text: 'I do not know: Its length' });
  const full = await page();
  expect(full.questions).toMatchObject([{ query: open.query, askedBack: { text: 'Which executor?' } }]);
  expect(full.answers.shown).toMatchObject([
    { id: unknown.query, state: 'unknown', comparison: { isSame: true } },
    { id: answered.query, state: 'answered', comparison: { isSame: true } },
  ]);
  expect(full.gaps).toMatchObject({ total: 1, shown: [{ id: unknown.query, missing: 'Its length' }] });

  writeFileSync(join(world.vault, pinning.path), `${pinning.text}More.\n`);
  const { shown } = (await page()).answers;
  expect(shown.map(({ comparison }) => comparison?.isSame)).toEqual([false, false]);
  await expect(core.api.request('expert', { expert: 'ffi' })).rejects.toMatchObject({ code: 'expert/unknown' });
});
