import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inspectFile } from '../../src/inspect/changedFile.ts';
import { demoPlan, makePlanWorld, type PlanWorld } from '../support/planServices.ts';

/** What a page shows of a file of the project after `change`. */
async function shownAfter(path: string, change: (world: PlanWorld) => unknown) {
  const world = await makePlanWorld({ source: { 'keys/id': 'one\n', 'b.txt': 'one\n' } });
  const commit = (await world.git('rev-parse', 'HEAD')).trim();
  world.write('keys/id', 'a key');
  await change(world);
  const { services, location } = world;
  const session = services.newUlid();
  const state = { baselines: { work: { commit, dirty: [] } }, cycle: 1, children: {} };
  const at = { plan: demoPlan, session, phase: 'work' } as const;
  return inspectFile(
    { services, location, state, records: [], rollbacks: [], at },
    { set: 'source', path, side: 'after' },
  );
}

describe('of a changed file a page shows', () => {
  test('its text', async () => {
    const shown = await shownAfter('b.txt', ({ write }) => write('Demo/b.txt', 'two\n'));
    expect(shown).toMatchObject({ text: 'two\n', isThere: true });
  });

  test('nothing behind a link in the place of its folder', async () => {
    const shown = await shownAfter('keys/id', ({ project }) => {
      rmSync(join(project, 'keys'), { recursive: true });
      symlinkSync('../keys', join(project, 'keys'));
    });
    expect(shown).toMatchObject({ text: '', isThere: false });
  });

  test('nothing where its folder became a file', async () => {
    const shown = await shownAfter('keys/id', ({ project, write }) => {
      rmSync(join(project, 'keys'), { recursive: true });
      write('Demo/keys', 'a file\n');
    });
    expect(shown).toMatchObject({ text: '', isThere: false });
  });
});
