import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../../base/disk.ts';
import { isRavelError } from '../../base/errors.ts';
import { readTextIfExists } from '../../base/files.ts';
import { createJournal, type Journal, readJournal } from '../../base/journal.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { trackedPaths } from '../../git/snapshot.ts';
import { readContext } from '../../harness/sessionContext.ts';
import type { CallMemory } from '../../knowledge/memory/memoryForCall.ts';
import type { OpenMemory } from '../../knowledge/memory/memoryService.ts';
import { type ToolUse, touchedBy } from '../../knowledge/memory/touched.ts';
import type { GivenMemory } from '../../model/givenMemory.ts';
import { planFiles } from '../../model/plan.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';
import type { StagingPaths, Transaction } from '../transaction.ts';
import { workingDirectory } from './toolJudgement.ts';

const laterSchema = z.looseObject({
  at: z.string(),
  /** The call with whose answer it came. */
  call: z.string(),
  tool: z.string(),
  entries: z.array(z.looseObject({ id: z.string(), title: z.string(), name: z.string(), whole: z.boolean() })),
  /** Byte for byte as it was told. */
  text: z.string(),
});

/** What came with the answer to one tool call. */
export type LaterGiven = z.output<typeof laterSchema>;

const lineSchema = z.looseObject({
  later: laterSchema.exactOptional(),
  /** Ids of entries that the session read whole by itself. */
  read: z.array(z.string()).exactOptional(),
});

interface Parts {
  readonly services: Pick<PlanServices, 'disk' | 'layout' | 'clock' | 'git' | 'log' | 'memories' | 'emit'>;
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly location: PlanLocation;
}

/**
 * The entries of the memory that come with the answers to tool calls, each once: those that name what a call touched and
 * that the session has not been shown. All of it is in `given.jsonl` of the session's folder before it is answered, so
 * that the next owner of the vault repeats nothing. The memory is the one that the session was begun with.
 */
export class LaterMemory {
  readonly #parts: Parts;
  readonly #memory: GivenMemory | undefined;
  readonly #journal: Journal;
  readonly #queue = new SerialQueue();
  readonly #byCall: Map<string, LaterGiven>;
  readonly #shown: Set<string>;
  #bytes: number;
  #open: OpenMemory | undefined;

  private constructor(parts: Parts, memory: GivenMemory | undefined, journal: Journal, lines: LaterLines) {
    this.#parts = parts;
    this.#memory = memory;
    this.#journal = journal;
    const inFull = (memory?.entries ?? []).filter(({ place, isTwin }) => place === 'full' || isTwin === true);
    this.#byCall = new Map(lines.later.map((one) => [one.call, one]));
    const later = lines.later.flatMap(({ entries }) => entries);
    this.#shown = new Set([...inFull, ...later].map(({ id }) => id).concat(lines.read));
    this.#bytes = lines.later.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  }

  static async open(parts: Parts): Promise<LaterMemory> {
    const { disk, layout } = parts.services;
    const directory = layout.session(parts.transaction.session);
    const lines = await loadIntactLater(disk, directory);
    // What the session was shown is not known then: it is told nothing more, rather than something twice.
    const memory = lines === undefined ? undefined : await memoryGiven(parts, directory);
    const path = laterPath(directory);
    return new LaterMemory(parts, memory, createJournal(disk, path), lines ?? { later: [], read: [] });
  }

  /** What the memory has about a tool call, as it is told; empty if it has nothing new. */
  recall(call: string, use: ToolUse, cwd: string | undefined): Promise<string> {
    return this.#queue.run(async () => {
      const known = this.#byCall.get(call);
      if (known !== undefined) return known.text;
      const { callBytesMax = 0, sessionBytesMax = 0 } = this.#memory?.later ?? {};
      const bytesMax = Math.min(callBytesMax, sessionBytesMax - this.#bytes);
      if (bytesMax <= 0) return '';
      const { projectDirectory } = this.#parts.location;
      const touched = touchedBy(use, projectDirectory, cwd ?? workingDirectory(this.#parts));
      if (touched.paths.length === 0 && touched.code === '') return '';
      const told = await this.#recallFrom({ touched, shown: [...this.#shown], bytesMax });
      if (told === undefined) return '';
      const entries = told.entries.map((entry) => ({ ...entry }));
      const later = { at: timestamp(this.#parts.services), call, tool: use.tool, entries, text: told.text };
      await this.#journal.append({ later });
      this.#byCall.set(call, later);
      for (const { id } of told.entries) this.#shown.add(id);
      const bytes = Buffer.byteLength(told.text);
      this.#bytes += bytes;
      const { plan, session } = this.#parts.transaction;
      const titles = told.entries.map(({ title }) => title);
      const recalled = { session, tool: use.tool, entries: titles, bytes };
      emitFor(this.#parts.services, plan, { type: 'session.recalled', ...recalled });
      return told.text;
    });
  }

  /** Entries that the session has read whole; they do not come a second time. */
  noteRead(ids: readonly string[]): Promise<void> {
    return this.#queue.run(async () => {
      if (ids.length === 0 || this.#memory === undefined) return;
      await this.#journal.append({ read: ids });
      for (const id of ids) this.#shown.add(id);
    });
  }

  close(): Promise<void> {
    return this.#queue.run(async () => {
      this.#open?.close();
      this.#open = undefined;
      await this.#journal.close();
    });
  }

  /** What failed is tried again with the next call. */
  async #recallFrom(order: Parameters<OpenMemory['recall']>[0]): Promise<CallMemory | undefined> {
    this.#open ??= await this.#openMemory();
    try {
      return await this.#open.recall(order);
    } catch (error) {
      this.#open.close();
      this.#open = undefined;
      throw error;
    }
  }

  async #openMemory(): Promise<OpenMemory> {
    const { services, paths, location } = this.#parts;
    const text = await readTextIfExists(services.disk, join(paths.base, planFiles.memory));
    const directory = location.projectDirectory;
    const files = await trackedPaths(services.git, directory);
    return services.memories.open({ text: text ?? '', directory, files: files.join('\0') });
  }
}

/** What the prompt has of the memory; of a session that is not known any more nothing comes later. */
async function memoryGiven({ services, transaction }: Parts, directory: string): Promise<GivenMemory | undefined> {
  const read = await readContext(services.disk, directory);
  if (read === undefined || 'value' in read) return read?.value.memory;
  const { session } = transaction;
  services.log.warn('nothing of the memory comes later, since it is not known what the session was given', {
    ...{ session, error: read.problem },
  });
  return undefined;
}

interface LaterLines {
  readonly later: readonly LaterGiven[];
  readonly read: readonly string[];
}

function laterPath(sessionDirectory: string): string {
  return join(sessionDirectory, 'given.jsonl');
}

/** Undefined if the journal is damaged or cannot be read: no session and no phase ends for that. */
export async function loadIntactLater(disk: Disk, sessionDirectory: string): Promise<LaterLines | undefined> {
  try {
    return await loadLater(disk, sessionDirectory);
  } catch (error) {
    // A person who looks at what the session was given is told of the damage.
    if (isRavelError(error)) return undefined;
    throw error;
  }
}

/** What came to a session after its prompt, and what it read of the memory by itself. */
export async function loadLater(disk: Disk, sessionDirectory: string): Promise<LaterLines> {
  const { records } = await readJournal(disk, laterPath(sessionDirectory), lineSchema);
  return { later: records.flatMap(({ later }) => later ?? []), read: records.flatMap(({ read }) => read ?? []) };
}
