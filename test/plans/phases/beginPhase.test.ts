import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../support/failureOf.ts';
import { goodReflection, makeReflectWorld, stateOf } from '../../support/phaseWorld.ts';
import { startCore } from '../../support/world.ts';

test.each<[string, string | undefined, string | undefined, string]>([
  ['a phase without a scenario', undefined, undefined, 'harness/noScenario'],
  ['a phase with a missing scenario', 'nowhere.yaml', undefined, 'harness/noScenario'],
  [
    'a phase with an invalid scenario',
    'bad.yaml',
    'version: 1\nphases: { reflect: [fly: high] }\n',
    'harness/badScenario',
  ],
])('%s is refused before anything begins', async (_name, file, text, code) => {
  const world = await makeReflectWorld(goodReflection);
  if (file !== undefined && text !== undefined) await writeFile(join(world.root, file), text);
  const { core, events } = await startCore(world);
  const before = await stateOf(world);
  const scenario = file === undefined ? {} : { scenario: join(world.root, file) };
  const run = () => core.api.request('run_phase', { plan: world.plan, harness: 'scripted', ...scenario });
  expect(await failureOf(run)).toMatchObject({ code });
  expect(await stateOf(world)).toEqual(before);
  expect(events.filter(({ type }) => type !== 'actor.changed')).toEqual([]);
  const { running, interrupted, waiting } = await core.api.request('status', { plan: world.plan });
  expect([running, interrupted, waiting]).toEqual([undefined, undefined, undefined]);
});
