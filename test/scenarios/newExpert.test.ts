import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeExpertWorld, pinning, ask as question, quoting } from '../support/expertWorld.ts';
import { startCore } from '../support/world.ts';

const wanted = {
  expert: 'futures',
  description: 'Knows: when "futures" move',
  persona: 'You answer in one line.\n\nYou never guess.',
  scope: ['languages/rust', 'languages/zig'],
  tags: ['async'],
};

test('an expert that a person declares answers at once, is committed, and warns about a folder that is not there', async () => {
  const world = await makeExpertWorld({ answers: [{ steps: quoting() }] });
  const { core } = await startCore(world);
  const created = await core.api.request('create_expert', wanted);
  expect(created).toMatchObject({ actor: 'expert:futures', diagnostics: [{ code: 'expert/unknownScope' }] });
  const { experts } = await core.api.request('experts', {});
  expect(experts.find(({ actor }) => actor === 'expert:futures')?.declaration).toMatchObject({
    ...{ description: wanted.description, persona: wanted.persona, tags: wanted.tags },
    'knowledge-scope': wanted.scope,
  });
  const { answer } = await question(core, 'When does a future need to be pinned?', 'futures');
  expect(answer).toMatchObject({ by: 'expert:futures', text: pinning.answer, isSupported: true });
  await core.stop();
  const log = await world.git('-C', world.vault, 'log', '-1', '--format=%s', '--', 'experts/futures.md');
  expect(log.trim()).toBe('Add expert:futures');
});

test('a declaration that is there stays, and one that would be wrong is not written', async () => {
  const world = await makeExpertWorld({ answers: [] });
  const { core } = await startCore(world);
  const { api } = core;
  const file = join(world.vault, 'experts/rust.md');
  writeFileSync(file, 'What a person began to write.\n');
  await expect(api.request('create_expert', { ...wanted, expert: 'rust' })).rejects.toMatchObject({
    code: 'expert/exists',
  });
  expect(readFileSync(file, 'utf8')).toBe('What a person began to write.\n');
  for (const [change, code] of [
    [{ expert: '../out' }, 'expert/badId'],
    [{ expert: 'vault' }, 'expert/badId'],
    [{ persona: '  ' }, 'expert/badDeclaration'],
    [{ persona: 'x'.repeat(9000) }, 'expert/badDeclaration'],
    [{ scope: ['../secrets'] }, 'expert/badDeclaration'],
    [{ tags: ['Two Words'] }, 'expert/badDeclaration'],
    [{ description: '' }, 'expert/badDeclaration'],
  ] as const) {
    const params = { ...wanted, ...change, scope: [...('scope' in change ? change.scope : wanted.scope)] };
    const tags = [...('tags' in change ? change.tags : wanted.tags)];
    await expect(api.request('create_expert', { ...params, tags }), code).rejects.toMatchObject({ code });
  }
  expect(existsSync(join(world.vault, 'experts/futures.md'))).toBe(false);
});
