/** The longest time, in milliseconds, for which work let nothing else of this thread have its turn. */
export async function longestGapOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = performance.now();
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return Math.max(longest, performance.now() - before);
}
