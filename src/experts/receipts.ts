import type { Diagnostic } from '../base/errors.ts';
import { jsonLine, RecordFolder } from '../base/recordFolder.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { isUlid, type QualifiedId, type Ulid } from '../model/id.ts';
import { type AnswerReceipt, type Asker, askersOf, receiptSchema } from '../model/receipt.ts';
import { unreadableRecord } from '../model/unreadableRecord.ts';
import { loadLaterNames } from '../vault/planRenames.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';

/** Receipts of a vault: a few for each working hour of a year, and about 15 MB. */
const receiptsMax = 5000;

/** The receipts of a vault, a file each: `runtime/receipts/<query>.json`. Which there are is read with the first use. */
export class Receipts {
  readonly #ports: VaultPorts;
  readonly #most: number;
  readonly #looks = new SerialQueue();
  readonly #changes = new SerialQueue();
  /** By their keys, the newest receipt that can be used again. */
  #byKey: Map<string, Ulid> | undefined;

  constructor(ports: VaultPorts, most = receiptsMax) {
    this.#ports = ports;
    this.#most = most;
  }

  /** Durable once it resolves; the same one again changes nothing. */
  async save(receipt: AnswerReceipt): Promise<void> {
    await receiptFolder(this.#ports).save(receipt.id, receipt);
    if (isReusable(receipt)) this.#byKey?.set(receipt.key, receipt.id);
  }

  /** Changes a receipt as it is by then; one that is gone stays gone. Durable once it resolves. */
  change(id: Ulid, how: (receipt: AnswerReceipt) => AnswerReceipt): Promise<void> {
    return this.#changes.run(async () => {
      const receipt = await this.load(id);
      if (receipt !== undefined) await this.save(how(receipt));
    });
  }

  load(id: Ulid): Promise<AnswerReceipt | undefined> {
    return receiptFolder(this.#ports).load(id);
  }

  /** The newest receipt of exactly this situation whose answer can be given again. */
  async find(key: string): Promise<AnswerReceipt | undefined> {
    const byKey = await this.#looks.run(() => this.#keys());
    const id = byKey.get(key);
    const receipt = id === undefined ? undefined : await receiptFolder(this.#ports).loadUndamaged(id);
    // Its file can have been removed or changed since.
    return receipt !== undefined && receipt.key === key && isReusable(receipt) ? receipt : undefined;
  }

  /** Oldest first. */
  all(): Promise<{ readonly records: readonly AnswerReceipt[]; readonly diagnostics: readonly Diagnostic[] }> {
    return receiptFolder(this.#ports).loadAll();
  }

  /** Answers that a plan was given, also under a name that it had before; oldest first. */
  async givenTo(plan: QualifiedId): Promise<readonly AnswerReceipt[]> {
    const laterNames = await loadLaterNames(this.#ports);
    const { records } = await this.all();
    return records.filter((receipt) => askersOf(receipt).some(({ from }) => laterNames(from).has(plan)));
  }

  /**
   * Removes the oldest beyond 5,000 in all, except answers that one of these plans was given, under whichever name: what a plan was once told proves
   * nothing when it learns it, and that is known by the receipt alone. Returns how many were removed.
   */
  removeOldest(plans: ReadonlySet<string>, signal?: AbortSignal): Promise<number> {
    const folder = receiptFolder(this.#ports);
    // An answer can be given to another plan meanwhile, which is a change of its receipt.
    return this.#changes.run(async () => {
      const ids = await folder.list();
      const laterNames = await loadLaterNames(this.#ports);
      const isKept = ({ from }: Asker) => [...laterNames(from)].some((name) => plans.has(name));
      let removed = 0;
      for (const id of ids.slice(0, Math.max(0, ids.length - this.#most))) {
        signal?.throwIfAborted();
        const receipt = await folder.loadUndamaged(id);
        if (receipt !== undefined && askersOf(receipt).some(isKept)) continue;
        await folder.remove(id);
        removed += 1;
      }
      return removed;
    });
  }

  async #keys(): Promise<ReadonlyMap<string, Ulid>> {
    if (this.#byKey === undefined) {
      const { records } = await this.all();
      this.#byKey = new Map(records.filter(isReusable).map(({ key, id }) => [key, id]));
    }
    return this.#byKey;
  }
}

/** An answer that could not be checked is asked for again. */
function isReusable({ isSupported }: AnswerReceipt): boolean {
  return isSupported;
}

function receiptFolder({ disk, layout }: VaultPorts): RecordFolder<Ulid, AnswerReceipt> {
  return new RecordFolder({
    ...{ disk, folder: layout.receipts, text: jsonLine, schema: receiptSchema, isPrivate: true },
    ...{ isId: isUlid, idOf: ({ id }) => id },
    unreadable: unreadableRecord('receipt/unreadable', 'a receipt'),
  });
}
