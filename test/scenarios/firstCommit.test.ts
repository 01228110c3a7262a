import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRehearsalPlace } from '../support/rehearsals.ts';
import { backlogOf, done, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

/** A repository without a commit, and a work session that changes no file of the source. */
function makeUnborn(): Promise<World> {
  return makeWorld({
    identity: false,
    plan: { 'backlog.yaml': backlogOf('first') },
    scenario: scenarioText({
      work: [done],
      'analyse-work': [
        { call: 'session_set_latest', with: { title: 'A session', body: '- Nothing was to be done.\n' } },
        done,
      ],
      reflect: [done],
      triage: [done],
    }),
  });
}

test('a cycle whose work changes no file ends, although nothing was committed before', async () => {
  const world = await makeUnborn();
  await writeFile(join(world.root, 'home/.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  expect(await world.git('for-each-ref')).toBe('');
  const { core } = await startCore(world);
  const { plan, scenario } = world;
  const report = await core.api.request('run_cycle', { plan, harness: 'scripted', scenario });
  expect(report.stop).toBe('cycle-ended');
  expect(await world.git('log', '--reverse', '--format=%s')).toMatch(/^Record the backlog of greeter after work: /);
});

test('a rehearsal of such a cycle ends too', async () => {
  const world = await makeUnborn();
  await writeFile(join(world.root, 'home/.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const place = await makeRehearsalPlace(world);
  const { code, report } = await place.rehearse('--scenario', world.scenario);
  expect({ code, stop: report?.report.stop }).toEqual({ code: 0, stop: 'cycle-ended' });
  expect(report?.files).toEqual([]);
}, 90_000);
