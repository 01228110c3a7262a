import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Bench, BenchRow } from './bench.ts';
import { givenForGoal, missingFacts, writeForReaders } from './planQuality.ts';
import { planCases } from './planQualityCases.ts';

const bytesMax = 12_000;

/**
 * Whether a session for a goal is given, or can find with its tools, every fact that a good plan rests on. With
 * RAVEL_PLAN_QUALITY=FOLDER, which is not there yet, it leaves repositories, prompts and lists there for a fresh reader
 * (docs/design/testing.md).
 */
async function planQuality(): Promise<BenchRow> {
  const kept = process.env['RAVEL_PLAN_QUALITY'];
  const root = kept === undefined ? mkdtempSync(join(tmpdir(), 'ravel-bench-')) : resolve(kept);
  if (kept !== undefined) mkdirSync(root);
  try {
    const cases = [];
    // The bundle of a bench lies elsewhere; the runner starts it in the repository.
    const prompts = join(process.cwd(), 'prompts');
    for (const one of planCases) {
      cases.push({ one, given: await givenForGoal(one, { folder: join(root, one.name), prompts }) });
    }
    if (kept !== undefined) writeForReaders(root, cases);
    const missing = cases.flatMap(({ one, given }) => missingFacts(one, given).map((text) => `${one.name}: ${text}`));
    const complete = cases.filter(({ one, given }) => missingFacts(one, given).length === 0).length;
    const ours = Math.max(...cases.map(({ given }) => given.ourBytes));
    const all = Math.max(...cases.map(({ given }) => given.allBytes));
    const facts = planCases.flatMap(({ needs }) => needs.flatMap((need) => need.facts)).length;
    return {
      id: 'plan-quality',
      value: complete,
      unit: `of ${planCases.length} lists`,
      goal: `all, ≤ ${bytesMax} bytes ours`,
      ok: complete === planCases.length && ours <= bytesMax,
      note: `${facts} facts of ${planCases.reduce((sum, { needs }) => sum + needs.length, 0)} needs; at most ${ours} bytes are ours, ${all} with goal and survey${missing.length === 0 ? '' : `; missing: ${missing.join('; ')}`}`,
    };
  } finally {
    if (kept === undefined) rmSync(root, { recursive: true, force: true });
  }
}

export const benches: readonly Bench[] = [{ id: 'plan-quality', run: planQuality }];
