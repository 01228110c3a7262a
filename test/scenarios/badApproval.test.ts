import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/server/client.ts';
import { decide, decisions, makeConflictWorld, ravel, runIntoConflict } from '../support/approvalWorld.ts';
import { startCore } from '../support/world.ts';

test('a decision keeps its reason character for character, control characters included', async () => {
  const world = await makeConflictWorld();
  const { core } = await startCore(world);
  const page = await runIntoConflict(core, world);
  const client = await connect({ socketPath: core.socketPath, clock: systemClock });
  onTestFinished(() => client.close());
  const reason = 'a\u0000\u001b[2J\u0085\u2028\u202eb\r\nc\ufeff\n---\n&x [*x]';
  await decide(client, page, 'accept', { option: 'person', reason });
  expect(await decisions(world)).toMatchObject([{ id: page.approval, decision: 'accept', reason }]);
});

test('an approval answered on the command line and over a socket at once is decided once', async () => {
  const world = await makeConflictWorld();
  const { core } = await startCore(world);
  const page = await runIntoConflict(core, world);
  const [ran, asked] = await Promise.allSettled([
    ravel(world, ['approvals', 'accept', page.approval, '--option', 'person', '--json']),
    decide(core.api, page, 'accept', { option: 'session' }),
  ]);
  const won = [ran.status === 'fulfilled' && ran.value.code === 0, asked.status === 'fulfilled'];
  expect(won.filter((one) => one)).toHaveLength(1);
  expect(await decisions(world)).toMatchObject([{ id: page.approval, option: won[0] ? 'person' : 'session' }]);
  expect(await world.readPlan('memory.yaml')).toContain(won[0] ? 'four doors' : 'three doors');
});
