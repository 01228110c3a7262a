import { dirname } from 'node:path';
import { SerialQueue } from '../base/async.ts';
import type { Disk, DiskFile } from '../base/disk.ts';
import { ensureDirectory, readTextIfExists, writeFully } from '../base/files.ts';
import { cutTornTail } from '../base/journal.ts';
import { encodeLine } from '../base/ndjson.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Ulid } from '../model/id.ts';
import type { VaultLayout } from '../vault/layout.ts';

/**
 * Appends each session's events to its transcript. Not synced line by line: what a power cut takes away is read again
 * from the spool, whose outputs have the same numbers for every owner.
 */
export class Transcripts {
  readonly #disk: Disk;
  readonly #layout: VaultLayout;
  readonly #onError: (error: unknown) => void;
  readonly #files = new Map<Ulid, { readonly queue: SerialQueue; file?: DiskFile }>();

  constructor(disk: Disk, layout: VaultLayout, onError: (error: unknown) => void) {
    this.#disk = disk;
    this.#layout = layout;
    this.#onError = onError;
  }

  append(event: RavelEvent): void {
    if (!('session' in event) || event.session === undefined) return;
    const { session } = event;
    const entry = this.#files.get(session) ?? { queue: new SerialQueue() };
    this.#files.set(session, entry);
    entry.queue
      .run(async () => {
        entry.file ??= await this.#open(session);
        try {
          await writeFully(entry.file, Buffer.from(encodeLine(event)));
        } catch (error) {
          await abandon(entry);
          throw error;
        }
      })
      .catch(this.#onError);
  }

  /** Resolves when everything appended so far is written, and closes the session's file. */
  async close(session: Ulid): Promise<void> {
    const entry = this.#files.get(session);
    if (entry === undefined) return;
    this.#files.delete(session);
    await entry.queue.drained();
    await entry.file?.close();
  }

  async flush(session: Ulid): Promise<void> {
    await this.#files.get(session)?.queue.drained();
  }

  async stop(): Promise<void> {
    for (const session of [...this.#files.keys()]) await this.close(session);
  }

  async #open(session: Ulid): Promise<DiskFile> {
    const path = this.#layout.transcript(session);
    await ensureDirectory(this.#disk, dirname(path));
    const file = await this.#disk.open(path, 'append', 0o600);
    try {
      await cutTornTail(file);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }
}

/** Events of a session as its transcript holds them; a torn last line is left out. */
export async function loadTranscript(disk: Disk, layout: VaultLayout, session: Ulid): Promise<RavelEvent[]> {
  const text = await readTextIfExists(disk, layout.transcript(session));
  if (text === undefined) return [];
  const events: RavelEvent[] = [];
  for (const line of text.split('\n').slice(0, -1)) events.push(JSON.parse(line));
  return events;
}

/**
 * The events from number `from` on, as many as fit into `bytesMax` and at least one, and the number that comes after
 * them; undefined where there is no transcript.
 */
export async function loadTranscriptPart(
  disk: Disk,
  layout: VaultLayout,
  { session, from, bytesMax }: { readonly session: Ulid; readonly from: number; readonly bytesMax: number },
): Promise<{ readonly events: readonly RavelEvent[]; readonly next: number } | undefined> {
  const text = await readTextIfExists(disk, layout.transcript(session));
  if (text === undefined || !text.includes('\n')) return undefined;
  const events: RavelEvent[] = [];
  let bytes = 0;
  let number = 0;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (number >= from) {
      const line = text.slice(start, end);
      bytes += Buffer.byteLength(line);
      if (events.length > 0 && bytes > bytesMax) break;
      events.push(JSON.parse(line));
    }
    number += 1;
    start = end + 1;
  }
  return { events, next: number };
}

/** After a failed write the line may be there in part: opening again cuts it. */
async function abandon(entry: { file?: DiskFile }): Promise<void> {
  const { file } = entry;
  delete entry.file;
  await file?.close();
}
