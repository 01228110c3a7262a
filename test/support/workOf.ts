/**
 * Milliseconds that a call worked, or a little more: those of the clock, to which other programs add, or those of the
 * process, to which its other threads add, whichever are fewer. A limit on them holds on a busy machine too.
 */
export function workOf(call: () => unknown): number {
  const worked = startWork();
  call();
  return worked();
}

/** The same of a call that is awaited; what else the process does meanwhile counts. */
export async function workUntil(call: () => Promise<unknown>): Promise<number> {
  const worked = startWork();
  await call();
  return worked();
}

function startWork(): () => number {
  const [startMs, start] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(start);
    return Math.min(performance.now() - startMs, (user + system) / 1000);
  };
}
