import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeTranscriptId } from '../../src/harness/claudeTranscripts.ts';
import { signIn } from '../support/claudeCode.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { formatScenario, nextEvent } from '../support/phaseWorld.ts';
import { watchTerminal } from '../support/terminals.ts';
import { startCore } from '../support/world.ts';

test('a session of the real Claude Code in a terminal has one record of all its calls', {
  timeout: 120_000,
}, async () => {
  const world = await makeCycleWorld({ settings: `[limits]\nexit-grace-seconds = 1\n${claudeSettings()}` });
  const agent = { call: 'Agent', with: { description: 'Look', prompt: 'Look.', subagent_type: 'general-purpose' } };
  const steps = [agent, { call: 'Task', with: agent.with }, { say: 'Waiting' }];
  const { model, environment } = await startClaudeWorld(world, formatScenario({ work: steps }));
  await signIn(world, environment);
  const { core } = await startCore({ ...world, environment });
  const size = { columns: 110, rows: 35 };
  const opened = await core.api.request('open_terminal', {
    ...{ kind: 'work', plan: world.plan, harness: 'claude-code', size },
  });
  const terminal = await watchTerminal(opened);
  await terminal.seen('Waiting');

  // A person cannot go on with another talk either.
  for (const command of ['/clear', '/compact', '/resume']) {
    terminal.client.write(command);
    await terminal.seen(`match "${command}"`);
    terminal.client.write('\r');
    await terminal.seen(`Unknown command: ${command}`);
  }

  const heard = JSON.stringify(model.requests.at(-1)?.messages);
  for (const tool of ['Agent', 'Task']) expect(heard).toContain(`No such tool available: ${tool}`);
  const records = await readdir(join(environment['CLAUDE_CONFIG_DIR'] ?? '', 'projects'), { recursive: true });
  const record = `${claudeTranscriptId(opened.terminal)}.jsonl`;
  expect(records.filter((path) => path.endsWith('.jsonl')).map((path) => basename(path))).toEqual([record]);
  const named = await readFile(join(world.vault, 'runtime/sessions', opened.terminal, 'talks.jsonl'), 'utf8');
  expect(named.trim().split('\n')).toHaveLength(2);
  expect(named).toContain(`/${record}"`);
  const ended = nextEvent(core, 'phase.ended');
  await core.api.request('close_terminal', { terminal: opened.terminal });
  await ended;
});
