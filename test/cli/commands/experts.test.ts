import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import { expertSchema } from '../../../src/model/expert.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { createFakePorts } from '../fakePorts.ts';

const declaration = expertSchema.parse({
  'actor-type': 'expert',
  'expert-id': 'rust',
  description: 'Knows Rust',
  persona: 'You are precise.',
  'knowledge-scope': ['languages/rust'],
  tags: ['rust'],
});
const experts = [{ actor: toQualifiedId('expert:rust'), file: '/vault/experts/rust.md', declaration }];
const diagnostics = [diagnostic('expert/badDeclaration', 'expert:ffi', 'Bad declaration: tags.')];

async function run(args: readonly string[], found: object = { experts, diagnostics }) {
  const ports = await createFakePorts({
    experts: () => found as { experts: typeof experts; diagnostics: typeof diagnostics },
  });
  return { code: await runCommandLine(['experts', ...args], ports), ...ports.written };
}

test('ravel experts lists the declared experts, and the faults of bad declarations', async () => {
  const { code, stdout } = await run([]);
  expect(code).toBe(0);
  expect(stdout).toContain('expert:rust  Knows Rust\n');
  expect(stdout).toContain('expert:ffi');
  expect((await run([], { experts: [], diagnostics: [] })).stdout).toContain('This vault declares no experts.');
});

test.each([['rust'], ['expert:rust']])('ravel experts %s shows the whole declaration', async (id) => {
  const { code, stdout } = await run([id]);
  expect(code).toBe(0);
  expect(stdout).toContain('persona     You are precise.');
  expect(stdout).not.toContain('ffi');
});

test('ravel experts shows the faults of an invalid expert, and exits with 3 for an unknown one', async () => {
  expect(await run(['ffi'])).toMatchObject({ code: 2, stdout: expect.stringContaining('Bad declaration: tags.') });
  expect(await run(['none'])).toMatchObject({ code: 3 });
});
