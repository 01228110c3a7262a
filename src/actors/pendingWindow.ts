import { assert } from '../base/assert.ts';
import { type FoundRecord, type OpenFile, readMailboxRecords } from './mailboxFile.ts';

/** Records read ahead, however many wait. */
export const windowRecordsMax = 256;
const windowBytesMax = 4 * 1024 * 1024;

/** The first of the records that wait, read ahead in order. What stands behind them stays on disk. */
export class PendingWindow {
  #records: FoundRecord[] = [];
  /** Where reading goes on, and the `seq` that must stand there. */
  #offset: number;
  #seq: number;

  constructor(offset: number, seq: number) {
    this.#offset = offset;
    this.#seq = seq;
  }

  get size(): number {
    return this.#records.length;
  }

  /**
   * The n-th record that waits, from 0; undefined if the acknowledged part of the file ends before. Throws
   * `mailbox/corrupt` if it is bad.
   */
  async peek(n: number, open: OpenFile, acknowledged: number): Promise<FoundRecord | undefined> {
    assert(n < windowRecordsMax, 'only what fits is looked at');
    assert(this.#offset <= acknowledged, 'nothing is read before it is acknowledged');
    if (this.#records.length <= n && this.#offset < acknowledged) await this.#fill(open, acknowledged);
    return this.#records[n];
  }

  /** The first record is done with. */
  shift(): void {
    const record = this.#records.shift();
    assert(record !== undefined, 'only what was looked at is done with');
    assert(this.#records.length < windowRecordsMax, 'the window has a bound');
  }

  async #fill(open: OpenFile, acknowledged: number): Promise<void> {
    const before = this.#records.length;
    let bytes = 0;
    try {
      for await (const records of readMailboxRecords(open, { from: this.#offset, to: acknowledged }, this.#seq)) {
        for (const record of records.slice(0, windowRecordsMax - this.#records.length)) {
          this.#records.push(record);
          this.#offset = record.end;
          this.#seq = record.seq + 1;
          bytes += record.end - record.offset;
        }
        if (this.#records.length === windowRecordsMax || bytes >= windowBytesMax) break;
      }
    } catch (error) {
      // Those before the bad line are good; reading on from behind them meets it again.
      if (this.#records.length === before) throw error;
    }
    assert(this.#records.length > before, 'what is acknowledged can be read');
    assert(this.#offset <= acknowledged, 'nothing is read before it is acknowledged');
  }
}
