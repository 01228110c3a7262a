import { join } from 'node:path';
import { nextTurn } from '../base/async.ts';
import { ifThere } from '../base/diskErrors.ts';
import { messageOf } from '../base/errors.ts';
import { Gathering } from '../base/gathering.ts';
import type { QualifiedId } from '../model/id.ts';
import { planFiles, viewFiles } from '../model/plan.ts';
import type { PlanDirectory } from '../plans/planDirectory.ts';
import { refreshViews } from '../plans/proposals/renewViews.ts';
import type { PlanServices, PlanWriterPorts } from '../plans/services.ts';
import { sourceOf } from '../vault/views.ts';

export interface ViewKeeperParts {
  readonly services: PlanWriterPorts & Pick<PlanServices, 'emit' | 'log'>;
  readonly directory: Pick<PlanDirectory, 'all'>;
}

/** Long enough that the changes of one command are one, and too short for a person to see what was before. */
const delayMs = 300;

/**
 * Keeps the views of all plans up to date: with what Ravel itself changes in their files, and at its begin with what
 * changed while the vault had no owner. Changes by others are `OutsideChanges`'.
 */
export class ViewKeeper {
  readonly #parts: ViewKeeperParts;
  readonly #waiting: Gathering<QualifiedId>;
  readonly #stopping = new AbortController();
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: ViewKeeperParts) {
    const { services } = parts;
    this.#parts = parts;
    this.#waiting = new Gathering<QualifiedId>({
      ...{ clock: services.clock, delayMs },
      work: async (plans) => {
        for (const plan of plans) await refreshViews(services, plan);
      },
      onError: (error) => services.log.warn('views of plans are not up to date', { error: messageOf(error) }),
    });
  }

  /** A plan of which Ravel changed files. */
  take(plan: QualifiedId): void {
    this.#waiting.add(plan);
  }

  /** Looks for views that are older than their files. A plan without views gets them when it changes. */
  begin(): void {
    this.#looking = this.#look().catch((error: unknown) =>
      this.#parts.services.log.warn('views of plans were not looked at', { error: messageOf(error) }),
    );
  }

  /** Resolves once all views say what the files say. */
  async settled(): Promise<void> {
    await this.#looking;
    await this.#waiting.settled();
  }

  /** Renews what is known to be old, and looks for nothing more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking;
    await this.#waiting.stop();
  }

  async #look(): Promise<void> {
    const { services, directory } = this.#parts;
    for (const { id } of (await directory.all()).plans) {
      if (this.#stopping.signal.aborted) return;
      if (await this.#isOld(services.layout.plan(id))) this.take(id);
      await nextTurn();
    }
  }

  /** Whether a view is older than its file, or than the phase, which each of them names. */
  async #isOld(folder: string): Promise<boolean> {
    const phase = await this.#changedAt(folder, planFiles.phase);
    for (const view of viewFiles) {
      const made = await this.#writtenAt(folder, view);
      if (made === undefined) continue;
      const source = await this.#changedAt(folder, sourceOf(view));
      if ([phase, source].some((time) => time !== undefined && time > made)) return true;
    }
    return false;
  }

  async #writtenAt(folder: string, name: string): Promise<number | undefined> {
    const path = join(folder, name);
    return (await ifThere(path, () => this.#parts.services.disk.stat(path)))?.mtimeMs;
  }

  /** When its content came, also if a copy kept the time at which that was written. */
  async #changedAt(folder: string, name: string): Promise<number | undefined> {
    const stamps = await this.#parts.services.disk.stampEach([join(folder, name)]);
    const [inode, , written = 0, recorded = 0] = Array.from(stamps);
    return inode === 0 ? undefined : Math.max(written, recorded);
  }
}
