import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/failureOf.ts';
import { goodReflection, makeReflectWorld, runOptionsOf } from '../support/phaseWorld.ts';
import { startCore, type World } from '../support/world.ts';

describe('a process without ownership of the vault', () => {
  const refused: readonly (readonly [string, (world: World) => object])[] = [
    ['run_phase', runOptionsOf],
    ['run_cycle', runOptionsOf],
    ['retry', runOptionsOf],
    ['dismiss', ({ plan }) => ({ plan })],
  ];
  test.each(refused)('is refused %s', async (name, params) => {
    const world = await makeReflectWorld(goodReflection);
    const { core } = await startCore(world, { role: 'local' });
    const problem = await failureOf(() => core.api.request(name as 'dismiss', params(world) as { plan: string }));
    expect(problem).toMatchObject({ code: 'vault/owned' });
    expect(await world.readPlan('phase.md')).toBe('reflect\n');
  });
});
