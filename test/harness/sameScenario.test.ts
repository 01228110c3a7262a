import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { HarnessAdapter } from '../../src/harness/adapter.ts';
import { createClaudeCodeAdapter } from '../../src/harness/claudeCode.ts';
import { parseScenario } from '../../src/harness/scenario.ts';
import { createScriptedAdapter } from '../../src/harness/scripted.ts';
import type { HarnessOutput } from '../../src/model/harnessOutput.ts';
import { claudeCodeEnvironment, claudeCodeSettings } from '../support/claudeCode.ts';
import { startModelServer } from '../support/modelServer.ts';
import { bundleProgram } from '../support/program.ts';
import { collect, createSessionWorld } from '../support/sessions.ts';

const source = `version: 1
phases:
  work:
    - say: I begin.
    - edit: { path: a.ts, content: "one two\\n" }
    - edit: { path: a.ts, replace: two, with: three }
    - edit: { path: forbidden.ts, content: no }
    - edit: { path: a.ts, replace: absent, with: x }
    - run: { command: "mkdir made && cat a.ts" }
    - run: { command: "echo out; echo err >&2; exit 3" }
    - read: { path: a.ts }
    - read: { path: missing.ts }
    - call: backlog_set_status
      with: { id: "\${task}", status: done }
    - call: memory_add
      with: { refuse: true }
      expect: refused
    - finish: { outcome: done, summary: It works. }
    - say: Done.
`;

test('one scenario gives the same outputs with the scripted harness and with the real Claude Code', async () => {
  const fixture = (name: string) =>
    bundleProgram(fileURLToPath(new URL(`../fixtures/harness/${name}`, import.meta.url)));
  const [entry, toolServer] = await Promise.all([fixture('scriptedEntry.ts'), fixture('toolServer.ts')]);
  const scripted = createScriptedAdapter({ program: process.execPath, args: [entry] });
  const fromScripted = await play(scripted, toolServer);
  const fromClaude = await play(createClaudeCodeAdapter(nodeDisk), toolServer);
  expect(fromClaude).toEqual(fromScripted);
  expect(fromScripted).toHaveLength(25);
});

async function play(adapter: HarnessAdapter, mcpServer: string): Promise<object[]> {
  const environment: Record<string, string> = {};
  const world = await createSessionWorld({ environment, settings: claudeCodeSettings(), mcpServer });
  const { scenario } = parseScenario(source, 'same.yaml');
  if (scenario === undefined) throw new Error('the scenario did not parse');
  const file = join(world.root, 'same.yaml');
  await writeFile(file, source);
  const model = await startModelServer({ scenario, projectDirectory: world.project, task: 'mend-it' });
  onTestFinished(() => model.close());
  Object.assign(environment, claudeCodeEnvironment(world.root, model.url));
  const session = await world.start(adapter, { scenario: file, task: 'mend-it' });
  const outputs = await collect(session.outputs);
  expect(await session.ended).toMatchObject({ end: 'exited', exitCode: 0, succeeded: true });
  return normalise(outputs, world.root);
}

/**
 * Leaves out what differs by program: version and tools, the texts of tool results, usage, ids of calls, and whether a tool
 * looks at its input before it asks or after.
 */
function normalise(outputs: readonly HarnessOutput[], root: string): object[] {
  const calls: string[] = [];
  return outputs.flatMap((output): object[] => {
    const text = JSON.stringify(output).replaceAll(root, '{root}');
    const { kind, callId, output: words, usage, ran, ...rest } = JSON.parse(text);
    if (kind === 'usage' || kind === 'ready') return [];
    if (kind === 'toolStarted') calls.push(callId);
    return [{ kind, ...rest, ...(callId === undefined ? {} : { call: calls.indexOf(callId) }) }];
  });
}
