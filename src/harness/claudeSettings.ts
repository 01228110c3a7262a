import { join } from 'node:path';
import { recalledTools, recallTool } from '../model/sessionTools.ts';
import type { SessionSpec } from './adapter.ts';
import { claudeHooks } from './claudeHooks.ts';

/** Parts of a settings file by the names that Claude Code gives them (`hooks`, `permissions`, …). */
export type ClaudeSettings = Readonly<Record<string, unknown>>;

/** The settings of one session, which it is started with; absolute path. */
export function claudeSettingsFile({ sessionDirectory }: Pick<SessionSpec, 'sessionDirectory'>): string {
  return join(sessionDirectory, 'settings.json');
}

/** The text of that file: every part that this session has, as JSON. */
export function formatClaudeSettings(spec: SessionSpec): string {
  const parts: readonly ClaudeSettings[] = [permissionsOf(spec), hooksOf(spec)];
  return `${JSON.stringify(Object.assign({}, ...parts), undefined, 2)}\n`;
}

/**
 * Every tool there is, whether or not a session has it. `*` stands for all of them, also those of later versions and the
 * session tools; the names are for a version that does not know it.
 */
const askedTools = [
  '*',
  ...['Agent', 'AskUserQuestion', 'Bash', 'BashOutput', 'CronCreate', 'CronDelete', 'CronList', 'Edit'],
  ...['EnterPlanMode', 'EnterWorktree', 'ExitPlanMode', 'ExitWorktree', 'Glob', 'Grep', 'KillShell', 'ListAgents'],
  ...['LS', 'Monitor', 'MultiEdit', 'NotebookEdit', 'NotebookRead', 'Read', 'ReportFindings', 'ScheduleWakeup'],
  ...['SendMessage', 'Skill', 'SlashCommand', 'Task', 'TaskStop', 'TodoWrite', 'WebFetch', 'WebSearch', 'Workflow'],
  'Write',
];

/**
 * Without a terminal every call is asked of the permission tool, also those that the program allows by itself. In a
 * terminal the same rules would ask the person about what the hook has allowed: there the hook alone asks the gates.
 */
function permissionsOf({ terminal }: SessionSpec): ClaudeSettings {
  return terminal === undefined ? { permissions: { ask: askedTools } } : {};
}

/** In a terminal, the program tells of each step and asks before it uses a tool. */
function hooksOf({ terminal, recalls }: SessionSpec): ClaudeSettings {
  if (terminal !== undefined) return { hooks: claudeHooks(terminal.entry) };
  return recalls === true ? { hooks: { PostToolUse: [recallHook] } } : {};
}

/** Calls a session tool after each tool that can have memory about it. It starts no process, and holds up no session. */
const recallHook = {
  matcher: recalledTools.join('|'),
  hooks: [
    {
      type: 'mcp_tool',
      server: 'ravel',
      tool: recallTool,
      input: {
        tool_name: ofHook('tool_name'),
        input: ofHook('tool_input'),
        tool_use_id: ofHook('tool_use_id'),
        cwd: ofHook('cwd'),
      },
      timeout: 10,
      onFailure: 'continue',
    },
  ],
};

/** The program puts a part of what it tells its hooks in this place. */
function ofHook(path: string): string {
  return `\${${path}}`;
}
