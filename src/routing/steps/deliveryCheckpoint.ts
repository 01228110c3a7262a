import * as z from 'zod';
import { defined } from '../../base/defined.ts';
import type { Disk } from '../../base/disk.ts';
import { messageOf } from '../../base/errors.ts';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../../base/files.ts';
import { readJson } from '../../base/jsonFile.ts';
import type { Logger } from '../../base/log.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import type { Ulid } from '../../model/id.ts';
import { ulidSchema } from '../../model/idSchemas.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import type { Line } from '../history/historyFiles.ts';
import type { RoutingHistory } from '../history/routingHistory.ts';

export interface DeliveryCheckpointParts {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly log: Logger;
  readonly history: Pick<RoutingHistory, 'find' | 'page' | 'lineOf' | 'since'>;
}

/** Decisions between two writes of the mark, and so also how many more a crash can cause to be checked again. */
const decisionsPerMark = 64;
/** Decisions that are read in one go; after an orderly stop none is to be handed over. */
const pageLength = 16;
/** How many of the newest decisions are checked if there is no mark of an earlier owner. */
const unmarkedMax = 256;

/**
 * Which messages that were decided at once may not have reached their receiver. A decision is on the disk before its
 * message is handed over, and an owner can die between the two. The next owner then hands the message over again, and
 * the mailbox takes it only once. A mark in `runtime/` says up to which message, in the order of the history, all were
 * handed over, so that the next owner reads only the end of the history.
 */
export class DeliveryCheckpoint {
  readonly #parts: DeliveryCheckpointParts;
  /** In the order of the history; true for those that reached their receiver behind one that did not. */
  #open = new Map<Ulid, boolean>();
  readonly #saves = new SerialQueue();
  /** Until it is known what an earlier owner left, nothing is marked. */
  #isLoaded = false;
  #mark: Ulid | undefined;
  #saved: Ulid | undefined;
  #sinceSaved = 0;

  constructor(parts: DeliveryCheckpointParts) {
    this.#parts = parts;
  }

  /** A message is about to be decided; in the order in which decisions are written down. */
  begin(message: Ulid): void {
    this.#open.set(message, false);
  }

  /** It could not be decided: there is nothing to hand over. */
  drop(message: Ulid): void {
    this.#open.delete(message);
    this.#pass();
  }

  /** The message reached its receiver, or does not go to one. */
  done(message: Ulid): void {
    if (!this.#open.has(message)) return;
    this.#open.set(message, true);
    this.#pass();
  }

  isOpen(message: Ulid): boolean {
    return this.#open.get(message) === false;
  }

  /** Messages of an earlier owner that may not have been handed over, oldest first. They are open from now on. */
  async loadUndelivered(): Promise<readonly Ulid[]> {
    const left = await this.#decidedSince(await this.#load());
    const isNew = left.filter((message) => !this.#open.has(message));
    this.#open = new Map([...isNew.map((message) => [message, false] as const), ...this.#open]);
    this.#isLoaded = true;
    this.#pass();
    return isNew;
  }

  /** Resolves once the mark is on the disk. */
  async stop(): Promise<void> {
    this.#save();
    await this.#saves.drained();
  }

  async #decidedSince({ message: mark, at }: Mark): Promise<readonly Ulid[]> {
    const { history } = this.#parts;
    const since = mark === undefined || at === undefined ? undefined : await history.since(mark, at);
    if (since !== undefined) {
      const newest = new Map(since.map((decision) => [decision.message, decision]));
      return [...newest.values()]
        .filter(({ message, outcome }) => message !== mark && outcome.kind === 'routed')
        .map(({ message }) => message);
    }
    const isMarked = mark !== undefined && (await history.find(mark)) !== undefined;
    const left: Ulid[] = [];
    let before: Ulid | undefined;
    do {
      const page = await history.page(pageLength, before);
      for (const { message, outcome } of page.routes) {
        if (message === mark) return left.reverse();
        if (outcome.kind === 'routed') left.push(message);
      }
      before = page.next;
    } while (before !== undefined && (isMarked || left.length < unmarkedMax));
    return left.reverse();
  }

  #pass(): void {
    if (!this.#isLoaded) return;
    for (const [message, isDone] of this.#open) {
      if (!isDone) break;
      this.#open.delete(message);
      this.#mark = message;
      this.#sinceSaved++;
    }
    if (this.#sinceSaved >= decisionsPerMark) this.#save();
  }

  #save(): void {
    const { disk, layout, log, history } = this.#parts;
    const message = this.#mark;
    if (message === undefined || message === this.#saved) return;
    this.#saved = message;
    this.#sinceSaved = 0;
    this.#saves
      .run(async () => {
        await ensureDirectory(disk, layout.runtime, 0o700);
        const at = history.lineOf(message);
        const mark: Mark = { message, ...defined({ at }) };
        await writeAtomic(disk, layout.handedOver, `${JSON.stringify(mark)}\n`);
      })
      // The next owner has a few more decisions to check, but no message is lost.
      .catch((error: unknown) =>
        log.warn('how far messages were handed over is not kept', { error: messageOf(error) }),
      );
  }

  async #load(): Promise<Mark> {
    const { disk, layout } = this.#parts;
    const read = readJson((await readTextIfExists(disk, layout.handedOver)) ?? '{}', markSchema);
    return 'value' in read ? read.value : {};
  }
}

/** Up to which message all were handed over, and where its decision stands; an earlier Ravel did not note the place. */
interface Mark {
  readonly message?: Ulid;
  readonly at?: Line | undefined;
}

const markSchema: z.ZodType<Mark> = z.looseObject({
  message: ulidSchema.exactOptional(),
  at: z.looseObject({ segment: z.int(), offset: z.int(), length: z.int() }).optional().catch(undefined),
});
