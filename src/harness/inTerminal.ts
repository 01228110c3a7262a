import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { failure } from '../model/codes.ts';
import type { TerminalJob } from '../model/terminal.ts';
import type { HarnessAdapter, HarnessCommand, SessionSpec } from './adapter.ts';

/** An adapter as it is for sessions with a person at their terminal. Throws `terminal/notInteractive` if it has none. */
export function interactiveAdapter(adapter: HarnessAdapter): HarnessAdapter {
  if (adapter.interactive !== undefined) return { ...adapter, ...adapter.interactive };
  throw failure('terminal/notInteractive', adapter.name, `Sessions of ${adapter.name} have no terminal.`);
}

/**
 * What the session host starts. With a terminal it is the program that holds it, in the place of the agent program and
 * with its environment: so spool, limits, signals, exit code and adoption are those of any other session.
 */
export function launchCommand(spec: SessionSpec, command: HarnessCommand): HarnessCommand {
  const { actor, terminal } = spec;
  if (terminal === undefined) return command;
  assert(actor !== 'vault', 'a session with a terminal is of a plan');
  const { title, size, socketPath, recordFile, entry } = terminal;
  const jobFile = join(spec.sessionDirectory, 'terminal.json');
  const added = entry.environment ?? {};
  const job: TerminalJob = {
    ...{ terminal: spec.session, kind: 'work', plan: actor, title, socketPath, cwd: spec.cwd },
    ...{ program: command.program, args: [...command.args], size, recordFile, vault: spec.vault },
    hidden: Object.keys(added).filter((name) => !Object.hasOwn(command.environment, name)),
    orphanMs: spec.limits.orphanMs,
  };
  return {
    ...command,
    program: entry.program,
    args: [...entry.args, 'terminal', jobFile],
    environment: { ...command.environment, ...added },
    files: { ...command.files, [jobFile]: `${JSON.stringify(job, undefined, 2)}\n` },
  };
}
