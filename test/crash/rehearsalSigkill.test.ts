import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { exactTree } from '../support/exactTree.ts';
import { makeRehearsalPlace } from '../support/rehearsals.ts';
import { runRavel, startRavel } from '../support/runProgram.ts';
import { scenarioText } from '../support/scenarioRuns.ts';

const endless = scenarioText({ work: [{ say: 'I wait.' }, { hang: true }] });

test('what a killed rehearsal leaves is removed by the next one, with its session, and one that lives is left alone', async () => {
  const world = await makeCycleWorld({ scenario: endless });
  const place = await makeRehearsalPlace(world);
  const before = place.exact();
  const killed = place.start(['--scenario', world.scenario]);
  await killed.printed('I wait.');
  killed.child.kill('SIGKILL');
  await killed.ended;
  const [dead = ''] = await place.left();
  const sessions = await readdir(join(place.temporary, dead, 'vault/runtime/sessions'));
  const doctor = await runRavel(['doctor', '--vault', world.vault], { environment: place.environment });
  expect(doctor.stdout).toContain(dead);
  expect(await place.left()).toEqual([dead]);
  const living = place.start(['--scenario', world.scenario]);
  await living.printed('I wait.');
  const [alive = '', ...others] = await place.left();
  expect({ others, isOther: alive !== dead }).toEqual({ others: [], isOther: true });
  expect(sessions).toHaveLength(1);
  const rows = await createProcesses(nodeDisk).list({ session: sessions[0] ?? '', variable: 'RAVEL_SESSION' });
  expect(rows.filter(({ carriesSession }) => carriesSession)).toEqual([]);
  expect((await place.rehearse()).code).toBe(0);
  expect(await place.left()).toEqual([alive]);
  living.child.kill('SIGINT');
  const { code, stdout } = await living.ended;
  expect(code, stdout).toBe(130);
  expect(stdout).toContain('The rehearsal was stopped.');
  expect(await place.left()).toEqual([]);
  expect(place.exact()).toEqual(before);
}, 120_000);

test('beside the owner of the vault and another rehearsal it changes nothing of either', async () => {
  const world = await makeCycleWorld();
  const place = await makeRehearsalPlace(world);
  const owner = startRavel(['daemon', '--vault', world.vault, '--json'], { environment: place.environment });
  await owner.printed('started');
  // Its commands answer, so its start is over.
  const asked = await runRavel(['verify', '--vault', world.vault, '--json'], { environment: place.environment });
  expect(asked.code, asked.stdout + asked.stderr).toBe(0);
  // The owner shows that it lives, and keeps its log and its caches.
  const isOfOwner = (path: string) => /^vault\/runtime(?:$|\/(?:daemon|cache|housekeeping|log|tools))/.test(path);
  const calm = () =>
    exactTree(world.root, (path) => !isOfOwner(path)).filter((line) => !/^(?:vault|home)?:/.test(line));
  const before = calm();
  const both = await Promise.all([
    place.rehearse('--scenario', world.scenario),
    place.rehearse('--scenario', world.scenario),
  ]);
  for (const { code, stdout } of both) expect(code, stdout).toBe(0);
  const [one, other] = both.map(({ report }) => report?.files);
  expect(one).toEqual(other);
  expect(calm()).toEqual(before);
  expect(await place.left()).toEqual([]);
  expect(await readdir(join(world.vault, 'runtime/plans')).catch(() => [])).toEqual([]);
}, 120_000);
