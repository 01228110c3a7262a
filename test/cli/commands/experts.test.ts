import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic } from '../../../src/model/codes.ts';
import { expertSchema } from '../../../src/model/expert.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { createFakePorts } from '../fakePorts.ts';

const persona = `You are precise. ${'Words that go on, '.repeat(8)}and an end.\n\nA second part.`;
const declaration = expertSchema.parse({
  'actor-type': 'expert',
  'expert-id': 'rust',
  description: 'Knows Rust',
  persona,
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
  expect((await run(['list'])).stdout).toBe(stdout);
  expect((await run([], { experts: [], diagnostics: [] })).stdout).toContain('`ravel experts add`');
});

test.each([[['rust']], [['expert:rust']], [['show', 'rust']]])('ravel experts %j shows it all', async (args) => {
  const { code, stdout } = await run(args);
  expect(code).toBe(0);
  expect(stdout).toContain(`\n\nPersona\n${persona}\n`);
  expect(stdout).not.toContain('ffi');
});

test('ravel experts shows the faults of an invalid expert, and exits with 3 for an unknown one', async () => {
  expect(await run(['ffi'])).toMatchObject({ code: 2, stdout: expect.stringContaining('Bad declaration: tags.') });
  expect(await run(['none'])).toMatchObject({ code: 3 });
});

test('ravel experts add lists the experts that come with Ravel, and adds those that are named', async () => {
  const shipped = [
    { expert: 'ffi', description: 'Knows FFI', entries: 1, isAdded: false },
    { expert: 'rust', description: 'Knows Rust', entries: 12, isAdded: true },
  ];
  const seen: unknown[] = [];
  const added = {
    experts: ['ffi'],
    files: ['knowledge/a.md', 'experts/ffi.md'],
    kept: ['knowledge/b.md'],
    diagnostics: [],
  };
  const check = async (args: readonly string[]) => {
    const ports = await createFakePorts({
      shipped_experts: () => ({ experts: shipped }),
      add_experts: (params) => {
        seen.push(params);
        return added;
      },
    });
    return { code: await runCommandLine(['experts', 'add', ...args], ports), ...ports.written };
  };
  expect((await check([])).stdout).toBe('ffi   Knows FFI  1 entry\nrust  Knows Rust  12 entries, added\n');
  expect((await check(['ffi'])).stdout).toBe(
    'Added 1 expert and 1 entry: ffi.\nThe vault had 1 file already; they stay as they are.\n',
  );
  await check(['--all']);
  expect(seen).toEqual([{ experts: ['ffi'] }, {}]);
});

test('ravel experts create sends what a person says of an expert, with the persona from the line or a file', async () => {
  const seen: unknown[] = [];
  const check = async (args: readonly string[]) => {
    const ports = await createFakePorts(
      {
        create_expert: (params) => {
          seen.push(params);
          return { actor: toQualifiedId('expert:go'), file: '/vault/experts/go.md', diagnostics: [] };
        },
      },
      { stdin: 'You are terse.' },
    );
    return { code: await runCommandLine(['experts', 'create', 'go', ...args], ports), ...ports.written };
  };
  const usual = ['--description', 'Knows Go', '--scope', 'languages/go', '--scope', 'tools/go'];
  expect(await check([...usual, '--tag', 'go', '--from', '-'])).toMatchObject({
    code: 0,
    stdout: 'Declared expert:go.\n  /vault/experts/go.md\n',
  });
  const scope = ['languages/go', 'tools/go'];
  expect(seen).toEqual([{ expert: 'go', description: 'Knows Go', persona: 'You are terse.', scope, tags: ['go'] }]);
  expect(await check(usual)).toMatchObject({ code: 2, stderr: expect.stringContaining('--persona or --from') });
  expect(await check(['--description', 'Knows Go', '--persona', 'x'])).toMatchObject({ code: 2 });
});
