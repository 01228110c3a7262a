import { basename, dirname, sep } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { DirectoryEntry, ReadingDisk } from '../base/disk.ts';
import type { Disposable } from '../base/disposable.ts';
import { type Diagnostic, messageOf } from '../base/errors.ts';
import type { OwnWrites } from '../base/ownWrites.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { diagnostic } from '../model/codes.ts';
import type { QualifiedId } from '../model/id.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import type { VaultLayout } from './layout.ts';
import { compareFiles, comparePlans, hiddenPlans, type PlansSnapshot, type VaultChanges } from './vaultChanges.ts';
import {
  type FilesSnapshot,
  type SnapshotOptions,
  snapshotPlans,
  snapshotVaultFiles,
  toPlanFiles,
} from './vaultSnapshot.ts';
import { type PlanLocation, walkVault } from './walk.ts';
import { WatchedFolders } from './watchedFolders.ts';
import type { WatchTree } from './watcher.ts';

export interface VaultWatchParts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly clock: Clock;
  readonly own: Pick<OwnWrites, 'wrote' | 'put' | 'took' | 'mark' | 'forget'>;
  readonly watchTree: WatchTree;
  readonly reconcileMs: number;
  /** The next scan begins when it is done. */
  readonly onChanges: (changes: VaultChanges) => Promise<void>;
  readonly onDiagnostic: (problem: Diagnostic) => void;
  /** A scan failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** A scan begins when nothing was touched for this long ... */
const quietMs = 200;
/** ... or when something has waited for this long: changes that never pause must not go unseen. */
const waitMaxMs = 2000;
/** From this many touched plans on, it is cheaper to look at all plans. */
const plansMax = 200;
/** Looks by the clock take at most this part of the time, however large the vault is. */
const share = 20;

interface Seen {
  readonly plans: PlansSnapshot;
  readonly files: FilesSnapshot;
}

/** What was touched since the last scan. */
interface Touched {
  readonly plans: Set<QualifiedId>;
  /** The vault's own files. */
  files: boolean;
  /** Folders: plans may have come or gone. */
  folders: boolean;
}

/** What is touched is looked at when it is quiet, and at the latest when its time has come. */
interface Waiting {
  readonly latestMs: number;
  touchedMs: number;
  timer: Disposable;
}

/**
 * Notices what others change in a vault. The watch on its folders only says where to look; the reported changes come
 * from comparing stamps with those of the scan before. So the next scan of everything finds a change that the system
 * did not report, and a wrong report of the system has no effect. Changes within a moment are reported together.
 */
export class VaultWatch {
  readonly #parts: VaultWatchParts;
  readonly #folders: WatchedFolders;
  readonly #scans = new SerialQueue();
  readonly #stopping = new AbortController();
  #mode: 'watching' | 'polling' = 'watching';
  #isGone = false;
  #seen: Seen | undefined;
  #touched = nothing();
  #waiting: Waiting | undefined;
  #byClock: Disposable | undefined;

  constructor(parts: VaultWatchParts) {
    this.#parts = parts;
    const { disk, layout, watchTree } = parts;
    const listeners = {
      onPlanFile: (id: string) => this.#onPlanFile(id),
      onVaultFile: () => this.#touch({ files: true }),
      onFolder: () => this.#touch({ folders: true }),
      onLimit: (error: unknown) => this.#fallBack(error),
    };
    this.#folders = new WatchedFolders({ disk, layout, watchTree, listeners });
  }

  /** Looks at everything. Resolves when what others changed until now is told; changes are noticed from the first one on. */
  reconcile(): Promise<void> {
    return this.#scans.run(() => this.#scan('all'));
  }

  /** Resolves when the scans that have begun are done. */
  settled(): Promise<void> {
    return this.#scans.drained();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiting?.timer.dispose();
    this.#byClock?.dispose();
    await this.#scans.drained();
    await this.#folders.stop();
  }

  #onPlanFile(id: string): void {
    const known = this.#seen?.plans.get(id as QualifiedId);
    // A state file where no plan is known: one that comes, or a folder that never becomes one.
    if (known === undefined) this.#touch({ folders: true });
    else this.#touch({ plan: known.plan.id });
  }

  #touch({ plan, files, folders }: { plan?: QualifiedId; files?: boolean; folders?: boolean }): void {
    if (this.#stopping.signal.aborted) return;
    if (plan !== undefined) this.#touched.plans.add(plan);
    this.#touched.files ||= files === true;
    this.#touched.folders ||= folders === true;
    const nowMs = this.#parts.clock.monotonicMs();
    if (this.#waiting !== undefined) this.#waiting.touchedMs = nowMs;
    else this.#waiting = { latestMs: nowMs + waitMaxMs, touchedMs: nowMs, timer: this.#afterQuiet(quietMs) };
  }

  #afterQuiet(delayMs: number): Disposable {
    return this.#parts.clock.schedule(delayMs, () => {
      const waiting = this.#waiting;
      if (waiting === undefined) return;
      const nowMs = this.#parts.clock.monotonicMs();
      const dueMs = Math.min(waiting.touchedMs + quietMs, waiting.latestMs);
      if (nowMs < dueMs) waiting.timer = this.#afterQuiet(dueMs - nowMs);
      else void this.#scans.run(() => this.#scan('touched'));
    });
  }

  /** Never rejects: the next scan does what this one could not. */
  async #scan(scope: 'touched' | 'all'): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const { clock, reconcileMs, onError } = this.#parts;
    this.#waiting?.timer.dispose();
    this.#waiting = undefined;
    const touched = this.#touched;
    this.#touched = nothing();
    const startMs = clock.monotonicMs();
    try {
      if (scope === 'touched' && (await this.#scanTouched(touched))) return;
      await this.#scanAll(touched);
    } catch (error) {
      if (this.#stopping.signal.aborted) return;
      onError(error);
    }
    // Stopped meanwhile: a timer would keep the program running for nothing.
    if (this.#stopping.signal.aborted) return;
    this.#byClock?.dispose();
    const delayMs = Math.max(reconcileMs, share * (clock.monotonicMs() - startMs));
    this.#byClock = clock.schedule(delayMs, () => void this.reconcile());
  }

  /** Looks at what was touched alone. False if that is not enough. */
  async #scanTouched({ plans, files, folders }: Touched): Promise<boolean> {
    const { disk, layout, own } = this.#parts;
    const seen = this.#seen;
    if (seen === undefined || this.#isGone || folders || plans.size > plansMax) return false;
    const { mark } = own;
    const before = new Map([...seen.plans].filter(([id]) => plans.has(id)));
    const after = await this.#snapshot([...before.values()].map(({ plan }) => plan));
    for (const plan of after.values()) if (!plan.files.has(planFiles.marker)) return false;
    const filesNow = files ? await snapshotVaultFiles(disk, layout) : seen.files;
    const filesChanged = compareFiles(this.#parts, seen.files, filesNow);
    // With a link a whole project comes or goes; without its identity the vault may be gone.
    if (filesChanged.some((name) => dirname(name) !== '.' || name === basename(layout.identity))) return false;
    const plansChanged = comparePlans(this.#parts, before, after);
    for (const id of after.keys()) own.forget(mark, layout.plan(id) + sep);
    this.#seen = { plans: new Map([...seen.plans, ...after]), files: filesNow };
    await this.#emit({ plans: plansChanged, files: filesChanged });
    return true;
  }

  async #scanAll(touched: Touched): Promise<void> {
    const { disk, layout, own } = this.#parts;
    const wasGone = this.#isGone;
    if (await this.#checkGone()) return;
    const { mark } = own;
    const seen = this.#seen;
    // Watched first: what comes while the walk goes on is told.
    if (this.#mode === 'watching') await this.#folders.follow();
    const names = new Map<QualifiedId, readonly PlanFile[]>();
    const walk = await walkVault(disk, layout, (id, entries) => names.set(id, toPlanFiles(entries.map(nameOf))));
    const files = await snapshotVaultFiles(disk, layout);
    const found = await this.#snapshot(walk.plans, names);
    const plans = new Map([...(seen === undefined ? [] : hiddenPlans(seen.plans, walk)), ...found]);
    this.#seen = { plans, files };
    if (seen !== undefined) {
      const changes = {
        plans: comparePlans(this.#parts, seen.plans, plans),
        files: compareFiles(this.#parts, seen.files, files),
        walk,
      };
      // No watch could report what happened while the vault was away.
      if (!wasGone) await this.#renewDeaf(touched, changes);
      await this.#emit(changes);
    }
    own.forget(mark);
  }

  async #snapshot(plans: readonly PlanLocation[], names?: SnapshotOptions['names']): Promise<PlansSnapshot> {
    const options = { signal: this.#stopping.signal, ...defined({ names }) };
    const snapshots = await snapshotPlans(this.#parts.disk, plans, options);
    return new Map(snapshots.map((snapshot) => [snapshot.plan.id, snapshot]));
  }

  /** For changes that no watch reported: makes the watch that should have done so again, and looks for all it missed. */
  async #renewDeaf(touched: Touched, { plans }: VaultChanges): Promise<void> {
    const wasReported = touched.folders || touched.files || touched.plans.size > 0;
    if (this.#mode !== 'watching' || wasReported || plans.length === 0 || this.#waiting !== undefined) return;
    for (const folder of new Set(plans.map(({ plan }) => plan.ravelDirectory))) await this.#folders.drop(folder);
    this.#touch({ folders: true });
  }

  async #checkGone(): Promise<boolean> {
    const { disk, layout, onDiagnostic } = this.#parts;
    const stamps = await disk.stampEach([layout.identity]);
    const wasGone = this.#isGone;
    this.#isGone = Array.from(stamps).every((part) => part === 0);
    if (!this.#isGone || wasGone) return this.#isGone;
    // What is watched goes with the folder, wherever it is now.
    await this.#folders.stop();
    const message = `The vault ${layout.root} was moved away or cannot be read: ${layout.identity} does not exist.`;
    onDiagnostic(diagnostic('vault/gone', layout.root, message, { file: layout.identity }));
    return true;
  }

  async #emit(changes: VaultChanges): Promise<void> {
    const { plans, files, walk } = changes;
    if (plans.length > 0 || files.length > 0 || walk !== undefined) await this.#parts.onChanges(changes);
  }

  #fallBack(error: unknown): void {
    if (this.#mode !== 'watching') return;
    this.#mode = 'polling';
    const { layout, reconcileMs, onDiagnostic } = this.#parts;
    const message = `The system lets Ravel watch no more folders (${messageOf(error)}); it looks every ${reconcileMs / 1000} seconds instead.`;
    onDiagnostic(diagnostic('vault/watchLimit', layout.root, message, { severity: 'warning' }));
    // Not now: the caller that reports the limit is still making watches.
    void this.#scans.run(() => this.#folders.stop()).catch(this.#parts.onError);
  }
}

function nothing(): Touched {
  return { plans: new Set(), files: false, folders: false };
}

function nameOf({ name }: DirectoryEntry): string {
  return name;
}
