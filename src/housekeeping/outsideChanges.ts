import { formatTimestamp } from '../base/clock.ts';
import { type Diagnostic, messageOf } from '../base/errors.ts';
import { SerialQueue } from '../base/semaphore.ts';
import type { EventActor, EventBody } from '../model/event.ts';
import type { QualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import { renewViews } from '../plans/proposals/renewViews.ts';
import { emitFor, type PlanServices, type PlanWriterPorts } from '../plans/services.ts';
import { type PlanChange, realFolder, type VaultChanges } from '../vault/vaultChanges.ts';
import { verifyPlan, verifyVaultFiles } from '../vault/verify.ts';
import type { PlanLocation } from '../vault/walk.ts';
import type { CatalogWriter } from './catalogWriter.ts';

export interface OutsideParts {
  readonly services: PlanWriterPorts & Pick<PlanServices, 'emit' | 'log'>;
  readonly directory: PlanDirectory;
  readonly catalog: Pick<CatalogWriter, 'refresh'>;
}

/** Files that are checked by themselves. */
type Part = 'state' | 'views' | 'walk';

/**
 * What follows when others change the vault: an event reports it at once, and requests are answered from the files as they are
 * now. Then, plan by plan, what is wrong with them is told, as far as it is news, and the views are made again.
 */
export class OutsideChanges {
  readonly #parts: OutsideParts;
  readonly #queue = new SerialQueue();
  /** Plans that wait for their turn; one that changes once more meanwhile has one turn for both. */
  readonly #waiting = new Map<QualifiedId, PlanLocation>();
  /** Names of the diagnostics that were found the last time. */
  readonly #reported = new Map<string, ReadonlySet<string>>();
  #isStopped = false;

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  /** Resolves when the events are told; the rest goes on behind it. */
  async apply(changes: VaultChanges): Promise<void> {
    const { directory } = this.#parts;
    const { plans, files, walk } = changes;
    if (walk !== undefined) directory.keep(walk);
    this.#emit(changes);
    for (const { plan, change } of plans) {
      if (change === 'removed') this.#forget(plan.id);
      else this.#bringUpToDate(plan);
    }
    if (walk !== undefined) this.#reportWalk(walk.diagnostics);
    if (files.length > 0) this.#run(() => this.#checkVault());
    if (concernsCatalog(changes)) this.#run(() => this.#parts.catalog.refresh());
  }

  /** Resolves once everything that follows from what was told is done. */
  settled(): Promise<void> {
    return this.#queue.drained();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#queue.drained();
  }

  #emit({ plans, files }: VaultChanges): void {
    const { services } = this.#parts;
    for (const { plan, change, files: edited } of withoutThoseBelow(plans)) {
      const about = change === 'edited' ? { files: edited } : {};
      emitFor(services, plan.id, { type: 'plan.changed', change, ...about });
    }
    if (files.length > 0) this.#emitForVault({ type: 'vault.changed', files });
  }

  #bringUpToDate(plan: PlanLocation): void {
    const isWaiting = this.#waiting.has(plan.id);
    this.#waiting.set(plan.id, plan);
    if (!isWaiting) this.#run(() => this.#verify(plan.id));
  }

  async #verify(id: QualifiedId): Promise<void> {
    const { services } = this.#parts;
    const plan = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (plan === undefined) return;
    this.#reportNew(id, 'state', await verifyPlan(services.disk, { ...plan, readFrom: realFolder(plan) }));
    this.#reportNew(id, 'views', await renewViews(services, id));
  }

  async #checkVault(): Promise<void> {
    const { services, directory } = this.#parts;
    this.#reportNew('vault', 'state', await verifyVaultFiles(services.disk, services.layout, await directory.all()));
  }

  /** Plans that the first walk finds were there before any change. */
  #reportWalk(diagnostics: readonly Diagnostic[]): void {
    if (this.#reported.has(keyOf('vault', 'walk'))) this.#reportNew('vault', 'walk', diagnostics);
    else this.#reported.set(keyOf('vault', 'walk'), new Set(diagnostics.map(nameOf)));
  }

  /** What was not told the last time that this was looked at, wherever in its file it stands now. */
  #reportNew(actor: EventActor, part: Part, diagnostics: readonly Diagnostic[]): void {
    const key = keyOf(actor, part);
    const before = this.#reported.get(key);
    if (diagnostics.length === 0 && part !== 'walk') this.#reported.delete(key);
    else this.#reported.set(key, new Set(diagnostics.map(nameOf)));
    for (const problem of diagnostics) {
      if (before?.has(nameOf(problem)) === true) continue;
      if (actor === 'vault') this.#emitForVault({ type: 'diagnostic', diagnostic: problem });
      else emitFor(this.#parts.services, actor, { type: 'diagnostic', diagnostic: problem });
    }
  }

  #forget(plan: QualifiedId): void {
    this.#waiting.delete(plan);
    for (const part of ['state', 'views'] as const) this.#reported.delete(keyOf(plan, part));
  }

  /** One after the other. What fails for one plan keeps no other from its turn, and its next change tries again. */
  #run(work: () => Promise<unknown>): void {
    const { log } = this.#parts.services;
    const done = this.#queue.run(async () => {
      if (!this.#isStopped) await work();
    });
    done.catch((error: unknown) => log.warn('what others changed is not taken in', { error: messageOf(error) }));
  }

  #emitForVault(body: EventBody): void {
    const { clock, emit } = this.#parts.services;
    emit({ at: formatTimestamp(clock.wallMs()), actor: 'vault', ...body });
  }
}

function keyOf(actor: EventActor, part: Part): string {
  return `${part} ${actor}`;
}

/** What stays of a diagnostic when lines are added above it. */
function nameOf({ code, file, message }: Diagnostic): string {
  return JSON.stringify([code, file, message]);
}

/** A plan that was added or removed stands for those below it. */
function withoutThoseBelow(changes: readonly PlanChange[]): readonly PlanChange[] {
  const above = { created: new Set<string>(), removed: new Set<string>() };
  return changes.filter(({ plan, change }) => {
    if (change === 'edited') return true;
    const { parent } = plan;
    above[change].add(plan.id);
    return parent === undefined || !above[change].has(parent);
  });
}

function concernsCatalog({ plans, files }: VaultChanges): boolean {
  return (
    files.some((name) => name.startsWith('experts/')) ||
    plans.some(({ change, files: edited }) => change !== 'edited' || edited.includes(planFiles.marker))
  );
}
