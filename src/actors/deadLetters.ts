import { join } from 'node:path';
import * as z from 'zod';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import type { Diagnostic } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { jsonLine, RecordFolder } from '../base/recordFolder.ts';
import { failure } from '../model/codes.ts';
import { idFromSegment, isUlid, type QualifiedId, segmentFromId, type Ulid } from '../model/id.ts';
import { actorSchema, ulidSchema } from '../model/idSchemas.ts';
import { unreadableRecord } from '../model/unreadableRecord.ts';
import type { Effects } from './record.ts';

/** A message that its actor could not handle, with why. */
export interface DeadLetter {
  /** The message's. */
  readonly id: Ulid;
  readonly actor: QualifiedId;
  /** As it was sent; in a form that may be unknown, if that is the reason. */
  readonly message: Readonly<Record<string, unknown>>;
  readonly reason: Pick<Diagnostic, 'code' | 'message'>;
  /** When it was given up. */
  readonly at: string;
  /** How often it was delivered before. */
  readonly attempts: number;
  /** How often it was given up and delivered again before. */
  readonly redelivered: number;
  /** What the behaviour recorded of the effects that it did make, by their index. */
  readonly effects: Effects;
}

const deadLetterSchema: z.ZodType<DeadLetter> = z.object({
  id: ulidSchema,
  actor: actorSchema,
  message: z.record(z.string(), z.unknown()),
  reason: z.object({ code: z.string(), message: z.string() }),
  at: z.string(),
  attempts: z.number().int().nonnegative(),
  redelivered: z.number().int().nonnegative(),
  effects: z.custom<Effects>(isRecord, 'it is not a record of effects'),
});

export interface DeadLetterList {
  /** By actor, then by id. */
  readonly letters: DeadLetter[];
  /** Letters that cannot be read; their files stay. */
  readonly diagnostics: Diagnostic[];
}

/**
 * The dead letters of a vault: a folder for each actor, a file for each letter. Their number is known without reading the
 * disk once they were counted: every status asks for it.
 */
export class DeadLetters {
  readonly #disk: Disk;
  readonly #directory: string;
  /** By the folder of their actor; none is empty. */
  #ids = new Map<string, Set<Ulid>>();

  constructor(disk: Disk, directory: string) {
    this.#disk = disk;
    this.#directory = directory;
  }

  /** Counts the letters on disk; called again after letters were moved there from outside. */
  async count(): Promise<void> {
    this.#ids = await this.ids();
  }

  /** As of the last count, with what was added and removed since. */
  countOf(actor: QualifiedId): number {
    return this.#ids.get(segmentFromId(actor))?.size ?? 0;
  }

  /** The actors that have dead letters, as `countOf` counts them. */
  actors(): QualifiedId[] {
    return [...this.#ids.keys()].map(idFromSegment).filter((actor) => actor !== undefined);
  }

  /** The ids of all letters on disk, by the name of their folder; none of them is read. */
  async ids(): Promise<Map<string, Set<Ulid>>> {
    const ids = new Map<string, Set<Ulid>>();
    for (const segment of await this.#segments()) {
      const found = await this.#folder(segment).list();
      if (found.length > 0) ids.set(segment, new Set(found));
    }
    return ids;
  }

  async list(actor?: QualifiedId): Promise<DeadLetterList> {
    const letters: DeadLetter[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const segment of actor === undefined ? await this.#segments() : [segmentFromId(actor)]) {
      const found = await this.#folder(segment).loadAll();
      letters.push(...found.records);
      diagnostics.push(...found.diagnostics);
    }
    return { letters, diagnostics };
  }

  /** Throws `message/noDeadLetter`. */
  async find(id: Ulid): Promise<DeadLetter> {
    const { letters } = await this.list();
    const letter = letters.find((candidate) => candidate.id === id);
    if (letter === undefined) throw failure('message/noDeadLetter', id, `There is no dead letter ${id}.`);
    return letter;
  }

  /** Durable once it resolves. Adding the same letter again replaces it. */
  async add(letter: DeadLetter): Promise<void> {
    await this.#write(letter);
    const segment = segmentFromId(letter.actor);
    const ids = this.#ids.get(segment) ?? new Set();
    this.#ids.set(segment, ids.add(letter.id));
  }

  async remove({ actor, id }: Pick<DeadLetter, 'actor' | 'id'>): Promise<void> {
    const segment = segmentFromId(actor);
    await this.#folder(segment).remove(id);
    const ids = this.#ids.get(segment);
    ids?.delete(id);
    if (ids?.size === 0) this.#ids.delete(segment);
    assert(this.#ids.get(segment)?.size !== 0, 'no folder is counted without letters');
  }

  /** Letters that were moved with their actor name it by its new id. */
  async readdress(actor: QualifiedId): Promise<void> {
    const { letters } = await this.list(actor);
    for (const letter of letters) if (letter.actor !== actor) await this.#write({ ...letter, actor });
  }

  async #write(letter: DeadLetter): Promise<void> {
    assert(letter.id === letter.message['id'] && letter.reason.message !== '', 'a letter names its message and why');
    await this.#folder(segmentFromId(letter.actor)).save(letter.id, letter);
  }

  async #segments(): Promise<string[]> {
    return (await listIfThere(this.#disk, this.#directory)).map(({ name }) => name).sort();
  }

  #folder(segment: string): RecordFolder<Ulid, DeadLetter> {
    return new RecordFolder<Ulid, DeadLetter>({
      ...{ disk: this.#disk, folder: join(this.#directory, segment), text: jsonLine },
      ...{ schema: deadLetterSchema, isPrivate: true, isId: isUlid, idOf: ({ id }) => id },
      unreadable: unreadableRecord('message/unreadable', 'a dead letter'),
    });
  }
}

/** The folder of one actor's letters. */
export function deadLettersOf(directory: string, actor: QualifiedId): string {
  return join(directory, segmentFromId(actor));
}
