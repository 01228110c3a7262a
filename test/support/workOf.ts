/**
 * Milliseconds that a call worked, or a little more: those of the clock, to which other programs add, or those of the
 * process, to which its other threads add, whichever are fewer. A limit on them holds on a busy machine too.
 */
export function workOf(call: () => unknown): number {
  const [startMs, start] = [performance.now(), process.cpuUsage()];
  call();
  const { user, system } = process.cpuUsage(start);
  return Math.min(performance.now() - startMs, (user + system) / 1000);
}
