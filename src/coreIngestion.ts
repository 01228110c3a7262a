// Builds what takes into the knowledge of a vault what its plans prove.

import { join } from 'node:path';
import { CachedPromise } from './base/cachedPromise.ts';
import { ifThere } from './base/diskErrors.ts';
import { toDisposable } from './base/disposable.ts';
import { isRavelError, messageOf } from './base/errors.ts';
import { isRecord } from './base/json.ts';
import type { Answering } from './coreExperts.ts';
import type { Ingester } from './experts/ingestion/ingester.ts';
import type { AskPerson } from './experts/ingestion/ingestionSteps.ts';
import type { VaultSearch } from './knowledge/search/vaultSearch.ts';
import type { RavelEvent } from './model/event.ts';
import type { Ulid } from './model/id.ts';
import { planFiles } from './model/plan.ts';
import { createVaultApprovals, type VaultApprovals } from './plans/approvals/vaultApprovals.ts';
import type { PlanDirectory } from './plans/planDirectory.ts';
import { emitFor, type PlanServices } from './plans/services.ts';
import { loadShown } from './plans/sessions/shownRecord.ts';
import type { Knowledge } from './requests/handlers.ts';
import { loadExperts } from './vault/expertStore.ts';

/** Sessions that were recorded longer ago were looked at by an earlier owner. */
const recentMs = 24 * 60 * 60 * 1000;

/** What plans learned, on its way into the knowledge. Nothing is loaded before the first use. */
export class BackgroundIngestion {
  readonly #services: PlanServices;
  readonly #directory: PlanDirectory;
  readonly #make: () => Promise<Ingester>;
  readonly #ingester = new CachedPromise<Ingester>();
  readonly #running = new Set<Promise<unknown>>();
  #listening = toDisposable(() => undefined);
  #isStopped = false;

  constructor(
    services: PlanServices,
    parts: {
      readonly directory: PlanDirectory;
      readonly answering: Pick<Answering, 'registry' | 'receipts'>;
      readonly knowledge: Pick<Knowledge, 'base' | 'uses'>;
      readonly vaultSearch: VaultSearch;
    },
  ) {
    const { directory, answering, knowledge, vaultSearch: search } = parts;
    this.#services = services;
    this.#directory = directory;
    const questions = createVaultApprovals(services);
    this.#make = async () => {
      const { Ingester } = await import('./experts/ingestion/ingester.ts');
      return new Ingester({
        ...{ ports: services, knowledge: knowledge.base, registry: answering.registry, receipts: answering.receipts },
        ...{
          uses: knowledge.uses,
          search,
          find: (plan) => directory.find(plan),
          ask: (question) => askOnce(questions, question),
          shownTo: (session) => loadShown(services.disk, services.layout.session(session)),
        },
      });
    };
  }

  ingester(): Promise<Ingester> {
    return this.#ingester.get(this.#make);
  }

  /** Looks at each reflection that ends from now on, and continues what an earlier owner left. */
  begin(): void {
    if (this.#isStopped) return;
    this.#listening = this.#services.onEvent((event) => {
      if (isLearned(event)) this.#inBackground(() => this.#ingest(event.actor));
      else if (event.type === 'approval.decided' && event.kind === 'learned-statement')
        this.#inBackground(async () => (await this.ingester()).resume());
    });
    this.#inBackground(() => this.#resume());
  }

  /** What is not done is done by the next owner. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#listening.dispose();
    if (this.#ingester.current !== undefined) await (await this.ingester()).stop();
    await Promise.allSettled([...this.#running]);
  }

  /** What could not go on before, because the budget was spent or the disk full, is tried again with it. */
  async #ingest(plan: string): Promise<void> {
    const ingester = await this.ingester();
    await ingester.ingest(plan);
    await ingester.resume();
  }

  async #resume(): Promise<void> {
    const { disk, layout, clock } = this.#services;
    const { experts } = await loadExperts(disk, layout);
    if (experts.length === 0 || this.#isStopped) return;
    const ingester = await this.ingester();
    await ingester.resume();
    for (const { id } of (await this.#directory.all()).plans) {
      if (this.#isStopped) return;
      const file = join(layout.plan(id), planFiles.latestSession);
      const stat = await ifThere(file, () => disk.stat(file));
      if (stat !== undefined && stat.mtimeMs >= clock.wallMs() - recentMs) await ingester.ingest(id);
    }
  }

  #inBackground(work: () => Promise<unknown>): void {
    const running = work().catch((error: unknown) => {
      if (this.#isStopped) return;
      // The record stays, and the next reflection or the next owner continues it.
      this.#services.log.warn('what a plan learned was not taken in', { error: messageOf(error) });
      if (isRavelError(error)) emitFor(this.#services, 'vault', { type: 'diagnostic', diagnostic: error.diagnostic });
    });
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }
}

/** An entry that is proven in a third project while a person is asked about two is not asked about again. */
function askOnce(questions: VaultApprovals, question: Parameters<AskPerson>[0]): Promise<Ulid> {
  if (question.kind !== 'entry-graduation') return questions.open(question);
  const path = pathOfGraduation(question.details);
  return questions.openUnlessAsked(question, (details) => pathOfGraduation(details) === path);
}

function pathOfGraduation(details: unknown): unknown {
  return isRecord(details) ? details['path'] : undefined;
}

/** The end of a reflection, and of its commit: after a crash perhaps only the latter is told. */
function isLearned(event: RavelEvent): boolean {
  if (event.type !== 'phase.ended' || event.end !== 'finished') return false;
  return event.phase === 'reflect' || event.phase === 'git-commit-reflect';
}
