import type { ReadingDisk } from '../../base/disk.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import type { SearchableEntry } from './entries.ts';
import { readNamed } from './readSource.ts';
import type { SearchSource } from './searchSource.ts';

/** Bytes of the files whose entries are remembered. */
const bytesMax = 32 * 1024 * 1024;

interface Recent {
  readonly stamps: string;
  readonly bytes: number;
  readonly entries: ReadonlyMap<string, SearchableEntry>;
}

/** Entries of the files that answers came from, so that the next keystroke need not parse them again. */
export class RecentEntries {
  readonly #disk: ReadingDisk;
  readonly #layout: VaultLayout;
  readonly #recent = new Map<string, Recent>();
  #bytes = 0;

  constructor(disk: ReadingDisk, layout: VaultLayout) {
    this.#disk = disk;
    this.#layout = layout;
  }

  /** As the file is now, by their ids; none if it is gone or cannot be read. */
  async of(source: SearchSource): Promise<ReadonlyMap<string, SearchableEntry>> {
    const found = Array.from(await this.#disk.stampEach([source.file]));
    const stamps = found.join();
    const known = this.#recent.get(source.key);
    if (known?.stamps === stamps) return this.#remember(source.key, known);
    const entries = new Map(
      (await readNamed(this.#disk, this.#layout, source))?.entries.map((entry) => [entry.id, entry]),
    );
    return this.#remember(source.key, { stamps, bytes: found[1] ?? 0, entries });
  }

  #remember(key: string, recent: Recent): ReadonlyMap<string, SearchableEntry> {
    // Another search can have read the same file meanwhile.
    this.#forget(key);
    this.#recent.set(key, recent);
    this.#bytes += recent.bytes;
    for (const oldest of this.#recent.keys()) {
      if (this.#bytes <= bytesMax) break;
      this.#forget(oldest);
    }
    return recent.entries;
  }

  #forget(key: string): void {
    this.#bytes -= this.#recent.get(key)?.bytes ?? 0;
    this.#recent.delete(key);
  }
}
