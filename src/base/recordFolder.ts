import { join } from 'node:path';
import type * as z from 'zod';
import type { Disk } from './disk.ts';
import { listIfThere } from './diskErrors.ts';
import { type Diagnostic, isRavelError, messageOf, type RavelError } from './errors.ts';
import { createExclusive } from './exclusiveFile.ts';
import { ensureDirectory, exists, readTextIfExists, removeFile, writeAtomic } from './files.ts';
import { checkRecord, type Parsed, parseJsonText } from './jsonFile.ts';

/** How records are written in their files. */
export interface RecordText {
  /** Of the names of the files, such as `.json`. */
  readonly ending: string;
  readonly format: (value: unknown) => string;
  readonly parse: (text: string, file: string) => Parsed<unknown>;
}

export const jsonText: RecordText = { ending: '.json', format: (value) => JSON.stringify(value), parse: parseJsonText };
export const jsonLine: RecordText = { ...jsonText, format: (value) => `${JSON.stringify(value)}\n` };

/** A file that does not hold a record, or that the system refuses to read. */
export interface UnreadableFile<Id> {
  readonly id: Id;
  readonly file: string;
  /** A clause that names the field. */
  readonly problem: string;
  readonly cause?: unknown;
}

export interface RecordFolderOptions<Id extends string, Value> {
  readonly disk: Disk;
  readonly folder: string;
  readonly text: RecordText;
  /** Reads what `toFile` made. */
  readonly schema: z.ZodType<Value>;
  /** What the file of a record holds; without it, the record itself. */
  readonly toFile?: (value: Value) => unknown;
  readonly isId: (name: string) => name is Id;
  /** The id that a record holds itself: its file has the same one. */
  readonly idOf?: (value: Value) => Id;
  readonly unreadable: (file: UnreadableFile<Id>) => RavelError;
  /** Only for the person whose vault it is. */
  readonly isPrivate?: boolean;
  /** A file that the system refuses to read counts as unreadable too. Otherwise that refusal is thrown. */
  readonly coversRefusals?: boolean;
  /** Where else a record may lie; without it, in the folder alone. */
  readonly find?: (id: Id) => Promise<{ readonly file: string; readonly text: string } | undefined>;
}

/** Of a file; Ravel writes no larger one, and to read it would hold up the others. */
const bytesMax = 64 * 1024 * 1024;

/**
 * A folder with a file for each record. Saving and removing are durable once they resolve. A file that does not hold a
 * record is reported, stays as it is, and hides no other; one whose name is not an id is passed over. If a symlink
 * stands in a file's place, it is read, but not replaced, and it is removed itself.
 */
export class RecordFolder<Id extends string, Value> {
  readonly #options: RecordFolderOptions<Id, Value>;

  constructor(options: RecordFolderOptions<Id, Value>) {
    this.#options = options;
  }

  /** Which there are, sorted: ULIDs by their time, as far as they tell. */
  async list(): Promise<readonly Id[]> {
    const { disk, folder } = this.#options;
    const names = (await listIfThere(disk, folder)).map(({ name }) => this.idOf(name));
    return names.filter((id) => id !== undefined).sort();
  }

  /** Whose record a file of this name is. */
  idOf(name: string): Id | undefined {
    const { text, isId } = this.#options;
    const id = name.slice(0, name.length - text.ending.length);
    return name.endsWith(text.ending) && isId(id) ? id : undefined;
  }

  fileOf(id: Id): string {
    return join(this.#options.folder, `${id}${this.#options.text.ending}`);
  }

  /** Whether there is a file, readable or not. */
  has(id: Id): Promise<boolean> {
    return exists(this.#options.disk, this.fileOf(id));
  }

  /** Undefined if there is none. Throws the error for an unreadable file, or what the system refuses. */
  async load(id: Id): Promise<Value | undefined> {
    const { text, schema, idOf, unreadable } = this.#options;
    const found = await this.#find(id);
    if (found === undefined) return undefined;
    const { file } = found;
    const parsed = text.parse(found.text, file);
    const checked = 'problem' in parsed ? parsed : checkRecord(parsed.value, schema);
    if ('problem' in checked) throw unreadable({ id, file, problem: checked.problem });
    const own = idOf?.(checked.value) ?? id;
    if (own !== id) throw unreadable({ id, file, problem: `it is the file of ${own}` });
    return checked.value;
  }

  /** As `load`; undefined for one that is unreadable too. */
  async loadUndamaged(id: Id): Promise<Value | undefined> {
    try {
      return await this.load(id);
    } catch (error) {
      if (isRavelError(error, this.#options.unreadable({ id, file: '', problem: '' }).code)) return undefined;
      throw error;
    }
  }

  /** All that can be read, sorted by id, and what is wrong with the rest. */
  async loadAll(): Promise<{ readonly records: readonly Value[]; readonly diagnostics: readonly Diagnostic[] }> {
    const records: Value[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const id of await this.list()) {
      try {
        const value = await this.load(id);
        if (value !== undefined) records.push(value);
      } catch (error) {
        if (!isRavelError(error)) throw error;
        diagnostics.push(error.diagnostic);
      }
    }
    return { records, diagnostics };
  }

  async save(id: Id, value: Value): Promise<void> {
    const { disk, isPrivate = false } = this.#options;
    await this.#ensureFolder();
    await writeAtomic(disk, this.fileOf(id), this.#format(value), isPrivate ? { permissions: 0o600 } : {});
  }

  /** Returns false, and writes nothing, if there is one already. */
  async create(id: Id, value: Value): Promise<boolean> {
    await this.#ensureFolder();
    return createExclusive(this.#options.disk, this.fileOf(id), this.#format(value));
  }

  /** Removes the oldest beyond this number, by their ids; those that are unreadable too. Returns how many were removed. */
  async keepNewest(most: number): Promise<number> {
    const ids = await this.list();
    const old = ids.slice(0, Math.max(0, ids.length - most));
    for (const id of old) await this.remove(id);
    return old.length;
  }

  /** Fine if there is none. */
  remove(id: Id): Promise<void> {
    return removeFile(this.#options.disk, this.fileOf(id));
  }

  #format(value: Value): string {
    const { text, toFile = (record: Value) => record } = this.#options;
    return text.format(toFile(value));
  }

  #ensureFolder(): Promise<void> {
    const { disk, folder, isPrivate = false } = this.#options;
    return ensureDirectory(disk, folder, isPrivate ? 0o700 : undefined);
  }

  async #find(id: Id): Promise<{ readonly file: string; readonly text: string } | undefined> {
    const { disk, find, unreadable, coversRefusals = false } = this.#options;
    const file = this.fileOf(id);
    try {
      if (find !== undefined) return await find(id);
      const text = await readTextIfExists(disk, file, { bytesMax });
      return text === undefined ? undefined : { file, text };
    } catch (cause) {
      throw coversRefusals ? unreadable({ id, file, problem: messageOf(cause), cause }) : cause;
    }
  }
}
