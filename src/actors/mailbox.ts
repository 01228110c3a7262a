import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import type { Diagnostic, RavelError } from '../base/errors.ts';
import { LineWriter } from '../base/lineWriter.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { diagnostic, failure } from '../model/codes.ts';
import { type QualifiedId, segmentFromId } from '../model/id.ts';
import type { Json } from '../model/json.ts';
import { type Message, mailboxMessagesMax, messageBytesMax, messageDepthMax } from '../model/message.ts';
import { type CompactionPlan, compact, isCompactionDue, readCompactedKeys } from './compaction.ts';
import { type Cursor, loadCursor, saveCursor } from './cursor.ts';
import { begin, freshCursor, type InFlightMessage } from './inFlightMessage.ts';
import { locateCursor } from './locateCursor.ts';
import {
  corrupt,
  type FoundRecord,
  findMailboxRecord,
  type MailboxFile,
  type OpenFile,
  openMailboxFile,
  readHeaderKeys,
} from './mailboxFile.ts';
import { PendingWindow } from './pendingWindow.ts';
import { type Effects, encodeRecord, keyOf, type Redelivery } from './record.ts';

/** The files of one actor's mailbox. */
export interface MailboxPaths {
  readonly mailbox: string;
  readonly cursor: string;
}

export function mailboxPaths(directory: string, actor: QualifiedId): MailboxPaths {
  const segment = segmentFromId(actor);
  return { mailbox: join(directory, `${segment}.jsonl`), cursor: join(directory, `${segment}.cursor`) };
}

export interface MailboxOptions {
  readonly disk: Disk;
  /** The folder of the mailboxes, which exists. */
  readonly directory: string;
  readonly actor: QualifiedId;
}

export interface AppendOptions {
  /** If the mailbox has the message, or had it not long ago, nothing is appended. */
  readonly isRepeat?: boolean;
  readonly redelivery?: Redelivery;
}

/**
 * Opens the mailbox of an actor, or makes it. Reads the tail only, wherever the cursor is. Throws `mailbox/corrupt` and
 * what the disk says.
 */
export async function openMailbox(options: MailboxOptions): Promise<Mailbox> {
  const paths = mailboxPaths(options.directory, options.actor);
  try {
    const loaded = await loadCursor(options.disk, paths.cursor);
    const file = await openMailboxFile(options.disk, paths.mailbox);
    assert(file.lastSeq >= file.compacted, 'what is gone was there');
    try {
      const { seq, offset, repaired } = await locateCursor({ file: file.file, path: paths.mailbox }, file, loaded);
      const isKept = loaded.kind === 'loaded' && loaded.cursor.seq === seq;
      const cursor: Cursor = isKept ? { ...loaded.cursor, offset } : freshCursor(options.actor, seq, offset);
      // On disk before anything is appended: else what comes would stand before the place where it was ahead.
      if (repaired !== undefined || loaded.kind === 'missing') await saveCursor(options.disk, paths.cursor, cursor);
      const diagnostics = [
        ...tornTail(options.actor, paths, file.cut),
        ...cursorRepaired(options.actor, paths, repaired),
      ];
      return new Mailbox({ ...options, paths, file, cursor, diagnostics });
    } catch (error) {
      await file.file.close();
      throw error;
    }
  } catch (error) {
    throw toDiskError(error, paths.mailbox, 'write');
  }
}

interface MailboxParts extends MailboxOptions {
  readonly paths: MailboxPaths;
  readonly file: MailboxFile;
  readonly cursor: Cursor;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The messages of one actor, in the order in which they were accepted, and how far the actor has come. Senders append;
 * one consumer takes and completes.
 */
export class Mailbox {
  /** What was repaired when the mailbox was opened. */
  readonly diagnostics: readonly Diagnostic[];
  readonly #disk: Disk;
  readonly #actor: QualifiedId;
  readonly #paths: MailboxPaths;
  /** What reads or replaces the file goes one after the other. */
  readonly #reading = new SerialQueue();
  readonly #cursorWrites = new SerialQueue();
  #file: MailboxFile;
  #writer: LineWriter;
  #window: PendingWindow;
  #cursor: Cursor;
  #inFlight: InFlightMessage | undefined;
  /** The last `seq` that was given out, and the last one that is on the medium. */
  #assigned: number;
  #acknowledged: number;
  /** After a failed write the file is closed, and opened and verified before it is used again. */
  #broken: { readonly lengthMax: number | undefined } | undefined;
  #isBeingReplaced = false;

  constructor({ disk, actor, paths, file, cursor, diagnostics }: MailboxParts) {
    assert(cursor.offset !== null && cursor.offset <= file.length, 'the cursor was located');
    assert(cursor.seq <= file.lastSeq + 1, 'the cursor is not ahead');
    this.diagnostics = diagnostics;
    this.#disk = disk;
    this.#actor = actor;
    this.#paths = paths;
    this.#file = file;
    this.#cursor = cursor;
    this.#writer = new LineWriter(paths.mailbox, file, 'byWrite');
    this.#window = new PendingWindow(cursor.offset, cursor.seq);
    this.#assigned = file.lastSeq;
    this.#acknowledged = file.lastSeq;
  }

  /** Messages that are accepted and not done with, the one in hand included. */
  get waiting(): number {
    assert(this.#cursor.seq <= this.#acknowledged + 1, 'the cursor is not ahead');
    return this.#acknowledged - this.#cursor.seq + 1;
  }

  /** How many of those that wait are held in memory. */
  get readAhead(): number {
    return this.#window.size;
  }

  /**
   * Resolves with the message's `seq` once it is on the medium; all that are appended meanwhile share the next write.
   * Refuses what is too long, too deep or too many, with a code each, before anything is written.
   */
  async append(message: Message, options: AppendOptions = {}): Promise<number> {
    if (options.isRepeat === true) {
      const known = await this.#seqOf(keyOf(message.id, options.redelivery?.count ?? 0));
      if (known !== undefined) return known;
    }
    if (this.#writer.hasFailed || this.#broken !== undefined) await this.#reading.run(() => this.#ready());
    const seq = this.#assigned + 1;
    const line = this.#encode(seq, message, options.redelivery);
    this.#assigned = seq;
    await this.#writer.append(line);
    assert(seq === this.#acknowledged + 1, 'messages are acknowledged in their order');
    this.#acknowledged = seq;
    return seq;
  }

  /**
   * The next message, once this attempt to deliver it is on disk; undefined if none waits. A message that was taken
   * and neither completed nor given back is the next one still.
   */
  async next(): Promise<InFlightMessage | undefined> {
    if (this.#inFlight !== undefined) return this.#inFlight;
    const record = await this.#peek(0);
    if (record === undefined) return undefined;
    assert(record.seq === this.#cursor.seq, 'the first that waits is the one the cursor names');
    const { cursor, inFlight } = begin(record, this.#cursor);
    await this.#save(cursor);
    this.#inFlight = inFlight;
    return inFlight;
  }

  /** Keeps what became of an effect of the message in hand. */
  async record(inFlight: InFlightMessage, effectIndex: number, outcome: Json): Promise<void> {
    assert(Number.isSafeInteger(effectIndex) && effectIndex >= 0, 'effects are counted from 0');
    await this.#cursorWrites.run(async () => {
      if (this.#inFlight?.seq !== inFlight.seq) throw noLongerInHand(this.#actor);
      const effects = { ...this.#cursor.effects, [effectIndex]: outcome };
      await this.#write({ ...this.#cursor, effects });
      this.#inFlight = { ...this.#inFlight, effects };
    });
  }

  /** What is recorded for the message in hand. */
  get effects(): Effects {
    return this.#inFlight?.effects ?? {};
  }

  /** The message in hand is done with. The next one, if any waits, is begun in the same write. */
  async complete(): Promise<void> {
    const done = await this.#peek(0);
    assert(this.#inFlight !== undefined && done !== undefined, 'only what was taken is done with');
    assert(done.seq === this.#inFlight.seq, 'the message in hand is the first that waits');
    const following = freshCursor(this.#actor, done.seq + 1, done.end);
    const record = await this.#peekAfter();
    const next = record === undefined ? undefined : begin(record, following);
    await this.#save(next?.cursor ?? following);
    this.#window.shift();
    this.#inFlight = next?.inFlight;
  }

  /** The handler of the message in hand ended with an error. */
  async fail(): Promise<void> {
    assert(this.#inFlight !== undefined, 'only what was taken can fail');
    assert(this.#cursor.threw < this.#cursor.started, 'an attempt fails once');
    await this.#save({ ...this.#cursor, threw: this.#cursor.threw + 1 });
    this.#inFlight = undefined;
  }

  /** The attempt at the message in hand was broken off in order, and does not count. */
  async giveBack(): Promise<void> {
    if (this.#inFlight === undefined) return;
    assert(this.#cursor.started > this.#cursor.threw, 'an attempt was begun');
    await this.#save({ ...this.#cursor, started: this.#cursor.started - 1 });
    this.#inFlight = undefined;
  }

  /** Takes away what is done with, if it is worth it. Senders wait meanwhile. */
  async compactIfDue(): Promise<void> {
    if (!isCompactionDue(this.#compactionPlan(), this.#file.compacted)) return;
    await this.#reading.run(async () => {
      await this.#ready();
      const keys = await readCompactedKeys(this.#open, this.#compactionPlan());
      // The hint is taken back first: were it to fit the new file by accident, something that waits would be missed.
      await this.#save({ ...this.#cursor, offset: null });
      await this.#writer.exchange(() => this.#replaceFile(keys));
    });
    await this.#save(this.#cursor);
  }

  /** Gives back what is in hand, waits for what is being appended, releases the file. */
  async close(): Promise<void> {
    try {
      await this.giveBack();
    } finally {
      await this.#reading.drained();
      if (this.#broken === undefined) await this.#writer.close();
    }
    assert(this.#inFlight === undefined, 'nothing is in hand when the mailbox is closed');
  }

  get #open(): OpenFile {
    return { file: this.#file.file, path: this.#paths.mailbox };
  }

  #encode(seq: number, message: Message, redelivery: Redelivery | undefined): string {
    assert(seq > this.#acknowledged, 'a new message comes after those that are there');
    if (message.depth > messageDepthMax) throw tooDeep(message);
    if (seq - this.#cursor.seq >= mailboxMessagesMax) throw full(this.#actor);
    const line = encodeRecord(seq, message, redelivery);
    const bytes = line.length * 3 <= messageBytesMax ? line.length : Buffer.byteLength(line);
    if (redelivery === undefined && bytes > messageBytesMax) throw tooLong(message, bytes);
    assert(line.endsWith('\n'), 'a record is a whole line');
    return line;
  }

  #peek(n: number): Promise<FoundRecord | undefined> {
    return this.#reading.run(async () => {
      await this.#ready();
      return this.#window.peek(n, this.#open, this.#writer.length);
    });
  }

  /** The record behind the one in hand. That it is bad is told when its turn comes: what was done must count first. */
  async #peekAfter(): Promise<FoundRecord | undefined> {
    try {
      return await this.#peek(1);
    } catch {
      // Taking it meets the same error.
      return undefined;
    }
  }

  async #save(cursor: Cursor): Promise<void> {
    await this.#cursorWrites.run(() => this.#write(cursor));
  }

  async #write(cursor: Cursor): Promise<void> {
    assert(cursor.seq >= this.#cursor.seq, 'a cursor does not go back');
    assert(cursor.seq <= this.#acknowledged + 1, 'a cursor does not run ahead');
    await saveCursor(this.#disk, this.#paths.cursor, cursor);
    // Within the process the offset is always known.
    this.#cursor = cursor.offset === null ? { ...cursor, offset: this.#cursor.offset } : cursor;
  }

  /** The `seq` of a message that is or was there, even long ago. */
  #seqOf(key: string): Promise<number | undefined> {
    return this.#reading.run(async () => {
      await this.#ready();
      await this.#writer.settled();
      const { compacted, headerLength } = this.#file;
      const keys = await readHeaderKeys(this.#open, headerLength);
      const at = keys.lastIndexOf(key);
      if (at !== -1) return compacted - (keys.length - 1 - at);
      const range = { from: headerLength, to: this.#writer.length };
      const found = await findMailboxRecord(this.#open, range, (record) => record.key === key);
      assert(found === undefined || found.seq > compacted, 'what is gone is not found');
      return found?.seq;
    });
  }

  /** After a failed write: opens the file again, cuts what was refused, and looks whether all that was accepted is there. */
  async #ready(): Promise<void> {
    if (this.#writer.hasFailed && this.#broken === undefined) {
      this.#broken = { lengthMax: this.#isBeingReplaced ? undefined : this.#writer.length };
      await this.#writer.close();
    }
    if (this.#broken === undefined) return;
    try {
      const file = await openMailboxFile(this.#disk, this.#paths.mailbox, this.#broken.lengthMax);
      const open = { file: file.file, path: this.#paths.mailbox };
      if (file.lastSeq !== this.#acknowledged) {
        const lost = await corrupt(
          open,
          file.length,
          `it ends with ${file.lastSeq}, ${this.#acknowledged} was accepted`,
        );
        await file.file.close();
        throw lost;
      }
      const hint = { ...this.#cursor, offset: this.#isBeingReplaced ? null : this.#cursor.offset };
      const { seq, offset } = await locateCursor(open, file, { kind: 'loaded', cursor: hint });
      assert(seq === this.#cursor.seq, 'what was done stays done');
      this.#adopt(file, offset);
      this.#writer = new LineWriter(this.#paths.mailbox, file, 'byWrite');
      this.#assigned = this.#acknowledged;
      this.#broken = undefined;
      this.#isBeingReplaced = false;
    } catch (error) {
      throw toDiskError(error, this.#paths.mailbox, 'write');
    }
  }

  #adopt(file: MailboxFile, offset: number): void {
    assert(offset <= file.length, 'the cursor is within the file');
    assert(file.lastSeq >= file.compacted, 'what is gone was there');
    this.#file = file;
    this.#cursor = { ...this.#cursor, offset };
    this.#window = new PendingWindow(offset, this.#cursor.seq);
  }

  #compactionPlan(): CompactionPlan {
    const { seq, offset } = this.#cursor;
    const { length } = this.#writer;
    assert(offset !== null && offset <= length, 'the cursor is within the file');
    assert(seq > this.#file.compacted, 'the cursor is behind what is gone');
    return { headerLength: this.#file.headerLength, offset, length, compacted: seq - 1 };
  }

  /** Runs while nothing is being written. */
  async #replaceFile(keys: readonly string[]): Promise<MailboxFile> {
    const plan = this.#compactionPlan();
    assert(plan.compacted > this.#file.compacted, 'there is something to take away');
    this.#isBeingReplaced = true;
    await compact(this.#disk, this.#open, plan, keys);
    const file = await openMailboxFile(this.#disk, this.#paths.mailbox);
    assert(file.lastSeq === this.#acknowledged && file.compacted === plan.compacted, 'nothing that waits is lost');
    this.#adopt(file, file.headerLength);
    this.#isBeingReplaced = false;
    return file;
  }
}

function tornTail(actor: QualifiedId, { mailbox }: MailboxPaths, cut: number): Diagnostic[] {
  if (cut === 0) return [];
  const message = `The last line of the mailbox of ${actor} was torn; its ${cut} bytes are cut away.`;
  return [diagnostic('mailbox/tornTail', actor, message, { severity: 'warning', file: mailbox })];
}

function cursorRepaired(actor: QualifiedId, { cursor }: MailboxPaths, repaired: string | undefined): Diagnostic[] {
  if (repaired === undefined) return [];
  const message = `The cursor of ${actor} was found again by reading: ${repaired}.`;
  return [diagnostic('mailbox/cursorRepaired', actor, message, { severity: 'warning', file: cursor })];
}

function full(actor: QualifiedId): RavelError {
  return failure('mailbox/full', actor, `${mailboxMessagesMax} messages wait for ${actor}; it takes no more for now.`);
}

function tooDeep({ to, depth }: Message): RavelError {
  return failure(
    'message/tooDeep',
    to,
    `The message to ${to} would be number ${depth} of a chain, and the limit is ${messageDepthMax}.`,
  );
}

function tooLong({ to }: Message, bytes: number): RavelError {
  return failure(
    'message/tooLong',
    to,
    `The message to ${to} has ${bytes} bytes, and the limit is ${messageBytesMax}.`,
  );
}

function noLongerInHand(actor: QualifiedId): RavelError {
  return failure('actor/stopping', actor, `The message is no longer in the hands of ${actor}.`);
}
