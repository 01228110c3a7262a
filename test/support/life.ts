import { type ChildProcess, ChildProcess as NodeChild } from 'node:child_process';
import type { Clock } from '../../src/base/clock.ts';
import type { Disk, DiskFile } from '../../src/base/disk.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';
import type { ProcessTable, Spawn } from '../../src/base/processes.ts';

type Port = Disk | DiskFile | ProcessTable;

export interface LifeHooks {
  /** Called before a file system operation; may end the life. */
  readonly beforeOperation?: (name: string, path: string) => void;
  /** Called before a program is started; may end the life. */
  readonly beforeProgram?: (program: string, args: readonly string[]) => void;
  /** Does a file system operation in its own time; undefined leaves it to be done at once. */
  readonly during?: (name: string, work: () => Promise<unknown>, path: string) => Promise<unknown> | undefined;
}

/**
 * The life of something that runs in the test's own process and can be ended at any moment, like a process by SIGKILL.
 * Once it is over, its ports answer nothing and do nothing: no file system operation, no program, no timer. What was
 * under way at that moment comes to its end as in an operating system, and nothing hears of it.
 */
export class Life {
  readonly #hooks: LifeHooks;
  readonly #timers = new Set<Disposable>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #files = new Set<DiskFile>();
  readonly #children = new Set<ChildProcess>();
  readonly #programs = new Set<Promise<void>>();
  readonly #listeners = new Set<() => void>();
  #isOver = false;

  constructor(hooks: LifeHooks = {}) {
    this.#hooks = hooks;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The end, at once. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers) timer.dispose();
    for (const child of this.#children) {
      for (const name of ['error', 'exit', 'close']) child.removeAllListeners(name);
      child.on('error', () => undefined);
      for (const stream of [child.stdout, child.stderr]) {
        stream?.removeAllListeners('data');
        // What it still says goes nowhere, and it is not to wait for a reader.
        stream?.resume();
      }
    }
    for (const listener of this.#listeners) listener();
  }

  onEnd(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  }

  /** Resolves once the programs that it waited for have ended. */
  async programsEnded(): Promise<void> {
    await Promise.all(this.#programs);
  }

  /** Whether a program runs that it waits for. */
  get hasPrograms(): boolean {
    return this.#programs.size > 0;
  }

  /** Resolves once the file operations that were under way are done. Closes what this life left open. */
  async quiet(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay);
    for (const file of this.#files) await file.close();
    this.#files.clear();
  }

  disk(disk: Disk): Disk {
    return this.#port(disk, {
      open: async (path: string, ...rest: [Parameters<Disk['open']>[1], number?]) => {
        const file = await disk.open(path, ...rest);
        this.#files.add(file);
        const close = () => {
          this.#files.delete(file);
          return file.close();
        };
        return this.#port(file, { close }, path);
      },
    });
  }

  processes(table: ProcessTable): ProcessTable {
    const signal: ProcessTable['signal'] = (pid, name) => {
      if (!this.#isOver) table.signal(pid, name);
    };
    return { ...this.#port({ ...table }, {}), hasPid: table.hasPid, signal };
  }

  clock(clock: Clock): Clock {
    return {
      wallMs: () => clock.wallMs(),
      monotonicMs: () => clock.monotonicMs(),
      schedule: (delayMs, callback) => {
        if (this.#isOver) return toDisposable(() => undefined);
        const scheduled = clock.schedule(delayMs, () => {
          this.#timers.delete(timer);
          callback();
        });
        const timer = toDisposable(() => {
          this.#timers.delete(timer);
          scheduled.dispose();
        });
        this.#timers.add(timer);
        return timer;
      },
    };
  }

  spawn(spawn: Spawn): Spawn {
    return (program, args, options) => {
      if (!this.#isOver) this.#hooks.beforeProgram?.(program, args);
      // A child that never starts and of which nothing is ever heard.
      if (this.#isOver) return new NodeChild();
      const child = spawn(program, args, options);
      this.#children.add(child);
      const closed = new Promise<void>((resolve) => {
        const onClose = () => {
          this.#children.delete(child);
          resolve();
        };
        child.once('close', onClose);
        // The end takes all listeners of a child away.
        this.onEnd(() => child.once('close', onClose));
      });
      // What has no pipe to its starter is a session, which outlives it.
      if (child.pid !== undefined && child.stdout) {
        this.#programs.add(closed);
        void closed.then(() => this.#programs.delete(closed));
      }
      return child;
    };
  }

  /** Each method of `port`, or the one that stands in for it, as long as this life lasts. */
  #port<P extends Port>(port: P, instead: object, place = ''): P {
    return new Proxy(port, {
      get: (target, name) => {
        const own: unknown = Reflect.get(instead, name) ?? Reflect.get(target, name, target);
        if (typeof own !== 'function') return own;
        const label = 'sync' in target ? `file.${String(name)}` : String(name);
        return (...args: readonly unknown[]) => {
          const path = place === '' ? String(args[0]) : place;
          return this.#whileAlive(labelOf(label, args), path, () => own.apply(target, args));
        };
      },
    });
  }

  async #whileAlive(name: string, path: string, work: () => Promise<unknown>): Promise<unknown> {
    if (!this.#isOver) this.#hooks.beforeOperation?.(name, path);
    if (this.#isOver) return never();
    const doing = this.#hooks.during?.(name, work, path) ?? work();
    this.#track(doing);
    try {
      const result = await doing;
      return this.#isOver ? never() : result;
    } catch (error) {
      if (this.#isOver) return never();
      throw error;
    }
  }

  #track(doing: Promise<unknown>): void {
    const tracked: Promise<unknown> = doing.then(
      () => this.#underWay.delete(tracked),
      () => this.#underWay.delete(tracked),
    );
    this.#underWay.add(tracked);
  }
}

/** To open a file can make one. */
function labelOf(name: string, [, mode]: readonly unknown[]): string {
  if (name === 'renameIf') return 'rename';
  if (name === 'unlinkIf') return 'unlink';
  return name === 'open' && mode !== 'read' && mode !== 'update' ? 'create' : name;
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
