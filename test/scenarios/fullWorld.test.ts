import { expect, test } from 'vitest';
import { expectFullWorld, makeFullWorld, runFullWorld } from '../support/fullWorld.ts';
import { backlogOf, memoryOf } from '../support/scenarioRuns.ts';
import { startCore } from '../support/world.ts';

test('a cycle in a world that is not empty', { timeout: 60_000 }, async () => {
  const full = await makeFullWorld({
    'backlog.yaml': backlogOf('comma', 'other'),
    'memory.yaml': `# Kept by Ada\n${memoryOf({ doors: 'There are two doors.', windows: 'There is one window.' })}`,
  });
  const { core, events } = await startCore(full.world);
  const edit = { from: 'There are two doors.', to: 'There are three doors.' };
  const reports = await runFullWorld(core, full, edit);
  await expectFullWorld(full, reports, edit);
  expect(events.some((event) => event.type === 'run.queued')).toBe(true);
  const merged = events.flatMap((event) => (event.type === 'state.merged' ? [...event.personEdited] : []));
  expect(merged).toEqual(['memory.yaml']);
});
