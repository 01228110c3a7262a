import { CallThread } from './callThread.ts';
import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';

type ThreadOptions = ConstructorParameters<typeof CallThread>[1];

export interface IdleThreadOptions {
  readonly clock: Pick<Clock, 'schedule'>;
  readonly idleMs: number;
  /** How an idle thread ends: by itself, once it has done what it does at its end, or wherever it is. */
  readonly ends: 'by itself' | 'at once';
}

/**
 * A `CallThread` that starts with its first user and ends a while after its last one. One that ended or died is replaced
 * by another with the next user.
 */
export class IdleThread<Offered> {
  readonly #options: IdleThreadOptions;
  #thread: CallThread<Offered> | undefined;
  #users = 0;
  #idle: Disposable | undefined;
  #ending: Promise<unknown> = Promise.resolve();

  constructor(options: IdleThreadOptions) {
    this.#options = options;
  }

  /** Whether one runs now. */
  get isRunning(): boolean {
    return this.#thread !== undefined;
  }

  /** The thread, for as long as the caller needs it: it ends only after `release`. */
  use(program: string, options: () => ThreadOptions): CallThread<Offered> {
    const thread = this.#thread ?? new CallThread<Offered>(program, options());
    if (this.#thread === undefined) {
      this.#thread = thread;
      void thread.gone.then(() => {
        if (this.#thread === thread) this.#thread = undefined;
      });
    }
    this.#count(1);
    return thread;
  }

  release(): void {
    this.#count(-1);
  }

  /** Ends it, also while it is used. Resolves once each thread that was started here is gone. */
  async stop(): Promise<void> {
    this.#idle?.dispose();
    this.#end();
    await this.#ending;
  }

  #count(more: 1 | -1): void {
    this.#users += more;
    this.#idle?.dispose();
    if (this.#users > 0) return;
    this.#idle = this.#options.clock.schedule(this.#options.idleMs, () => this.#end());
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread === undefined) return;
    const ended = this.#options.ends === 'at once' ? thread.kill('it is not needed any more') : thread.stop();
    this.#ending = Promise.all([this.#ending, ended]);
  }
}
