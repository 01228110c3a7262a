import { join } from 'node:path';
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
  const parts: readonly ClaudeSettings[] = [hooksOf(spec)];
  return `${JSON.stringify(Object.assign({}, ...parts), undefined, 2)}\n`;
}

/** In a terminal, the program tells of each step and asks before it uses a tool. */
function hooksOf({ terminal }: SessionSpec): ClaudeSettings {
  return terminal === undefined ? {} : { hooks: claudeHooks(terminal.entry) };
}
