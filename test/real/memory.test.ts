import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { formatYaml } from '../../src/yaml/yaml.ts';
import { signIn } from '../support/claudeCode.ts';
import { claudeSettings, startClaudeWorld } from '../support/claudeWorld.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { backlogOf, runPhase } from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

const scenario = `
version: 1
phases:
  work:
    - read: { path: greet.mjs }
    - edit: { path: greet.mjs, replace: 'Hello', with: 'Good day, trimName' }
    - run: { command: cat notes.md }
    - read: { path: greet.mjs }
    - call: backlog_set_status
      with: { id: greet, status: done }
    - finish: { outcome: done, summary: It greets. }
`;

const entries = [
  { id: 'file', title: 'About the file', body: 'MARK-FILE: `greet.mjs` is loaded once.' },
  { id: 'name', title: 'About a name', body: 'MARK-NAME: `trimName` wants a text.' },
  { id: 'notes', title: 'About the notes', body: 'MARK-NOTES: `notes.md` is generated.' },
];

async function start() {
  const world = await makeWorld({
    settings: `${claudeSettings()}[memory]\nbudget-kb = 0\n`,
    files: { 'greet.mjs': 'export const greet = "Hello";\n', 'notes.md': 'Notes.\n' },
    plan: { 'backlog.yaml': backlogOf('greet'), 'memory.yaml': formatYaml({ entries }) },
  });
  const { model, environment } = await startClaudeWorld(world, scenario);
  return { world, model, environment };
}

/** How often each mark is in what the model was sent last, and with which request each came first. */
function marksIn(requests: readonly { readonly messages: unknown }[]) {
  const texts = requests.map(({ messages }) => JSON.stringify(messages));
  return Object.fromEntries(
    ['MARK-FILE', 'MARK-NAME', 'MARK-NOTES'].map((mark) => [
      mark,
      [texts.findIndex((text) => text.includes(mark)), (texts.at(-1) ?? '').split(mark).length - 1],
    ]),
  );
}

const expected = { 'MARK-FILE': [1, 1], 'MARK-NAME': [2, 1], 'MARK-NOTES': [3, 1] };

test('the real Claude Code is told what the memory has about what it reads, edits and runs, each once', async () => {
  const { world, model, environment } = await start();
  const { core } = await startCore({ ...world, environment }, { sessions: 'processes' });
  const { end, session } = await runPhase(core, world, { phase: 'work', harness: 'claude-code' });
  expect([end, model.mismatches]).toEqual(['finished', []]);
  expect(marksIn(model.requests)).toEqual(expected);
  expect(model.requests[0]?.tools?.map(({ name }) => name)).not.toContain('mcp__ravel__recall');
  const kept = await readFile(join(world.vault, 'runtime/sessions', session, 'given.jsonl'), 'utf8');
  expect(kept.trim().split('\n')).toHaveLength(3);
});

test('so is one with a person at its terminal', { timeout: 120_000 }, async () => {
  const { world, model, environment } = await start();
  await signIn(world, environment);
  const { core } = await startCore({ ...world, environment });
  const ended = nextEvent(core, 'phase.ended');
  const asked = { kind: 'work' as const, plan: world.plan, harness: 'claude-code' as const };
  await core.api.request('open_terminal', { ...asked, size: { columns: 110, rows: 35 } });
  expect(await ended).toMatchObject({ end: 'finished' });
  expect(marksIn(model.requests)).toEqual(expected);
});
