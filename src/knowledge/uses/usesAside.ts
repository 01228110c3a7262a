import type * as z from 'zod';
import type { Disk } from '../../base/disk.ts';
import type { Diagnostic } from '../../base/errors.ts';
import { jsonLine, RecordFolder } from '../../base/recordFolder.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import { ulidSchema } from '../../model/idSchemas.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import { type EntryUse, entryUseSchema } from './entryUse.ts';

/** Uses that are kept; a person who opens more entries than these between two owners loses no text by it. */
const keptMax = 5000;

type AsideUse = EntryUse & { readonly use: Ulid };
const asideSchema: z.ZodType<AsideUse> = entryUseSchema.extend({ use: ulidSchema });

/**
 * Uses that were noted by a process that does not own the vault, a file each: the journal has one writer. The next owner
 * takes them in, and a use counts once however often that is tried.
 */
export class UsesAside {
  readonly #folder: RecordFolder<Ulid, AsideUse>;

  constructor(disk: Disk, folder: string) {
    this.#folder = new RecordFolder({
      ...{ disk, folder, text: jsonLine, schema: asideSchema, isId: isUlid, isPrivate: true, coversRefusals: true },
      // Taken in under another id than that of its file, it would never be removed, and one day be counted again.
      idOf: ({ use }) => use,
      unreadable: unreadableRecord('knowledge/unreadableUse', 'a use of an entry'),
    });
  }

  /** The id of the use has to be a ULID. */
  async note(use: EntryUse): Promise<void> {
    const { use: id } = use;
    if (!isUlid(id) || (await this.#folder.list()).length >= keptMax) return;
    await this.#folder.save(id, { ...use, use: id });
  }

  /** Those that can be read, the earliest first. A damaged one stays where it is. */
  async load(): Promise<readonly EntryUse[]> {
    return (await this.#folder.loadAll()).records;
  }

  /** What is wrong with the others. */
  async faults(): Promise<readonly Diagnostic[]> {
    return (await this.#folder.loadAll()).diagnostics;
  }

  /** Removes those that were taken in. */
  async remove(uses: readonly EntryUse[]): Promise<void> {
    for (const { use } of uses) if (isUlid(use)) await this.#folder.remove(use);
  }
}
