import type { BenchRow } from './bench.ts';

export interface BenchResult {
  readonly id: string;
  readonly file: string;
  readonly row?: BenchRow | undefined;
  readonly problem?: string | undefined;
  readonly ms: number;
}

export function problemOf(id: string, row: unknown): string | undefined;

export function tableOf(results: readonly BenchResult[], options: { readonly isSmall: boolean }): string[];

export function reportOf(results: readonly BenchResult[]): object;
