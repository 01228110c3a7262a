import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { failure } from '../model/codes.ts';
import { idFromSegment, type QualifiedId, segmentFromId, type Ulid } from '../model/id.ts';
import { type DeadLetter, type DeadLetterList, type DeadLetterStore, openDeadLetters } from './deadLetters.ts';

/** The dead letters of a vault's owner. Their number is known without a look at the disk: every status asks for it. */
export class CountedDeadLetters {
  readonly #store: DeadLetterStore;
  /** By the folder of their actor; none is empty. */
  #ids = new Map<string, Set<Ulid>>();

  constructor(disk: Disk, directory: string) {
    this.#store = openDeadLetters(disk, directory);
  }

  /** Counts the letters on disk; called again after letters were moved there from outside. */
  async count(): Promise<void> {
    this.#ids = await this.#store.ids();
  }

  countOf(actor: QualifiedId): number {
    const count = this.#ids.get(segmentFromId(actor))?.size ?? 0;
    return count;
  }

  /** The actors that have dead letters. */
  actors(): QualifiedId[] {
    return [...this.#ids.keys()].map(idFromSegment).filter((actor) => actor !== undefined);
  }

  list(actor?: QualifiedId): Promise<DeadLetterList> {
    return this.#store.list(actor);
  }

  /** Throws `message/noDeadLetter`. */
  async find(id: Ulid): Promise<DeadLetter> {
    const { letters } = await this.#store.list();
    const letter = letters.find((candidate) => candidate.id === id);
    if (letter === undefined) throw failure('message/noDeadLetter', id, `There is no dead letter ${id}.`);
    return letter;
  }

  /** Durable once it resolves. */
  async add(letter: DeadLetter): Promise<void> {
    await this.#store.write(letter);
    const folder = segmentFromId(letter.actor);
    const ids = this.#ids.get(folder) ?? new Set();
    this.#ids.set(folder, ids.add(letter.id));
  }

  async remove(letter: DeadLetter): Promise<void> {
    await this.#store.remove(letter);
    const folder = segmentFromId(letter.actor);
    const ids = this.#ids.get(folder);
    ids?.delete(letter.id);
    if (ids?.size === 0) this.#ids.delete(folder);
    assert(this.#ids.get(folder)?.size !== 0, 'no folder is counted without letters');
  }

  /** Letters that were moved with their actor name it by its new id. */
  async readdress(actor: QualifiedId): Promise<void> {
    const { letters } = await this.#store.list(actor);
    for (const letter of letters) if (letter.actor !== actor) await this.#store.write({ ...letter, actor });
  }
}
