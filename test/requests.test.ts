import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from './support/failureOf.ts';
import { goodReflection, makeReflectWorld, runOptionsOf } from './support/phaseWorld.ts';
import { makeWorld, startCore, type World } from './support/world.ts';

describe('adopt', () => {
  /** What the vault says of a second project whose origin is this. */
  async function check(origin: string | undefined, expected: string): Promise<void> {
    const world = await makeWorld();
    const project = join(world.root, 'second');
    await world.git('init', '--quiet', project);
    if (origin !== undefined) await world.git('-C', project, 'remote', 'add', 'origin', origin);
    const { core } = await startCore(world, { role: 'local' });
    await core.api.request('adopt', { project, description: 'Is the second one' });
    const text = await readFile(join(world.vault, 'projects.yaml'), 'utf8');
    expect(text.slice(text.indexOf('- name: second'))).toBe(expected);
    expect(text).not.toContain('secret');
  }

  test('notes where the project comes from, without what is secret', () =>
    check('https://ada:secret@example.org/a.git', '- name: second\n  remote: https://example.org/a.git\n'));
  test('notes nothing where it comes from nowhere', () => check(undefined, '- name: second\n'));

  test('names a folder that is not there', async () => {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    const params = { project: join(world.root, 'nowhere'), description: 'Is not there' };
    expect(await failureOf(() => core.api.request('adopt', params))).toMatchObject({ code: 'project/missing' });
  });
});

describe('adopt refuses', () => {
  test.each([
    ['the vault itself', ''],
    ['a folder of it', 'knowledge'],
  ])('%s', async (_name, below) => {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    const params = { project: join(world.vault, below), description: 'Is the vault' };
    expect(await failureOf(() => core.api.request('adopt', params))).toMatchObject({ code: 'project/inVault' });
  });
});

describe('who owns no vault', () => {
  const refused: readonly (readonly [string, (world: World) => object])[] = [
    ['run_phase', runOptionsOf],
    ['run_cycle', runOptionsOf],
    ['retry', runOptionsOf],
    ['dismiss', ({ plan }) => ({ plan })],
  ];
  test.each(refused)('may not %s', async (name, params) => {
    const world = await makeReflectWorld(goodReflection);
    const { core } = await startCore(world, { role: 'local' });
    const problem = await failureOf(() => core.api.request(name as 'dismiss', params(world) as { plan: string }));
    expect(problem).toMatchObject({ code: 'vault/owned' });
    expect(await world.readPlan('phase.md')).toBe('reflect\n');
  });
});

test('parameters that do not fit are named by their path', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { role: 'local' });
  const params = { plan: 'greeter', cycles: 'two' } as unknown as { plan: string };
  const problem = await failureOf(() => core.api.request('run_cycle', params));
  expect(problem.message).toMatch(/^The parameters of "run_cycle" do not fit\. cycles: /);
});

describe('what does not fit', () => {
  async function check(name: string, params: unknown, code: string): Promise<void> {
    const world = await makeWorld();
    const { core } = await startCore(world, { role: 'local' });
    const request = core.api.request as (name: string, params: unknown) => Promise<unknown>;
    expect(await failureOf(() => request(name, params))).toMatchObject({ code });
  }

  test.each<[string, unknown, string]>([
    ['fly', {}, 'server/unknownRequest'],
    ['toString', {}, 'server/unknownRequest'],
    ['status', {}, 'server/badParams'],
    ['status', { plan: 'nowhere' }, 'plan/unknown'],
    ['create', { plan: 'greeter', description: 'Is a child' }, 'plan/badId'],
    ['state', { plan: 'greeter', verb: 'fly/high', args: {} }, 'state/unknownVerb'],
    ['state', { plan: 'greeter', verb: 'source/revert', args: { path: 'a' } }, 'state/unknownVerb'],
    ['transcript', { session: 'no session' }, 'session/unknown'],
    ['transcript', { session: '01HZY0000000000000000000S1' }, 'session/unknown'],
  ])('%s %j', (name, params, code) => check(name, params, code));
});
