import type { Command } from 'commander';
import { openAsOwner, withApi } from '../../access/openApi.ts';
import { createDeferred } from '../../base/async.ts';
import { delay } from '../../base/clock.ts';
import { failure } from '../../model/codes.ts';
import { protocolVersion } from '../../model/protocolVersion.ts';
import type { CommandContext, Start } from '../context.ts';
import { interruptExitCodes } from '../interrupt.ts';
import type { Interrupt } from '../ports.ts';

const daemonHelp = `
Prints its address once it serves the vault; with --json as one line {"started"}. Log lines go to standard error, one JSON
object each: warnings and errors, or all from the level in RAVEL_LOG, which is debug, info, warn or error. Ctrl-C, SIGTERM
or \`ravel shutdown\` stops it in order; a second signal ends it at once. Running sessions continue either way.

Examples:
  $ ravel daemon
  $ RAVEL_LOG=info ravel daemon --json 2>> daemon.log
`;

const shutdownHelp = `
Stops the process that owns the vault, a daemon or a run, in order, and returns once the vault is free.

Example:
  $ ravel shutdown
`;

/** Commands to own the vault without a run, and to stop its owner. */
export function addDaemonCommands(program: Command, start: Start): void {
  program
    .command('daemon')
    .description('own the vault, and serve it to other windows and commands')
    .addHelpText('after', daemonHelp)
    .action(() => start(daemon));
  program
    .command('shutdown')
    .description('shut down the process that owns this vault')
    .addHelpText('after', shutdownHelp)
    .action(() => start(shutDown));
}

/**
 * Owns the vault and serves it until it is told to stop. An interrupt is the ordinary way to stop it, so the exit code is
 * 0; sessions that run are taken over by the next owner.
 */
async function daemon(context: CommandContext): Promise<number> {
  const { ports, globals } = context;
  const vault = await ports.core.findVault(globals.vault);
  const first = createDeferred<Interrupt>();
  const second = createDeferred<Interrupt>();
  let interrupts = 0;
  const subscription = ports.onInterrupt((interrupt) => (interrupts++ === 0 ? first : second).resolve(interrupt));
  try {
    const { api, socketPath, shutdown, lost, stop } = await openAsOwner(ports, vault);
    const { pid, version } = await api.request('hello', { protocol: protocolVersion });
    const serving = { vault, socketPath, pid, version };
    ports.log.info('serving', serving);
    context.started(serving, [
      `Serving ${vault} at ${socketPath}. Stop with Ctrl-C.`,
      `Process ${pid}, Ravel ${version}.`,
    ]);
    const because = await Promise.race([first.promise, shutdown.then(() => 'shutdown' as const), lost]);
    ports.log.info('stopping', { because });
    context.note(['Stopping; running sessions continue, and the next owner takes them over.']);
    const left = await Promise.race([stop(), second.promise]);
    context.result({ vault, stopped: left === undefined, because }, []);
    return left === undefined ? 0 : interruptExitCodes[left];
  } finally {
    subscription.dispose();
  }
}

/** Milliseconds between two checks whether the owner has stopped. */
const pauseMs = 50;
/** Ten seconds in all: an owner drains for four (`usualDrainMs` in `core.ts`), and then parts with its clients and actors. */
const attemptsMax = 200;

async function shutDown(context: CommandContext): Promise<number> {
  const { ports, globals } = context;
  const { vault, pid } = await withApi(ports, globals.vault, 'client', async ({ api }) => {
    const owner = await api.request('hello', { protocol: protocolVersion });
    await api.request('shutdown', {});
    return owner;
  });
  for (let attempt = 0; (await ports.core.findOwner(vault))?.pid === pid; attempt++) {
    if (attempt === attemptsMax)
      throw failure('vault/owned', vault, `Process ${pid} was told to stop, but is still running.`);
    await delay(ports.clock, pauseMs);
  }
  context.result({ vault, pid, stopped: true }, [`Process ${pid} has stopped; ${vault} is free.`]);
  return 0;
}
