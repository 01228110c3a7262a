import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openVault, tryOpenVault } from '../src/library.ts';
import { commandLinePath } from './support/commandLine.ts';
import { finishDone, formatScenario } from './support/phaseWorld.ts';
import { makeWorld, type World } from './support/world.ts';

const packageRoot = fileURLToPath(new URL('..', import.meta.url));

/** A separate package that depends on this one, next to a world. */
async function makeDependent(world: World, files: Readonly<Record<string, string>>): Promise<string> {
  const directory = join(world.root, 'dependent');
  await mkdir(join(directory, 'node_modules'), { recursive: true });
  await symlink(packageRoot, join(directory, 'node_modules/ravel'));
  const all = { 'package.json': '{ "type": "module" }\n', ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(join(directory, name), text);
  return directory;
}

async function runNode(world: World, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env: world.environment });
  return stdout;
}

/** The example of docs/programming.md with the folders of a world. */
async function pageExample(world: World): Promise<string> {
  const page = await readFile(join(packageRoot, 'docs/programming.md'), 'utf8');
  const example = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  return example
    .replaceAll('/path/to/vault', join(world.root, 'other'))
    .replaceAll('/path/to/greeter', world.project)
    .replace(
      "{ plan: 'greeter' });\n  console",
      `{ plan: 'greeter', scenario: ${JSON.stringify(world.scenario)} });\n  console`,
    );
}

const wholeCycle = formatScenario({
  work: [finishDone],
  'analyse-work': [
    { call: 'session_set_latest', with: { title: 'Looked', body: 'Nothing was to be done.' } },
    finishDone,
  ],
  reflect: [finishDone],
  triage: [finishDone],
});

describe('a program that depends on the package', () => {
  test('runs the example of docs/programming.md', async () => {
    commandLinePath();
    const world = await makeWorld({ scenario: wholeCycle });
    const directory = await makeDependent(world, { 'main.js': await pageExample(world) });
    const said = (await runNode(world, ['main.js'], directory)).trim().split('\n');
    expect(said).toContain('session.started');
    expect(said.at(-1)).toBe('cycle-ended 4');
  });

  test('can create the core with its own ports', async () => {
    commandLinePath();
    const world = await makeWorld();
    const program = `
      import { createPorts } from 'ravel';
      import { createCore } from 'ravel/core';
      const log = { debug() {}, info() {}, warn() {}, error() {} };
      const core = await createCore({
        ...createPorts(), vault: ${JSON.stringify(world.vault)}, role: 'local', environment: process.env, log,
        version: '1.2.3', entry: { program: 'node', args: [] }, packageRoot: '.', socketPath: 'none',
      });
      console.log((await core.api.request('hello', { protocol: 1 })).version);
      await core.stop();
    `;
    const directory = await makeDependent(world, { 'main.js': program });
    expect(await runNode(world, ['main.js'], directory)).toBe('1.2.3\n');
  });

  test('gets a type error for a wrong row type and for an unknown request', async () => {
    const world = await makeWorld();
    const program = `
      import { openVault } from 'ravel';
      const vault = await openVault();
      const { plans } = await vault.api.request('list', {});
      export const ids: readonly string[] = plans.map((row) => row.plan);
      export const wrong: number = plans[0]?.description ?? '';
      await vault.api.request('fly', {});
    `;
    const options = { strict: true, noEmit: true, skipLibCheck: true, target: 'es2023', module: 'nodenext', types: [] };
    const directory = await makeDependent(world, {
      'main.ts': program,
      'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['main.ts'] }),
    });
    const tsc = join(packageRoot, 'node_modules/typescript/lib/tsc.js');
    await runNode(world, [tsc, '-p', join(packageRoot, 'tsconfig.types.json')], packageRoot);
    const check = runNode(world, [tsc, '-p', directory], dirname(directory));
    const said = await check.then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    expect(said.match(/main\.ts\(\d+/g)).toEqual(['main.ts(6', 'main.ts(7']);
  });
});

describe('a program that only reads a vault', () => {
  test('does not start git for a request that would use it', async () => {
    const world = await makeWorld();
    const { vault, environment, project } = world;
    const inspect = async (mode: 'reader' | 'local') => {
      const { api, stop } = await tryOpenVault({ vault, environment, mode: mode });
      const { diagnostics } = await api.request('inspect_project', { project });
      await stop();
      return diagnostics.map(({ code }) => code);
    };
    expect(await inspect('reader')).toContain('git/missing');
    expect(await inspect('local')).not.toContain('git/missing');
  });

  test('reads beside the owner, which does not notice', async () => {
    const world = await makeWorld();
    const { vault, environment } = world;
    const owner = await openVault({ vault, environment });
    const reader = await tryOpenVault({ vault, environment, mode: 'reader' });
    expect(reader.role).toBe('local');
    expect((await reader.api.request('outline', {})).plans).toHaveLength(1);
    await reader.stop();
    await owner.stop();
  });
});
