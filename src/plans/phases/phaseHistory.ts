import { dirname } from 'node:path';
import { defined } from '../../base/defined.ts';
import { ifThere } from '../../base/diskErrors.ts';
import { ensureDirectory } from '../../base/files.ts';
import { createDividedJournal, partsFolder, readDividedJournal } from '../../base/journalParts.ts';
import { isRecord } from '../../base/json.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import type { RavelEvent } from '../../model/event.ts';
import {
  type Cycle,
  closePhase,
  cycleAfter,
  cyclesOf,
  foldPhase,
  type HistoryRecord,
  isRollback,
  type OpenPhase,
  rollbackRecord,
} from '../../model/history.ts';
import type { QualifiedId } from '../../model/id.ts';
import { countWords, type MemoryEntry } from '../../model/memory.ts';
import { isReasoningPhase } from '../../model/phase.ts';
import {
  type PhaseRecord,
  phaseRecordSchema,
  type RollbackRecord,
  rollbackRecordSchema,
} from '../../model/phaseRecord.ts';
import { planFiles } from '../../model/plan.ts';
import { costOf } from '../../model/spending.ts';
import { parsePlan, readPlanFiles } from '../../vault/planStore.ts';
import type { PlanServices } from '../services.ts';
import { measureMemoryUse } from '../sessions/memoryUse.ts';

type HistoryPorts = Pick<PlanServices, 'disk' | 'layout' | 'settings'>;

/** Plans whose history is kept in memory once it was read. */
const cachedMax = 8;

interface Cached {
  readonly stamp: string;
  readonly records: readonly HistoryRecord[];
}

/**
 * The history of each plan: a line for every phase that ended, made of the events that every listener sees, so that looking
 * back never reads a transcript. Written after the phase is over and told; what a crash takes away in between is a line
 * to read, and nothing else rests on it.
 */
export class PhaseHistory {
  readonly #ports: HistoryPorts;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Map<string, OpenPhase>();
  readonly #writing = new SerialQueue();
  readonly #cached = new Map<QualifiedId, Cached>();

  constructor(ports: HistoryPorts, onError: (error: unknown) => void) {
    this.#ports = ports;
    this.#onError = onError;
  }

  /** Takes note of an event; only the owner of the vault does. */
  record(event: RavelEvent): void {
    const { actor } = event;
    if (actor === 'vault') return;
    const open = this.#open.get(actor);
    if (event.type === 'plan.changed' && event.rollback !== undefined) {
      this.#writing.run(() => this.#writeRollback(actor, event)).catch(this.#onError);
      return;
    }
    if (event.type !== 'phase.ended') {
      const next = foldPhase(open, event);
      if (next !== undefined && next !== open) this.#open.set(actor, next);
      return;
    }
    this.#open.delete(actor);
    const record = closePhase(open, event);
    if (record !== undefined) this.#writing.run(() => this.#write(actor, record)).catch(this.#onError);
  }

  /** The phases that ended, oldest first; what a line of another version says is passed over if it does not fit. */
  async load(plan: QualifiedId): Promise<readonly PhaseRecord[]> {
    return (await this.#lines(plan)).filter((record): record is PhaseRecord => !isRollback(record));
  }

  /** How often the plan was put back, oldest first. */
  async rollbacks(plan: QualifiedId): Promise<readonly RollbackRecord[]> {
    return (await this.#lines(plan)).filter(isRollback);
  }

  async #lines(plan: QualifiedId): Promise<readonly HistoryRecord[]> {
    // It must contain everything that was already emitted.
    await this.#writing.drained();
    const { disk, layout } = this.#ports;
    const path = layout.history(plan);
    const [stat, parts] = [await ifThere(path, () => disk.stat(path)), await this.#partsStamp(path)];
    if (stat === undefined && parts === undefined) return [];
    const stamp = `${stat?.size} ${stat?.mtimeMs} ${parts}`;
    const cached = this.#cached.get(plan);
    if (cached?.stamp === stamp) return cached.records;
    const lines = await readDividedJournal(disk, path);
    const records = toRecords(lines);
    this.#cached.delete(plan);
    this.#cached.set(plan, { stamp, records });
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > cachedMax && oldest !== undefined) this.#cached.delete(oldest);
    return records;
  }

  /**
   * The newest `limit` of the cycles before one, oldest first, and how many there are. However long the history is, no more
   * is read than its newest part and those that have these cycles, once the lines say in which cycle they were.
   */
  async page(
    plan: QualifiedId,
    { limit, before }: { readonly limit: number; readonly before: number },
  ): Promise<{ readonly cycles: readonly Cycle[]; readonly total: number }> {
    await this.#writing.drained();
    const newest = await this.#newest(plan);
    const total = newest.at(-1)?.cycle ?? 0;
    const end = Math.min(before, total + 1);
    const begin = Math.max(1, end - limit);
    const isWanted = ({ cycle }: Cycle) => cycle >= begin && cycle < end;
    // The first cycle here can have begun in the part before.
    if ((newest[0]?.cycle ?? 0) < begin) return { cycles: newest.filter(isWanted), total };
    const lines = await readDividedJournal(
      this.#ports.disk,
      this.#ports.layout.history(plan),
      ([first]) => (cycleOf(first) ?? begin) < begin,
      (first) => (cycleOf(first) ?? 0) >= end,
    );
    return { cycles: cyclesOf(toRecords(lines)).filter(isWanted), total };
  }

  /** Phases that ended and rollbacks since a time, oldest first; parts of the history that are older are not read. */
  async since(plan: QualifiedId, sinceMs: number): Promise<readonly HistoryRecord[]> {
    await this.written();
    const isOlder = ([first]: readonly unknown[]) => endedMs(first) < sinceMs;
    const { disk, layout } = this.#ports;
    const records = toRecords(await readDividedJournal(disk, layout.history(plan), isOlder));
    return records.filter((record) => endedMs(record) >= sinceMs);
  }

  /** Resolves once all that was emitted is in the files. */
  written(): Promise<void> {
    return this.#writing.drained();
  }

  /** The cycles of the newest part; all of them if it does not say which they are. */
  async #newest(plan: QualifiedId): Promise<readonly Cycle[]> {
    const { disk, layout } = this.#ports;
    const isNumbered = ([first]: readonly unknown[]) => cycleOf(first) !== undefined;
    return cyclesOf(toRecords(await readDividedJournal(disk, layout.history(plan), isNumbered)));
  }

  /** When the last part came; undefined if there are none. */
  async #partsStamp(path: string): Promise<number | undefined> {
    const folder = partsFolder(path);
    return (await ifThere(folder, () => this.#ports.disk.stat(folder)))?.mtimeMs;
  }

  async stop(): Promise<void> {
    await this.#writing.drained();
  }

  async #write(plan: QualifiedId, record: PhaseRecord): Promise<void> {
    const { disk, layout, settings } = this.#ports;
    const { usage, model } = record;
    const cost = usage === undefined ? {} : costOf(usage, model, settings.budget.prices);
    const entries = await this.#memoryOf(plan);
    const memoryWords = entries && countWords({ entries: [...entries] });
    const memory = await this.#useOf(record, entries ?? []);
    await ensureDirectory(disk, dirname(layout.history(plan)));
    const cycle = cycleAfter((await this.#newest(plan)).at(-1));
    await this.#append(plan, {
      ...record,
      cycle,
      ...cost,
      ...defined({ memoryWords }),
      ...(memory && { memory }),
    });
  }

  async #writeRollback(plan: QualifiedId, event: Extract<RavelEvent, { readonly type: 'plan.changed' }>) {
    const { disk, layout } = this.#ports;
    await ensureDirectory(disk, dirname(layout.history(plan)));
    const record = rollbackRecord(event, (await this.#newest(plan)).at(-1));
    if (record !== undefined) await this.#append(plan, record);
  }

  async #append(plan: QualifiedId, record: HistoryRecord): Promise<void> {
    const { disk, layout } = this.#ports;
    const journal = createDividedJournal(disk, layout.history(plan));
    try {
      await journal.append(record);
    } finally {
      await journal.close();
    }
  }

  async #memoryOf(plan: QualifiedId): Promise<readonly MemoryEntry[] | undefined> {
    const { disk, layout } = this.#ports;
    const place = { id: plan, directory: layout.plan(plan) };
    const files = await readPlanFiles(disk, place, [planFiles.memory]);
    const { memory } = parsePlan(files, place, [planFiles.memory]);
    return memory === undefined ? undefined : (memory.entries ?? []);
  }

  /** A code phase has the id of a session whose line has it already. */
  async #useOf({ phase, session }: PhaseRecord, entries: readonly MemoryEntry[]): Promise<PhaseRecord['memory']> {
    const { disk, layout } = this.#ports;
    return isReasoningPhase(phase) ? measureMemoryUse(disk, layout.session(session), entries) : undefined;
  }
}

/** What a line of another version says is passed over if it does not fit. */
function toRecords(lines: readonly unknown[]): HistoryRecord[] {
  return lines.flatMap((line) => {
    const schema = isRecord(line) && 'rollback' in line ? rollbackRecordSchema : phaseRecordSchema;
    return schema.safeParse(line).data ?? [];
  });
}

function cycleOf(line: unknown): number | undefined {
  return isRecord(line) && typeof line['cycle'] === 'number' ? line['cycle'] : undefined;
}

/** NaN, which is neither before nor after any time, if the line does not say. */
function endedMs(line: unknown): number {
  return isRecord(line) && typeof line['endedAt'] === 'string' ? Date.parse(line['endedAt']) : Number.NaN;
}
