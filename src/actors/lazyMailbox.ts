import { assert } from '../base/assert.ts';
import { messageOf } from '../base/errors.ts';
import { diagnostic } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import type { SupervisorOptions } from './supervision.ts';

export interface LazyMailboxParts extends Pick<SupervisorOptions, 'disk' | 'mailboxes' | 'events'> {
  readonly actor: QualifiedId;
  /** Called with each mailbox that was opened, before the caller of `open` gets it. */
  onOpened(mailbox: Mailbox): void;
}

/** One actor's mailbox, open while it is needed: a vault can have more actors than a process can have open files. */
export class LazyMailbox {
  readonly #parts: LazyMailboxParts;
  #opened: Promise<Mailbox> | undefined;
  /** What the one before gives back is on disk before the next one reads it. */
  #closed: Promise<void> = Promise.resolve();

  constructor(parts: LazyMailboxParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  /** What cannot be opened is tried again the next time. */
  open(): Promise<Mailbox> {
    const { disk, mailboxes, events, actor, onOpened } = this.#parts;
    const openNext = () => openMailbox({ disk, directory: mailboxes, actor });
    this.#opened ??= this.#closed.then(openNext).then(
      (mailbox) => {
        for (const found of mailbox.diagnostics) events.diagnostic(found);
        onOpened(mailbox);
        return mailbox;
      },
      (error: unknown) => {
        this.#opened = undefined;
        throw error;
      },
    );
    assert(this.#opened !== undefined, 'the mailbox is being opened');
    return this.#opened;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    if (opened !== undefined) this.#closed = this.#close(opened);
    await this.#closed;
  }

  async #close(opened: Promise<Mailbox>): Promise<void> {
    try {
      await (await opened).close();
    } catch (error) {
      // All that was accepted is on disk; an attempt that could not be given back counts as one more.
      const { actor, events } = this.#parts;
      const message = `The mailbox of ${actor} was not closed in order: ${messageOf(error)}`;
      events.diagnostic(diagnostic('disk/failed', actor, message, { severity: 'warning' }));
    }
  }
}
