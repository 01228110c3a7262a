/** An entry of the file that is none: it lacks a field, or has one of another type. */
export interface DamagedEntry {
  /** Its place among the entries of the file, from 1. */
  readonly at: number;
  readonly id?: string;
  /** What is wrong with it, as a clause. */
  readonly problem: string;
}

/** `entry 3 ("doors"): title: …`, for a list. */
export function formatDamaged({ at, id, problem }: DamagedEntry): string {
  return `entry ${at}${id === undefined ? '' : ` ("${id}")`}: ${problem}`;
}
