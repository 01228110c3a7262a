import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { SessionSpec } from '../../src/harness/adapter.ts';
import { createClaudeCodeAdapter } from '../../src/harness/claudeCode.ts';
import { formatClaudeSettings } from '../../src/harness/claudeSettings.ts';
import { type SessionPurpose, sessionPurposes } from '../../src/model/sessionPurpose.ts';
import { type Settings, settingsSchema } from '../../src/model/settings.ts';
import { specOf } from '../support/sessions.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const adapter = createClaudeCodeAdapter(nodeDisk);

function settingsOf(claudeCode: object): Settings {
  return settingsSchema.parse({ harnesses: { 'claude-code': claudeCode } });
}

/** The arguments as a map from each option to its value. */
function options(changes: Partial<SessionSpec>, claudeCode: object = {}): Record<string, string> {
  const spec = { ...specOf('/base', '/mcp.mjs'), ...changes };
  const { args } = adapter.command(spec, '/bin/claude', settingsOf(claudeCode), {});
  const result: Record<string, string> = {};
  let name = '';
  for (const argument of args) {
    if (argument.startsWith('--')) {
      name = argument;
      result[name] = '';
    } else result[name] = argument;
  }
  return result;
}

describe('the command for Claude Code', () => {
  const profiles: Readonly<Record<SessionPurpose, object>> = {
    work: { '--tools': 'Read,Write,Edit,Bash,Glob,Grep' },
    'analyse-work': { '--tools': 'Read,Glob,Grep', '--add-dir': '/base/project' },
    reflect: { '--tools': '' },
    dream: { '--tools': '' },
    triage: { '--tools': '' },
    route: { '--tools': 'Read,Glob,Grep', '--add-dir': '/base/project' },
    check: { '--tools': '' },
    answer: { '--tools': '' },
    facts: { '--tools': '' },
    absorb: { '--tools': '' },
    horizon: { '--tools': '' },
    plan: { '--tools': '' },
  };
  test.each(sessionPurposes)('has the tools and permissions for %s', (purpose) => {
    expect(options({ purpose })).toEqual({
      '--print': '',
      '--output-format': 'stream-json',
      '--verbose': '',
      '--system-prompt-file': '/base/session/system.md',
      '--mcp-config': '/base/session/mcp.json',
      '--strict-mcp-config': '',
      '--setting-sources': '',
      '--settings': '/base/session/settings.json',
      '--no-session-persistence': '',
      '--disable-slash-commands': '',
      '--max-budget-usd': '10',
      '--allowedTools': 'mcp__ravel__*',
      '--permission-mode': 'default',
      '--permission-prompt-tool': 'mcp__ravel__permit',
      ...profiles[purpose],
    });
  });

  test.each([
    ['of the session', { model: 'a' }, { models: { work: 'b', default: 'c' } }, 'a'],
    ['of the phase', {}, { models: { work: 'b', default: 'c' } }, 'b'],
    ['of the settings by default', {}, { models: { triage: 'b', default: 'c' } }, 'c'],
    ['of the program by default', {}, { models: { triage: 'b' } }, undefined],
  ])('takes the model %s', (_name, changes, claudeCode, expected) => {
    expect(options(changes, claudeCode)['--model']).toBe(expected);
  });

  test('lets a project’s own settings in only when the settings say so', () => {
    expect(options({}, { 'setting-sources': 'project' })['--setting-sources']).toBe('project');
  });

  test('starts the session tools and keeps the token out of files and arguments', () => {
    const spec = specOf('/base', '/mcp.mjs');
    const command = adapter.command(spec, '/bin/claude', settingsOf({}), {});
    expect(JSON.parse(command.files['/base/session/mcp.json'] ?? '')).toEqual({
      mcpServers: { ravel: { type: 'stdio', command: process.execPath, args: ['/mcp.mjs'] } },
    });
    expect(command.stdin).toBe('/base/session/prompt.md');
    expect(command.environment).toMatchObject({ ENABLE_TOOL_SEARCH: 'false', MCP_TOOL_TIMEOUT: '60000' });
    expect(JSON.stringify(command)).not.toContain(spec.token);
  });

  test('starts every command of a session in the same folder', () => {
    const { environment } = adapter.command(specOf('/base', '/mcp.mjs'), '/bin/claude', settingsOf({}), {});
    expect(environment).toMatchObject({ CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1' });
  });
});

test('a session asks by rules about every tool, and one in a terminal by its hooks', () => {
  const spec = specOf('/base', '/mcp.mjs');
  const terminal = {
    ...{ title: 'Work', opening: 'Begin.', size: { columns: 80, rows: 24 }, socketPath: '/socket' },
    ...{ recordFile: '/record', entry: { program: '/bin/ravel', args: [] } },
  };
  const headless = JSON.parse(formatClaudeSettings(spec));
  expect(headless.permissions.ask).toEqual(expect.arrayContaining(['*', 'Bash', 'Read', 'Glob', 'Task', 'WebFetch']));
  expect(headless).not.toHaveProperty('hooks');
  const interactive = JSON.parse(formatClaudeSettings({ ...spec, terminal }));
  expect(interactive).toMatchObject({ hooks: { PreToolUse: [{ hooks: [{ onFailure: 'block' }] }] } });
  expect(interactive).not.toHaveProperty('permissions');
});

test('the environment of the session tools is not passed to the program', () => {
  const spec = specOf('/base', '/mcp.mjs');
  const environment = { ELECTRON_RUN_AS_NODE: '1' };
  const command = adapter.command(
    { ...spec, mcpCommand: { ...spec.mcpCommand, environment } },
    '/bin/claude',
    settingsOf({}),
    {},
  );
  expect(JSON.parse(command.files['/base/session/mcp.json'] ?? '').mcpServers.ravel.env).toEqual(environment);
  expect(command.environment).not.toHaveProperty('ELECTRON_RUN_AS_NODE');
});

describe('the Claude Code program', () => {
  async function place(): Promise<string> {
    const root = await makeTemporaryDirectory();
    for (const name of ['first', 'second', 'third/claude']) await mkdir(join(root, name), { recursive: true });
    await writeFile(join(root, 'first/claude'), 'no run bit');
    await writeFile(join(root, 'second/real'), '#!/bin/sh');
    await chmod(join(root, 'second/real'), 0o755);
    await symlink('real', join(root, 'second/claude'));
    return root;
  }

  test('is the first executable one on PATH', async () => {
    const root = await place();
    const path = ['relative', 'absent', 'first', 'third', 'second'].map((name, at) =>
      at === 0 ? name : join(root, name),
    );
    expect(await adapter.locate(settingsOf({}), { PATH: path.join(':') })).toBe(join(root, 'second/claude'));
  });

  test('is the one in the settings', async () => {
    const program = join(await place(), 'second/real');
    expect(await adapter.locate(settingsOf({ program }), {})).toBe(program);
  });

  test.each([
    ['is missing when it is not on PATH', {}, 'harness/missing'],
    ['is refused when it is not executable', { program: '/etc/passwd' }, 'harness/notExecutable'],
    ['is missing when its path is a folder', { program: '/etc' }, 'harness/missing'],
    ['is missing when its path is below a file', { program: '/etc/passwd/claude' }, 'harness/missing'],
  ])('%s', async (_name, claudeCode, code) => {
    const environment = { PATH: '/nowhere' };
    await expect(adapter.locate(settingsOf(claudeCode), environment)).rejects.toMatchObject({ code });
  });

  test.each([
    'npm install -g @anthropic-ai/claude-code',
    'ravel demo',
    'ravel run PLAN --by-hand',
    'ravel run PLAN --harness scripted --scenario FILE',
  ])('leads to `%s` when it is missing', async (command) => {
    const located = adapter.locate(settingsOf({}), { PATH: '/nowhere' });
    await expect(located).rejects.toMatchObject({ diagnostic: { help: expect.stringContaining(`\`${command}\``) } });
  });

  test('is found in the home folder, in the place that an installer uses', async () => {
    const home = await place();
    await mkdir(join(home, '.local/bin'), { recursive: true });
    await symlink(join(home, 'second/real'), join(home, '.local/bin/claude'));
    const found = await adapter.locate(settingsOf({}), { PATH: '/nowhere', HOME: home });
    expect(found).toBe(join(home, '.local/bin/claude'));
  });
});
