import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { cycleSettings, makeCycleWorld } from '../support/cycleWorld.ts';
import { makeRehearsalPlace } from '../support/rehearsals.ts';
import { analysis, done, type Step, scenarioText } from '../support/scenarioRuns.ts';

/** A model's last word is a text. */
const word: Step = { say: 'That is all.' };

test('the real Claude Code changes nothing outside the copy, although its model tries to write and to send', {
  timeout: 180_000,
}, async () => {
  const world = await makeCycleWorld({ settings: `${cycleSettings}\n${claudeSettings()}` });
  const at = (path: string) => join(world.project, path);
  const scenario = scenarioText({
    work: [
      { edit: { path: at('greet.mjs'), content: 'gone\n' } },
      { edit: { path: join(world.root, 'home/gone'), content: 'gone\n' } },
      { run: { command: `echo gone > ${at('greet.mjs')}` } },
      { run: { command: "echo 'In the copy.' > here.txt" } },
      { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } },
      {
        call: 'message_dispatch',
        with: { 'target-project': 'shop', reason: 'The shop needs it', body: 'Greet the shop.' },
      },
      done,
      word,
    ],
    'analyse-work': [...analysis(['Write here', 'here.txt']), word],
    reflect: [done, word],
    dream: [done, word],
    triage: [done, word],
  });
  await writeFile(world.scenario, scenario);
  const { model, environment } = await startClaudeWorld(world, scenario, { task: 'add-a-farewell' });
  const place = await makeRehearsalPlace({ ...world, environment });
  const before = place.exact();
  const { code, report, stdout } = await place.rehearse('--harness', 'claude-code');
  expect(code, stdout).toBe(0);
  expect(place.exact()).toEqual(before);
  expect(await place.left()).toEqual([]);
  expect(report?.harness).toBe('claude-code');
  expect(report?.outside).toBeUndefined();
  expect(report?.files.map(({ path }) => path)).toEqual(['here.txt']);
  expect(report?.withheld.map(({ to }) => to)).toEqual(['shop']);
  expect(report?.costUsd).toBeGreaterThan(0);
  expect(model.requests.length).toBeGreaterThan(5);
});
