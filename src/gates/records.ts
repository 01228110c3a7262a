import { isDeepStrictEqual } from 'node:util';
import type { PlanFile } from '../model/plan.ts';
import type { PlanValues, Verdict } from '../model/verdict.ts';

/** A record of a plan's file as it was parsed; whether it fits the schema is the schema gate's question. */
export interface PlanRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The records of one list, without what has no id. */
export function recordsOf(values: PlanValues, file: PlanFile, list: string): readonly PlanRecord[] {
  return listOf(values, file, list).filter(isRecord);
}

export function listOf(values: PlanValues, file: PlanFile, list: string): readonly unknown[] {
  const items = topLevel(values, file)[list];
  return Array.isArray(items) ? items : [];
}

/** The top level of a file; empty if the file is missing or holds no map. */
export function topLevel(values: PlanValues, file: PlanFile): Readonly<Record<string, unknown>> {
  const value = values.get(file)?.value;
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRecord(value: unknown): value is PlanRecord {
  return isObject(value) && typeof value['id'] === 'string';
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Equal as values; a field that is empty equals one that is missing. */
export function isSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a ?? undefined, b ?? undefined);
}

/** Accepts if there are no findings; else refuses with one line for each violation, which the session can fix. */
export function verdictOf(reason: string, findings: readonly string[]): Verdict {
  if (findings.length === 0) return { outcome: 'accept' };
  return { outcome: 'reject', reason, findings, retryable: true };
}
