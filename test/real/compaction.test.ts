import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signIn } from '../support/claudeCode.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { backlogOf } from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

/** The program compacts by itself once an answer says that its talk fills the model's window. */
const scenario = `
version: 1
phases:
  work:
    - run: { command: ls }
    - usage: { input-tokens: 2000000, output-tokens: 10 }
    - call: backlog_set_status
      with: { id: greet, status: done }
    - run: { command: ls ravel }
    - finish: { outcome: done, summary: It greets. }
`;

test('Claude Code continues in the same record after it compacted its conversation, and its calls are checked against the verdicts', {
  timeout: 120_000,
}, async () => {
  const world = await makeWorld({ settings: claudeSettings(), plan: { 'backlog.yaml': backlogOf('greet') } });
  const { model, environment } = await startClaudeWorld(world, scenario);
  await signIn(world, environment);
  const { core, events } = await startCore({ ...world, environment });
  const ended = nextEvent(core, 'phase.ended');
  const asked = { kind: 'work' as const, plan: world.plan, harness: 'claude-code' as const };
  const { terminal } = await core.api.request('open_terminal', { ...asked, size: { columns: 110, rows: 35 } });
  expect(await ended).toMatchObject({ end: 'finished', next: 'analyse-work' });

  expect(model.compactions()).toBe(1);
  const begun = events.flatMap((event) =>
    event.type === 'session.output' && event.output.kind === 'toolStarted' ? [event.output.callId] : [],
  );
  expect(begun).toEqual(['toolu_0_0', 'toolu_1_0', 'toolu_2_0', 'toolu_3_0']);
  const talks = readFileSync(join(world.vault, 'runtime/sessions', terminal, 'talks.jsonl'), 'utf8');
  const paths = new Set(talks.split('\n').filter((line) => line.startsWith('"')));
  expect(paths.size).toBe(1);
  const record = readFileSync(JSON.parse([...paths].join('')), 'utf8');
  expect(record.indexOf('"toolu_2_0"')).toBeGreaterThan(record.indexOf('"compact_boundary"'));
});
