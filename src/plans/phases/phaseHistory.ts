import { dirname } from 'node:path';
import { SerialQueue } from '../../base/async.ts';
import { ifThere } from '../../base/diskErrors.ts';
import { ensureDirectory } from '../../base/files.ts';
import { openJournal, readJournal } from '../../base/journal.ts';
import type { RavelEvent } from '../../model/event.ts';
import { closePhase, foldPhase, type OpenPhase } from '../../model/history.ts';
import type { QualifiedId } from '../../model/id.ts';
import { countWords } from '../../model/memory.ts';
import { type PhaseRecord, phaseRecordSchema } from '../../model/phaseRecord.ts';
import { planFiles } from '../../model/plan.ts';
import { costOf } from '../../model/spending.ts';
import { parsePlan, readPlanFiles } from '../../vault/planStore.ts';
import type { PlanServices } from '../services.ts';

type HistoryPorts = Pick<PlanServices, 'disk' | 'layout' | 'settings'>;

/** Plans whose history is kept in memory once it was read. */
const cachedMax = 8;

interface Cached {
  readonly stamp: string;
  readonly records: readonly PhaseRecord[];
}

/**
 * The history of each plan: a line for every phase that ended, made of the events that everybody sees, so that looking
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
  note(event: RavelEvent): void {
    const { actor } = event;
    if (actor === 'vault') return;
    const open = this.#open.get(actor);
    if (event.type !== 'phase.ended') {
      const next = foldPhase(open, event);
      if (next !== undefined && next !== open) this.#open.set(actor, next);
      return;
    }
    this.#open.delete(actor);
    const record = closePhase(open, event);
    if (record !== undefined) this.#writing.run(() => this.#write(actor, record)).catch(this.#onError);
  }

  /** Oldest first; what a line of another version says is passed over where it does not fit. */
  async load(plan: QualifiedId): Promise<readonly PhaseRecord[]> {
    // What was told already must be in it.
    await this.#writing.drained();
    const { disk, layout } = this.#ports;
    const path = layout.history(plan);
    const stat = await ifThere(path, () => disk.stat(path));
    if (stat === undefined) return [];
    const stamp = `${stat.size} ${stat.mtimeMs}`;
    const cached = this.#cached.get(plan);
    if (cached?.stamp === stamp) return cached.records;
    const { records: lines } = await readJournal(disk, path);
    const records = lines.flatMap((line) => phaseRecordSchema.safeParse(line).data ?? []);
    this.#cached.delete(plan);
    this.#cached.set(plan, { stamp, records });
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > cachedMax && oldest !== undefined) this.#cached.delete(oldest);
    return records;
  }

  async stop(): Promise<void> {
    await this.#writing.drained();
  }

  async #write(plan: QualifiedId, record: PhaseRecord): Promise<void> {
    const { disk, layout, settings } = this.#ports;
    const { usage, model } = record;
    const cost = usage === undefined ? {} : costOf(usage, model, settings.budget.prices);
    const memoryWords = await this.#countMemory(plan);
    const path = layout.history(plan);
    await ensureDirectory(disk, dirname(path));
    const journal = await openJournal(disk, path);
    try {
      await journal.append({ ...record, ...cost, ...(memoryWords !== undefined && { memoryWords }) });
    } finally {
      await journal.close();
    }
  }

  async #countMemory(plan: QualifiedId): Promise<number | undefined> {
    const { disk, layout } = this.#ports;
    const place = { id: plan, directory: layout.plan(plan) };
    const files = await readPlanFiles(disk, place, [planFiles.memory]);
    const { memory } = parsePlan(files, place, [planFiles.memory]);
    return memory === undefined ? undefined : countWords(memory);
  }
}
