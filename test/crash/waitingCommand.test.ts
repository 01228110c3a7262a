import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backlogIn } from '../support/backlogs.ts';
import { openCore } from '../support/openCore.ts';
import { startRavel } from '../support/runProgram.ts';
import { makeSuggestionWorld, payments } from '../support/suggestionWorld.ts';

test('a command that waits for a receiver continues with the next owner if its own is killed', {
  timeout: 60_000,
}, async () => {
  const settings = '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "../scenario.yaml"\n';
  const says = (steps: readonly object[]) => JSON.stringify({ version: 1, consultations: { route: [{ steps }] } });
  const world = await makeSuggestionWorld({ settings, scenario: says([{ hang: true }]) });
  const program = { environment: { ...world.environment, RAVEL_VAULT: world.vault } };
  const daemon = startRavel(['daemon'], program);
  await daemon.printed('Stop');
  const args = ['dispatch', 'auto', 'Count the money.', '--reason', 'Needed', '--from', world.plan, '--json'];
  const command = startRavel(args, program);
  await command.printed('"message.routing"');
  const steps = [{ call: 'accept_dispatch', with: { target_plan: payments, justification: 'Money is theirs' } }];
  await writeFile(world.scenario, says(steps));
  daemon.child.kill('SIGKILL');
  await daemon.ended;
  const { code, stdout, stderr } = await command.ended;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    result: { outcome: { kind: 'routed', to: payments } },
  });
  const core = await openCore(world);
  onTestFinished(() => core.stop());
  const received = () => backlogIn(join(world.planDirectory, 'payments')).received ?? [];
  while (received().length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(received()).toMatchObject([{ from: world.plan, body: 'Count the money.' }]);
});
