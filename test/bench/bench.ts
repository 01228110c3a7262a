/** One row of `bench-results.json`. */
export interface BenchRow {
  readonly id: string;
  readonly value: number;
  readonly unit: string;
  /** The value that we want, in words. */
  readonly goal: string;
  /** `partly` when a peer that the goal names is not on this machine and the rest of the goal is met. */
  readonly ok: boolean | 'partly';
  /**
   * The best that this run could reach: the same task without Ravel's own work. In `unit` unless the note says
   * otherwise.
   */
  readonly limit?: number;
  readonly note: string;
}

/** Runs in a process of its own. Each `*.bench.ts` exports a list of them as `benches`. */
export interface Bench {
  readonly id: string;
  /** Whether it uses the extension and the command line in `dist`; the runner builds them first. */
  readonly usesBuild?: true;
  run(): Promise<BenchRow>;
}

/**
 * Picks between the two forms of a bench. The full form measures; the small form only shows that the bench still runs and
 * gives a finite number, so a few rounds over little input are enough. `run.mjs --small` asks for it.
 */
export function sized<T>(full: T, small: T): T {
  return process.env['RAVEL_BENCH_SIZE'] === 'small' ? small : full;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return (low + high) / 2;
}

/** The value below which `share` of all values lie; `share` is from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Milliseconds that `work` takes. */
export async function measure(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Processor time that this process has used so far, in milliseconds. Other busy programs do not change it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
