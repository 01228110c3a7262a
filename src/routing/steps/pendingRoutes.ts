import { defined } from '../../base/defined.ts';
import { type Diagnostic, isRavelError } from '../../base/errors.ts';
import { jsonText, RecordFolder } from '../../base/recordFolder.ts';
import { excerpt } from '../../base/text.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import { subjectLengthMax } from '../../model/messageSize.ts';
import { toFields } from '../../model/namedTarget.ts';
import type { PendingRow } from '../../model/requests/messages.ts';
import { unreadableRecord } from '../../model/unreadableRecord.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { pendingRouteSchema } from './pendingRouteSchema.ts';
import type { PendingRoute } from './routeSteps.ts';

/** Where a message stands, for people. */
export interface PendingState {
  readonly text: string;
  readonly session?: Ulid;
  readonly approval?: Ulid;
}

const queued: PendingState = { text: 'waits for its turn' };

/** Rows that are read from the disk in one go. */
const rowsMax = 500;

/**
 * Messages that look for their receiver, one file each: written and synced before the sender is told `routing`, removed
 * when everything is done. In memory is only which there are and where they stand, however many they are.
 */
export class PendingRoutes {
  readonly #folder: RecordFolder<Ulid, PendingRoute>;
  readonly #states = new Map<Ulid, PendingState>();
  #isOpen = false;

  constructor({ disk, layout }: VaultPorts) {
    const help =
      'Restore the file from a copy, and Ravel continues with the message; or remove the file to give the message up.';
    this.#folder = new RecordFolder({
      ...{ disk, folder: layout.pendingRoutes, text: jsonText, schema: pendingRouteSchema, isPrivate: true },
      ...{ isId: isUlid, idOf: ({ message }) => message.id },
      toFile: (pending) => ({ ...pending, message: toFields(pending.message) }),
      unreadable: unreadableRecord('message/unreadable', 'a message that looks for its receiver', help),
    });
  }

  /** Which there are; the oldest first, as far as their ids tell. */
  async open(): Promise<readonly Ulid[]> {
    const found = await this.#folder.list();
    for (const message of found) this.#states.set(message, queued);
    this.#isOpen = true;
    return found;
  }

  has(message: Ulid): boolean {
    return this.#states.has(message);
  }

  /** Durable once it resolves. */
  async save(pending: PendingRoute): Promise<void> {
    const { id } = pending.message;
    await this.#folder.save(id, pending);
    if (!this.#states.has(id)) this.#states.set(id, queued);
  }

  /** Undefined for a message that is not on its way. Throws `message/unreadable`. */
  async load(message: Ulid): Promise<PendingRoute | undefined> {
    const pending = await this.#folder.load(message);
    // A person gave the message up and removed its file.
    if (pending === undefined) this.#states.delete(message);
    return pending;
  }

  async remove(message: Ulid): Promise<void> {
    await this.#folder.remove(message);
    this.#states.delete(message);
  }

  setState(message: Ulid, state: PendingState): void {
    if (this.#states.has(message)) this.#states.set(message, state);
  }

  /** The current state of the message, while an owner works on messages. */
  stateOf(message: Ulid): PendingState | undefined {
    return this.#states.get(message);
  }

  /** What is wrong with the files of those that cannot be read. Reads all of them. */
  async unreadable(): Promise<readonly Diagnostic[]> {
    return (await this.#folder.loadAll()).diagnostics;
  }

  /** The oldest, for a list; read from the disk if no owner works on them. */
  async rows(): Promise<{ readonly pending: readonly PendingRow[]; readonly total: number }> {
    const rows: PendingRow[] = [];
    const ids = this.#isOpen ? [...this.#states.keys()] : await this.#folder.list();
    for (const id of ids.slice(0, rowsMax)) {
      const row = await this.load(id).then(
        (pending) => (pending === undefined ? undefined : this.row(pending)),
        (error: unknown) => unreadableRow(id, error),
      );
      if (row !== undefined) rows.push(row);
    }
    return { pending: rows, total: ids.length };
  }

  /** One of them, for a list. */
  row(pending: PendingRoute): PendingRow {
    const { message, at } = pending;
    const { id, type, from, reason, body } = message;
    const { text: said, session, approval } = this.#states.get(id) ?? restingState(pending);
    return {
      ...{ message: id, type, from, at, state: said },
      ...defined({ session, approval }),
      subject: briefly(body, reason),
    };
  }
}

/** What it says, and beside it why it was sent. */
function briefly(body: string, reason: string): string {
  const text = excerpt(body, subjectLengthMax);
  return reason.trim() === '' ? text : `${text} (because: ${excerpt(reason, subjectLengthMax)})`;
}

function unreadableRow(message: Ulid, error: unknown): PendingRow {
  if (!isRavelError(error)) throw error;
  return { message, state: 'cannot be read', subject: excerpt(error.message, subjectLengthMax) };
}

/** The state of a message while no owner works on messages. */
function restingState({ approval }: PendingRoute): PendingState {
  return approval === undefined
    ? { text: 'waits for an owner of the vault' }
    : { text: 'needs your decision', approval };
}
