import { join } from 'node:path';
import * as z from 'zod';
import type { Disk } from '../../base/disk.ts';
import { isRavelError } from '../../base/errors.ts';
import { createJournal, type Journal, readJournal } from '../../base/journal.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import type { GivenMemory } from '../../model/givenMemory.ts';
import type { MemoryEntry } from '../../model/memory.ts';
import { planFiles } from '../../model/plan.ts';
import { toolFromVerb, type VerbName } from '../../model/verbs.ts';
import { readMemoryFile } from '../../vault/memoryFile.ts';
import { formatYaml } from '../../yaml/yaml.ts';
import { readCalls } from '../proposals/callJournal.ts';
import { loadBase, type StagingPaths, type Transaction } from '../transaction.ts';
import type { VerbEffect } from '../verbs/verbContext.ts';
import { loadLater } from './laterMemory.ts';
import { notesTold } from './sessionNotes.ts';

const lineSchema = z.looseObject({
  text: z.string(),
  /** Entries of the plan's memory that the text has whole, by their ids; or that it has all of them. */
  memory: z.union([z.array(z.string()), z.literal('all')]).exactOptional(),
  /** Entries of the knowledge that it is from, as paths from the vault on. */
  entries: z.array(z.string()).exactOptional(),
});

/** Something that a session was shown of what others know. */
export type ShownText = z.output<typeof lineSchema>;

/** What a session was shown: what it then says in the same words is not new. */
export interface Shown {
  readonly texts: readonly string[];
  /** Entries of the knowledge, as paths from the vault on. */
  readonly entries: readonly string[];
}

export function shownPath(sessionDirectory: string): string {
  return join(sessionDirectory, 'shown.jsonl');
}

/**
 * What a session was shown besides its task, in `shown.jsonl` of its folder: what its prompt has of the memory, the messages
 * that it received, and what it looked up. It is there before the session is answered, so that the next owner knows it, too.
 * What came by itself with the answers to tool calls, and the answers to its questions, have records of their own.
 */
export class ShownRecord {
  readonly #journal: Journal;
  readonly #queue = new SerialQueue();
  readonly #memory: Set<string>;
  readonly #hasAll: boolean;
  readonly #known: Set<string>;

  private constructor(journal: Journal, lines: readonly ShownText[]) {
    this.#journal = journal;
    this.#hasAll = lines.some(({ memory }) => memory === 'all');
    this.#memory = new Set(lines.flatMap(({ memory }) => (memory === 'all' ? [] : (memory ?? []))));
    this.#known = new Set(lines.map(({ text }) => text));
  }

  static async open(disk: Disk, sessionDirectory: string): Promise<ShownRecord> {
    const path = shownPath(sessionDirectory);
    return new ShownRecord(createJournal(disk, path), await intactLines(disk, path));
  }

  /** Durable once it resolves; a text that is there already is not added again. */
  note(shown: ShownText): Promise<void> {
    return this.#queue.run(async () => {
      if (shown.text.trim() === '' || this.#known.has(shown.text)) return;
      await this.#journal.append(shown);
      this.#known.add(shown.text);
    });
  }

  /** Entries of the memory that the session read whole, as they were when it began; what it wrote itself was not shown to it. */
  async noteMemory(entries: readonly Pick<MemoryEntry, 'id' | 'title' | 'body'>[]): Promise<void> {
    const added = this.#hasAll ? [] : entries.filter(({ id }) => !this.#memory.has(id));
    if (added.length === 0) return;
    const text = added.map(({ title, body }) => `${title}\n${body}`).join('\n\n');
    await this.note({ text, memory: added.map(({ id }) => id) });
    for (const { id } of added) this.#memory.add(id);
  }

  close(): Promise<void> {
    return this.#queue.run(() => this.#journal.close());
  }
}

/** Notes what a verb has read of the memory or of the messages; what it read of other files is the session's own matter. */
export async function noteReading(
  shown: ShownRecord,
  { services: { disk }, transaction: { phase, plan }, paths }: Reading,
  verb: VerbName,
  { result, readWhole = [] }: Pick<VerbEffect, 'result' | 'readWhole'>,
): Promise<void> {
  if (verb.startsWith('received/')) return shown.note({ text: formatYaml(result) });
  if (readWhole.length === 0) return;
  const place = { file: planFiles.memory, subject: plan };
  const text = (await loadBase(disk, paths, phase)).get(planFiles.memory) ?? '';
  const entries = readMemoryFile(text, place).value?.entries ?? [];
  await shown.noteMemory(entries.filter(({ id }) => readWhole.includes(id)));
}

interface Reading {
  readonly services: { readonly disk: Disk };
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
}

/** What a prompt shows of the memory. */
export function shownMemory(text: string, { given, entries }: GivenMemory): ShownText {
  const whole = entries.filter(({ place }) => place === 'full').map(({ id }) => id);
  return { text, memory: given === 'all' ? 'all' : whole };
}

/**
 * All that a session was shown, from the records of its folder; nothing of one that has no folder any more. Throws
 * `journal/corrupt` if one of them is damaged.
 */
export async function loadShown(disk: Disk, sessionDirectory: string): Promise<Shown> {
  const { records } = await readJournal(disk, shownPath(sessionDirectory), lineSchema);
  const { later } = await loadLater(disk, sessionDirectory);
  const calls = await readCalls(disk, sessionDirectory);
  const answers = calls.filter(({ tool }) => answering.has(tool));
  const notes = await notesTold(disk, sessionDirectory, calls);
  return {
    texts: [
      ...[...records, ...later].map(({ text }) => text),
      ...answers.map(({ result }) => result.text),
      ...notes.map(({ text }) => text),
    ],
    entries: records.flatMap(({ entries }) => entries ?? []),
  };
}

/** Tools whose answers are what others said, by the names under which calls are recorded. */
const answering: ReadonlySet<string> = new Set(
  (['message/ask', 'message/reply'] as const).flatMap((verb) => [verb, toolFromVerb(verb)]),
);

/** A damaged record ends no session; what asks for all of it is told of the damage. */
async function intactLines(disk: Disk, path: string): Promise<readonly ShownText[]> {
  try {
    return (await readJournal(disk, path, lineSchema)).records;
  } catch (error) {
    if (isRavelError(error)) return [];
    throw error;
  }
}
