import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { claudeCodeProgram, signIn } from '../support/claudeCode.ts';
import { startClaudeWorld } from '../support/claudeWorld.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { finishDone, formatScenario, nextEvent, type Steps } from '../support/phaseWorld.ts';
import { bundleProgram } from '../support/program.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { startCore } from '../support/world.ts';

const secret = 'word-that-nobody-may-read';

/** What is wrong with the asking: a program that changes the files of the session before the real one starts. */
type Fault = (files: SessionFiles) => void;

interface SessionFiles {
  settings: { hooks?: Record<string, readonly { readonly hooks: readonly object[] }[]>; permissions?: object };
  tools: { mcpServers: { ravel: { command: string; args: string[] } } };
  readonly toolServer: string;
}

/** A world with a Claude Code whose asking has this fault. */
async function prepare(fault: Fault, steps: Steps, variables = '') {
  const directory = await makeTemporaryDirectory();
  const [launcher, breaker] = [join(directory, 'claude'), join(directory, 'break.mjs')];
  const toolServer = await bundleProgram(fileURLToPath(new URL('../fixtures/harness/toolServer.ts', import.meta.url)));
  await writeFile(breaker, breakerOf(fault, toolServer));
  await writeFile(
    launcher,
    `#!/bin/sh\n'${process.execPath}' '${breaker}' "$@" && ${variables} exec '${claudeCodeProgram()}' "$@"\n`,
  );
  await chmod(launcher, 0o755);
  const world = await makeCycleWorld({
    settings: `[limits]\nexit-grace-seconds = 1\n[harnesses.claude-code]\nprogram = ${JSON.stringify(launcher)}\n`,
  });
  await world.write('notes.txt', `${secret}\n`);
  const { model, environment } = await startClaudeWorld(world, formatScenario({ work: steps }));
  await signIn(world, environment);
  return { world, model, ...(await startCore({ ...world, environment })) };
}

function breakerOf(fault: Fault, toolServer: string): string {
  return `
import { readFileSync, writeFileSync } from 'node:fs';
const after = (option) => process.argv[process.argv.indexOf(option) + 1];
if (process.argv.includes('--settings')) {
  const paths = [after('--settings'), after('--mcp-config')];
  const [settings, tools] = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const files = { settings, tools, toolServer: ${JSON.stringify(toolServer)} };
  (${fault.toString()})(files);
  writeFileSync(paths[0], JSON.stringify(files.settings));
  writeFileSync(paths[1], JSON.stringify(files.tools));
}
`;
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function runInTerminal({ core, world }: Prepared) {
  const ended = nextEvent(core, 'phase.ended');
  const size = { columns: 110, rows: 35 };
  await core.api.request('open_terminal', { kind: 'work', plan: world.plan, harness: 'claude-code', size });
  return ended;
}

function runWithout({ core, world }: Prepared) {
  return core.api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
}

async function judgedIn({ world }: Prepared, session = ''): Promise<readonly string[]> {
  const text = await readFile(join(world.vault, 'runtime/sessions', session, 'verdicts.jsonl'), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).tool);
}

describe('the real Claude Code uses no tool that it could not ask about', () => {
  test('in a terminal, if the hook cannot be started, hangs, or fails', { timeout: 120_000 }, async () => {
    const prepared = await prepare(
      ({ settings }) => {
        const [{ hooks: [hook] = [] } = {}] = settings.hooks?.['PreToolUse'] ?? [];
        const only = (matcher: string, changes: object) => ({ matcher, hooks: [{ ...hook, ...changes }] });
        settings.hooks = {
          ...settings.hooks,
          PreToolUse: [
            only('Read', { command: '/nowhere/ravel hook' }),
            only('Glob', { command: 'sleep 1000', timeout: 1 }),
            only('Grep', { command: 'exit 1' }),
            only('Bash|mcp__.*', {}),
          ],
        };
      },
      [
        { read: { path: 'notes.txt' } },
        { call: 'Glob', with: { pattern: 'not*' } },
        { call: 'Grep', with: { pattern: 'that', output_mode: 'content' } },
        { run: { command: 'ls README.md' } },
        { call: 'backlog_set_status', with: { id: 'add-a-farewell', status: 'done' } },
        finishDone,
      ],
    );
    const { model } = prepared;
    const { session, end } = await runInTerminal(prepared);
    const heard = JSON.stringify(model.requests.at(-1)?.messages);
    expect(end).toBe('finished');
    expect(heard).not.toContain(secret);
    expect(heard.match(/onFailure/g)).toHaveLength(3);
    expect(await judgedIn(prepared, session)).toEqual(['Bash']);
  });

  test('without one, if the permission tool hangs', { timeout: 120_000 }, async () => {
    const prepared = await prepare(
      ({ tools, toolServer }) => {
        tools.mcpServers.ravel.args = [toolServer];
      },
      [{ run: { command: 'cat notes.txt # unanswered' } }, { say: 'Done.' }],
      'MCP_TOOL_TIMEOUT=1000',
    );
    const { model } = prepared;
    const { end, summary } = await runWithout(prepared);
    // Nobody can tell from what the program says then that the call did not run.
    expect({ end, summary }).toMatchObject({
      end: 'failed',
      summary: expect.stringContaining('the tool Bash ran, and'),
    });
    const heard = JSON.stringify(model.requests.at(-1)?.messages);
    expect(heard).toContain('timed out after 1s');
    expect(heard).not.toContain(secret);
  });
});

describe('a session of the real Claude Code that does not ask ends at its first call', () => {
  const steps: Steps = [
    { read: { path: 'notes.txt' } },
    { run: { command: 'sleep 1000' } },
    { edit: { path: 'later.txt', content: 'later' } },
    finishDone,
  ];

  const ignoresAll: Fault = (files) => {
    files.settings = {};
  };
  const ignoresFailure: Fault = ({ settings }) => {
    const { PreToolUse = [], SessionStart = [] } = settings.hooks ?? {};
    const [{ hooks: [hook] = [] } = {}] = PreToolUse;
    const missing = { ...hook, command: '/nowhere/ravel hook', onFailure: 'continue' };
    const rest = [{ matcher: 'Bash|Write|mcp__.*', hooks: [hook ?? {}] }];
    settings.hooks = { SessionStart, PreToolUse: [{ matcher: 'Read', hooks: [missing] }, ...rest] };
  };

  test.each([
    ['in a terminal, if it ignores all hooks', ignoresAll, runInTerminal],
    ['in a terminal, where it ignores what is to happen if a hook fails', ignoresFailure, runInTerminal],
    ['without one, where it ignores its settings', ignoresAll, runWithout],
  ])('%s', { timeout: 120_000 }, async (_name, fault, run) => {
    const prepared = await prepare(fault, steps);
    const { end, summary } = await run(prepared);
    expect({ end, summary }).toMatchObject({
      end: 'failed',
      summary: expect.stringContaining('the tool Read ran, and'),
    });
    expect(existsSync(join(prepared.world.project, 'later.txt'))).toBe(false);
  });
});
