import { createDeferred } from '../../base/async.ts';
import { openAsOwner } from '../access.ts';
import type { CommandContext } from '../context.ts';
import type { Interrupt } from '../ports.ts';

/**
 * Owns the vault and serves it until it is told to stop. An interrupt is the ordinary way to stop it, so the exit code is
 * 0; sessions that run are taken over by the next owner.
 */
export async function daemon(context: CommandContext): Promise<number> {
  const { ports, globals } = context;
  const vault = await ports.core.findVault(globals.vault);
  const interrupted = createDeferred<Interrupt>();
  const subscription = ports.onInterrupt((interrupt) => interrupted.resolve(interrupt));
  const { socketPath, shutdown, stop } = await openAsOwner(ports, vault);
  try {
    context.note([`Serving ${vault} at ${socketPath}. Stop with Ctrl-C.`]);
    await Promise.race([interrupted.promise, shutdown]);
  } finally {
    await stop();
    subscription.dispose();
  }
  context.result({ vault, stopped: true }, []);
  return 0;
}
