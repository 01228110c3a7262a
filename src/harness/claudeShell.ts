import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { NdjsonDecoder } from '../base/ndjson.ts';
import { shellQuoted } from '../base/text.ts';
import type { CommandRuns, HarnessCommand, SessionSpec } from './adapter.ts';
import { claudeHookCommand } from './claudeHooks.ts';

/** Set for the session tools alone, by which the prefix knows them. */
export const sessionToolsMark = { RAVEL_SESSION_TOOLS: '1' };

/**
 * Makes Claude Code run each command in the session's sandbox. It starts hooks and MCP servers through the same prefix;
 * those of ours have to reach the owner, so they are known by their whole text and run as they are. A command of the
 * session never is such a text: the program puts its own words before it. Undefined if there is no sandbox.
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
${recordRun(join(sessionDirectory, runsFile))}
exec ${shellQuoted(shell)} "$1"
`;
  // The gates read commands as bash does.
  return {
    programs: { [prefix]: text },
    environment: { CLAUDE_CODE_SHELL_PREFIX: prefix, CLAUDE_CODE_SHELL: '/bin/bash' },
  };
}

/** In a session's folder, which its commands do not see: a line for each of them. */
const runsFile = 'runs';

/** Enough for what the program puts before a command, some 1000 characters, and for the beginning of the command. */
const runBytesMax = 4096;

/**
 * Appends what is about to run, its line ends as blanks, in one write: commands can start at the same time. Without the
 * line nothing runs. It starts no program, since the first on PATH may be the project's.
 */
function recordRun(file: string): string {
  return `record() {
  set -f
  IFS='
'
  set -- $1
  IFS=' '
  printf '%s\\n' "$*" >> ${shellQuoted(file)}
}
( record "$(printf '%.${runBytesMax}s' "$1")" ) || exit 126`;
}

/** Bytes that are read at once. */
const chunkBytes = 64 * 1024;

/** What the prefix recorded of a session. */
export class ClaudeRuns implements CommandRuns {
  readonly tool = 'Bash';
  readonly #disk: Pick<Disk, 'open'>;
  readonly #path: string;
  readonly #decoder = new NdjsonDecoder(2 * runBytesMax);
  #position = 0;

  constructor(disk: Pick<Disk, 'open'>, sessionDirectory: string) {
    this.#disk = disk;
    this.#path = join(sessionDirectory, runsFile);
  }

  async read(): Promise<readonly string[]> {
    const file = await ifThere(this.#path, () => this.#disk.open(this.#path, 'read'));
    if (file === undefined) return [];
    try {
      const texts: string[] = [];
      const buffer = Buffer.alloc(chunkBytes);
      for (;;) {
        const count = await file.read(buffer, this.#position);
        if (count === 0) return texts;
        this.#position += count;
        const items = this.#decoder.push(buffer.subarray(0, count));
        texts.push(...items.flatMap((item) => (item.kind === 'line' ? [item.text] : [])));
      }
    } finally {
      await file.close();
    }
  }
}

/** What Claude Code keeps of a person's shell, which each command reads first. */
export function shellSnapshots(inherited: Readonly<Record<string, string | undefined>>): string[] {
  const home = inherited['HOME'];
  const folder = inherited['CLAUDE_CONFIG_DIR'] ?? (home === undefined ? undefined : join(home, '.claude'));
  return folder === undefined ? [] : [join(folder, 'shell-snapshots')];
}
