import { SerialQueue } from '../base/semaphore.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import { saveCatalog } from '../vault/catalog.ts';
import { loadExperts } from '../vault/expertStore.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import type { VaultScanner } from '../vault/vaultScanner.ts';

export interface CatalogParts {
  readonly services: VaultPorts;
  readonly directory: PlanDirectory;
  readonly scanner: VaultScanner;
}

/** Writes the vault's catalogue. One look at a time: an older one never overwrites what a newer one found. */
export class CatalogWriter {
  readonly #parts: CatalogParts;
  readonly #queue = new SerialQueue();
  readonly #stopping = new AbortController();

  constructor(parts: CatalogParts) {
    this.#parts = parts;
  }

  /** Looks at the vault again and writes its catalogue. Returns how many plans there are. */
  refresh(): Promise<number> {
    return this.#queue.run(async () => {
      const { services, directory, scanner } = this.#parts;
      const { disk, layout } = services;
      const scan = await scanner.outlines(this.#stopping.signal);
      directory.keep(scan);
      const { experts } = await loadExperts(disk, layout);
      await saveCatalog(disk, layout, {
        plans: scan.seen.map(({ plan, value }) => ({ plan: plan.id, description: value.description })),
        experts: experts.map(({ actor, expert }) => ({ actor, description: expert.description })),
      });
      return scan.plans.length;
    });
  }

  /** Drops a look that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#queue.drained();
  }
}
