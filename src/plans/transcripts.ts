import { dirname } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Disk, DiskFile } from '../base/disk.ts';
import { ensureDirectory, writeFully } from '../base/files.ts';
import { cutTornTail } from '../base/journal.ts';
import { encodeLine } from '../base/ndjson.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Ulid } from '../model/id.ts';
import type { VaultLayout } from '../vault/layout.ts';
import { boundEvent } from './transcriptBounds.ts';
import { type TranscriptPage, TranscriptPages } from './transcriptFile.ts';

/**
 * Appends each session's events to its transcript. Not synced line by line: what a power cut takes away is read again
 * from the spool, whose outputs have the same numbers for every owner.
 */
export class Transcripts {
  readonly #disk: Disk;
  readonly #layout: VaultLayout;
  readonly #onError: (error: unknown) => void;
  readonly #onClosed: (session: Ulid) => Promise<void>;
  readonly #pages: TranscriptPages;
  readonly #files = new Map<Ulid, OpenTranscript>();

  /** `onClosed` follows the end of each transcript. */
  constructor(
    disk: Disk,
    layout: VaultLayout,
    onError: (error: unknown) => void,
    onClosed: (session: Ulid) => Promise<void> = async () => undefined,
  ) {
    this.#disk = disk;
    this.#layout = layout;
    this.#onError = onError;
    this.#onClosed = onClosed;
    this.#pages = new TranscriptPages({ disk, layout });
  }

  append(event: RavelEvent): void {
    if (!('session' in event) || event.session === undefined) return;
    const { session } = event;
    const entry = this.#files.get(session) ?? { queue: new SerialQueue(), bytes: 0 };
    this.#files.set(session, entry);
    entry.queue
      .run(async () => {
        if (entry.file === undefined) Object.assign(entry, await this.#open(session));
        assert(entry.file !== undefined, 'it was just opened');
        try {
          const line = Buffer.from(encodeLine(boundEvent(event, entry.bytes)));
          await writeFully(entry.file, line);
          entry.bytes += line.length;
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
    await this.#onClosed(session).catch(this.#onError);
  }

  /** A part of a transcript, which holds all that was appended before; see `TranscriptPages`. */
  async page(session: Ulid, part: Parameters<TranscriptPages['read']>[1]): Promise<TranscriptPage | undefined> {
    await this.flush(session);
    return this.#pages.read(session, part);
  }

  async flush(session: Ulid): Promise<void> {
    await this.#files.get(session)?.queue.drained();
  }

  async stop(): Promise<void> {
    for (const session of [...this.#files.keys()]) await this.close(session);
  }

  async #open(session: Ulid): Promise<Required<Pick<OpenTranscript, 'file' | 'bytes'>>> {
    const path = this.#layout.transcript(session);
    await ensureDirectory(this.#disk, dirname(path));
    const file = await this.#disk.open(path, 'append', 0o600);
    try {
      const { length } = await cutTornTail(file);
      return { file, bytes: length };
    } catch (error) {
      await file.close();
      throw error;
    }
  }
}

interface OpenTranscript {
  readonly queue: SerialQueue;
  file?: DiskFile;
  /** How long the file is. */
  bytes: number;
}

/** After a failed write the line may be there in part: opening again cuts it. */
async function abandon(entry: Pick<OpenTranscript, 'file'>): Promise<void> {
  const { file } = entry;
  delete entry.file;
  await file?.close();
}
