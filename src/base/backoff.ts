/** Pauses between tries: the first one, and twice the one before it each time, up to the longest. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pause after a try that failed; the first try has the number 0. */
export function backoffMs({ firstMs, longestMs }: Backoff, tryNumber: number): number {
  return Math.min(firstMs * 2 ** tryNumber, longestMs);
}
