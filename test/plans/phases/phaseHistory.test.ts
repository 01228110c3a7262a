import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { ensureDirectory } from '../../../src/base/files.ts';
import { createDividedJournal } from '../../../src/base/journalParts.ts';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { Phase } from '../../../src/model/phase.ts';
import type { PhaseRecord } from '../../../src/model/phaseRecord.ts';
import { settingsSchema } from '../../../src/model/settings.ts';
import { PhaseHistory } from '../../../src/plans/phases/phaseHistory.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';
import { MemoryDisk } from '../../support/memoryDisk.ts';
import { traceDisk } from '../../support/tracingDisk.ts';

const layout = new VaultLayout('/vault');
const plan: QualifiedId = toQualifiedId('Demo/project-root');
const phases: readonly Phase[] = ['work', 'triage', 'git-commit-triage'];
/** So long are the parts of these histories: each has about five cycles. */
const partBytes = 2000;

function record(phase: Phase, cycle?: number): PhaseRecord {
  const session = '01M00000000000000000000001' as Ulid;
  const said = { session, end: 'finished' as const, summary: 'It is done.', endedAt: '2026-01-02T03:04:05Z' };
  return { phase, ...said, ...(cycle !== undefined && { cycle }) };
}

/** A disk with the history of this many cycles, of which the first `unnumbered` are of an earlier version. */
async function makeHistory(cycles: number, unnumbered = 0): Promise<Disk> {
  const disk = new MemoryDisk();
  const path = layout.history(plan);
  await ensureDirectory(disk, dirname(path));
  const journal = createDividedJournal(disk, path, partBytes);
  for (let cycle = 1; cycle <= cycles; cycle++) {
    for (const phase of phases) await journal.append(record(phase, cycle > unnumbered ? cycle : undefined));
  }
  await journal.close();
  return disk;
}

function historyOn(disk: Disk): PhaseHistory {
  return new PhaseHistory({ disk, layout, settings: settingsSchema.parse({}) }, (error) => {
    throw error;
  });
}

/** Checks which cycles a page has, each whole, and in how many files it was looked up. */
async function check(
  disk: Disk,
  asked: { readonly limit: number; readonly before?: number },
  expected: { readonly cycles: readonly number[]; readonly total: number; readonly filesMax: number },
) {
  const read: string[] = [];
  const traced = traceDisk(disk, (_n, name, path) => void (name === 'readFile' && read.push(path)));
  const { cycles, total } = await historyOn(traced).page(plan, { before: Number.MAX_SAFE_INTEGER, ...asked });
  expect(cycles.map(({ cycle }) => cycle)).toEqual(expected.cycles);
  for (const one of cycles) expect([one.isComplete, one.phases.map(({ phase }) => phase)]).toEqual([true, phases]);
  expect(total).toBe(expected.total);
  expect(read.length).toBeLessThanOrEqual(expected.filesMax);
}

describe('a page of a long history', () => {
  test('reads no more than the newest parts for the newest cycles', async () =>
    check(await makeHistory(200), { limit: 3 }, { cycles: [198, 199, 200], total: 200, filesMax: 4 }));

  test('reads no more than its own parts and the newest for older cycles', async () =>
    check(await makeHistory(200), { limit: 3, before: 101 }, { cycles: [98, 99, 100], total: 200, filesMax: 5 }));

  test('ends with the first cycle', async () =>
    check(await makeHistory(200), { limit: 5, before: 3 }, { cycles: [1, 2], total: 200, filesMax: 4 }));

  test('has the same numbers if the oldest lines have none', async () => {
    const disk = await makeHistory(60, 50);
    await check(disk, { limit: 3 }, { cycles: [58, 59, 60], total: 60, filesMax: 4 });
    await check(disk, { limit: 3, before: 42 }, { cycles: [39, 40, 41], total: 60, filesMax: 30 });
  });

  test('is empty if nothing ran', async () =>
    check(await makeHistory(0), { limit: 3 }, { cycles: [], total: 0, filesMax: 4 }));
});

describe('a phase that ends', () => {
  const end = async (disk: Disk, phase: Phase) => {
    const history = historyOn(disk);
    const at = '2026-01-02T03:04:05Z';
    const { session, end, summary } = record(phase);
    history.record({ actor: plan, seq: 1, at, type: 'phase.ended', phase, session, end, summary } as never);
    await history.stop();
    return (await history.load(plan)).at(-1)?.cycle;
  };

  test('is noted with its cycle, also behind lines of an earlier version', async () => {
    expect(await end(await makeHistory(0), 'work')).toBe(1);
    expect(await end(await makeHistory(7), 'work')).toBe(8);
    const disk = await makeHistory(30, 30);
    expect([await end(disk, 'work'), await end(disk, 'git-commit-triage'), await end(disk, 'work')]).toEqual([
      31, 31, 32,
    ]);
  });
});
