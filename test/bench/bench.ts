/** One line of `bench-results.json`. */
export interface BenchRow {
  readonly id: string;
  readonly value: number;
  readonly unit: string;
  /** What `value` is to be, in words. */
  readonly goal: string;
  /** `partly` where what is named in the goal was not all here to be compared, and the rest of it is met. */
  readonly ok: boolean | 'partly';
  /** What the same run reached without the program's own work, in `unit` unless the note says otherwise. */
  readonly limit?: number;
  readonly note: string;
}

/** Runs in a process of its own. Each `*.bench.ts` exports its own as `benches`. */
export interface Bench {
  readonly id: string;
  run(): Promise<BenchRow>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return (low + high) / 2;
}

/** The value that a share of all, 0 to 1, lies below. */
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

/** Milliseconds of the processor that this process took so far: a figure about the work, and not about whoever else is busy. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
