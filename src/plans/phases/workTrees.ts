import { createDeferred } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { shellWord } from '../../base/text.ts';
import { readCommonDirectory } from '../../git/repository.ts';
import type { QualifiedId } from '../../model/id.ts';
import { isCodePhase, type Phase } from '../../model/phase.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { emitFor, type PlanServices } from '../services.ts';

type TreePorts = Pick<PlanServices, 'clock' | 'git' | 'emit'>;

/** The phase of a plan that a person has open, which ends only when that person ends it. */
export type OpenManualRun = (plan: QualifiedId) => Phase | undefined;

/**
 * Which plan has its working tree. Phases that look at the source take turns in it; the others take it only for their
 * commits. A plan that has the tree does not queue again.
 */
export class WorkTrees {
  readonly #services: TreePorts;
  readonly #openByHand: OpenManualRun;
  readonly #queue = new WorkTreeQueue();
  /** Trees that a plan keeps from work until its commits are made; each entry gives one back. */
  readonly #kept = new Map<QualifiedId, () => void>();
  /** Plans whose phase has its tree for as long as it runs. */
  readonly #having = new Set<QualifiedId>();
  /** For each queued plan, what it waits for now. */
  readonly #waiting = new Map<QualifiedId, () => string>();

  constructor(services: TreePorts, openByHand: OpenManualRun) {
    this.#services = services;
    this.#openByHand = openByHand;
  }

  /** What a plan waits for, if it is in a queue. */
  waitsFor(plan: QualifiedId): string | undefined {
    return this.#waiting.get(plan)?.();
  }

  /** Runs a phase, in its plan's tree if it looks at the source. */
  withTree<T>(location: PlanLocation, phase: Phase, work: () => Promise<T>, stop?: AbortSignal): Promise<T> {
    const { id, projectDirectory } = location;
    const looksAtSource = phase === 'work' || phase === 'analyse-work' || isCodePhase(phase);
    if (!looksAtSource || this.#kept.has(id) || this.#having.has(id)) return work();
    const waiter = this.#treeWaiter(location, phase, stop);
    const inTurn = async () => {
      this.#waiting.delete(id);
      this.#having.add(id);
      try {
        return await work();
      } finally {
        this.#having.delete(id);
      }
    };
    return this.#queued(id, this.#queue.run(projectDirectory, waiter, inTurn));
  }

  /**
   * Commits of one repository are made one after the other, whichever of its projects and working trees they belong to:
   * the sandbox of the hooks of one puts files there and takes them away again.
   */
  async withRepository<T>(location: PlanLocation, phase: Phase, work: () => Promise<T>): Promise<T> {
    const repository = await readCommonDirectory(this.#services.git, location.projectDirectory);
    const waiter = this.#waiter(location, phase, (behind) => `${behind} commits in the same repository`);
    const inTurn = () => {
      this.#waiting.delete(location.id);
      return work();
    };
    return this.#queued(location.id, this.#queue.run(`repository ${repository}`, waiter, inTurn));
  }

  /** Takes the tree for work and what follows it, until it is released. */
  async keep(location: PlanLocation, stop: AbortSignal): Promise<void> {
    const waiter = this.#treeWaiter(location, 'work', stop);
    this.#kept.set(location.id, await this.#queued(location.id, this.#queue.take(location.projectDirectory, waiter)));
  }

  /** Gives a kept tree back; does nothing if none is kept. */
  release(plan: QualifiedId): void {
    this.#kept.get(plan)?.();
    this.#kept.delete(plan);
  }

  /** A plan that leaves the queue no longer waits. */
  #queued<T>(plan: QualifiedId, turn: Promise<T>): Promise<T> {
    return turn.finally(() => this.#waiting.delete(plan));
  }

  #treeWaiter(location: PlanLocation, phase: Phase, stop: AbortSignal | undefined): Waiter {
    const describe = (behind: QualifiedId) => this.#describe(location, behind);
    return this.#waiter(location, phase, describe, stop);
  }

  /** Of all that is ahead in the queue, what a person has open is told: nothing moves until that person ends it. */
  #describe({ projectDirectory }: PlanLocation, behind: QualifiedId): string {
    const holder = this.#queue.holderOf(projectDirectory) ?? behind;
    const phase = this.#openByHand(holder);
    if (phase === undefined) return `${behind} works in the same tree`;
    const named = shellWord(holder);
    const finish = `Finish it with \`ravel run ${named} --by-hand\`, or drop it with \`ravel dismiss ${named}\`.`;
    return `${holder} has ${phase} open by hand in this tree. ${finish}`;
  }

  #waiter(location: PlanLocation, phase: Phase, describe: (behind: QualifiedId) => string, stop?: AbortSignal): Waiter {
    const { id } = location;
    return {
      plan: id,
      onWait: (behind) => {
        this.#waiting.set(id, () => describe(behind));
        emitFor(this.#services, id, { type: 'run.queued', phase, behind, reason: describe(behind) });
      },
      ...defined({ stop }),
    };
  }
}

/** Who wants a tree. */
export interface Waiter {
  readonly plan: QualifiedId;
  /** Called first when the tree is not free. */
  readonly onWait: (behind: QualifiedId) => void;
  /** Ends the waiting with its reason; once it is the waiter's turn, it is the work's to honour. */
  readonly stop?: AbortSignal;
}

/**
 * One queue for each working tree: only one phase that touches the source runs in it at a time, whichever plan it
 * belongs to, and commits of one repository are made one after the other. Who waits is told behind whom.
 */
export class WorkTreeQueue {
  readonly #queues = new Map<string, { readonly turns: Semaphore; holders: QualifiedId[] }>();

  /** The plan whose turn it is. */
  holderOf(tree: string): QualifiedId | undefined {
    return this.#queues.get(tree)?.holders[0];
  }

  /** Runs `work` when the tree is free. */
  async run<T>(tree: string, waiter: Waiter, work: () => Promise<T>): Promise<T> {
    const { plan, onWait, stop } = waiter;
    stop?.throwIfAborted();
    const entry = this.#queues.get(tree) ?? { turns: new Semaphore(1), holders: [] };
    this.#queues.set(tree, entry);
    const behind = entry.holders.at(-1);
    if (behind !== undefined) onWait(behind);
    entry.holders.push(plan);
    try {
      return await entry.turns.run(work, stop);
    } finally {
      entry.holders.splice(entry.holders.indexOf(plan), 1);
      if (entry.holders.length === 0) this.#queues.delete(tree);
    }
  }

  /** Takes the tree for a stretch of work; it is free again when the returned function is called. */
  async take(tree: string, waiter: Waiter): Promise<() => void> {
    const taken = createDeferred<void>();
    const released = createDeferred<void>();
    const turn = this.run(tree, waiter, () => {
      taken.resolve();
      return released.promise;
    });
    await Promise.race([taken.promise, turn]);
    return () => released.resolve();
  }
}
