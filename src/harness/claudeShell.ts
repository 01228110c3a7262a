import { join } from 'node:path';
import { shellQuoted } from '../base/text.ts';
import type { HarnessCommand, SessionSpec } from './adapter.ts';
import { claudeHookCommand } from './claudeHooks.ts';

/** Set for the session tools alone, by which the prefix knows them. */
export const sessionToolsMark = { RAVEL_SESSION_TOOLS: '1' };

/**
 * Makes Claude Code run each command in the session's sandbox. It starts hooks and MCP servers through the same prefix;
 * those of ours have to reach the owner, so they are known by their whole text and run as they are. A command of the
 * session never is such a text: the program puts its own words before it. Undefined where there is no sandbox.
 */
export function shellPrefix(spec: SessionSpec): Required<Pick<HarnessCommand, 'programs' | 'environment'>> | undefined {
  const { shell, sessionDirectory, mcpCommand, terminal } = spec;
  if (shell === undefined) return undefined;
  const prefix = join(sessionDirectory, 'shell-prefix');
  const text = `#!/bin/sh
# Claude Code runs this with each command as its argument. Written by Ravel for one session.
if [ "\${RAVEL_SESSION_TOOLS-}" = ${sessionToolsMark.RAVEL_SESSION_TOOLS} ]; then
  exec ${[mcpCommand.program, ...mcpCommand.args].map(shellQuoted).join(' ')}
fi
${terminal === undefined ? '' : `case $1 in ${shellQuoted(claudeHookCommand(terminal.entry))}) exec /bin/sh -c "$1" ;; esac`}
exec ${shellQuoted(shell)} "$1"
`;
  // The gates read commands as bash does.
  return {
    programs: { [prefix]: text },
    environment: { CLAUDE_CODE_SHELL_PREFIX: prefix, CLAUDE_CODE_SHELL: '/bin/bash' },
  };
}

/** What Claude Code keeps of a person's shell, which each command reads first. */
export function shellSnapshots(inherited: Readonly<Record<string, string | undefined>>): string[] {
  const home = inherited['HOME'];
  const folder = inherited['CLAUDE_CONFIG_DIR'] ?? (home === undefined ? undefined : join(home, '.claude'));
  return folder === undefined ? [] : [join(folder, 'shell-snapshots')];
}
