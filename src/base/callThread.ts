import { Worker, type WorkerOptions } from 'node:worker_threads';
import { createDeferred, type Deferred } from './async.ts';

/** What is told to a thread: a call, whether its turn comes at all, or that nothing more is asked. */
export type ToThread =
  | { readonly call: number; readonly name: string; readonly argument: unknown }
  | { readonly ping: true }
  | { readonly ends: true };

export type FromThread =
  | { readonly call: number; readonly result: unknown }
  | { readonly call: number; readonly failure: string }
  | { readonly pong: true }
  | { readonly notice: unknown };

/** What one method of the thread's object takes, and what it gives. */
export type ArgumentOf<Offered, Name extends keyof Offered> = Offered[Name] extends (
  argument: infer Argument,
) => unknown
  ? Argument
  : never;
export type ResultOf<Offered, Name extends keyof Offered> = Offered[Name] extends (argument: never) => infer Result
  ? Awaited<Result>
  : never;

/**
 * A worker thread that offers the methods of one object (`offerCalls`). Calls are answered whatever their order. Arguments
 * and results are copied.
 */
export class CallThread<Offered, Notice = never> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Deferred<unknown>>();
  readonly #gone = createDeferred<number>();
  readonly #onNotice: ((notice: Notice) => void) | undefined;
  #pings: Deferred<true>[] = [];
  #nextCall = 1;
  /** Why it was ended. */
  #reason: string | undefined;
  #isGone = false;

  constructor(program: string, options: WorkerOptions, onNotice?: (notice: Notice) => void) {
    this.#onNotice = onNotice;
    this.#worker = new Worker(program, options);
    this.#worker.on('message', (message: FromThread) => this.#take(message));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', (code) => {
      // First, so that who asks again learns that this thread is gone.
      this.#isGone = true;
      this.#gone.resolve(code);
      this.#end(new Error(this.#reason ?? `the thread ended with code ${code}`));
    });
  }

  /** Resolves with the exit code once the thread is gone. */
  get gone(): Promise<number> {
    return this.#gone.promise;
  }

  /** Rejects with what the method throws, or if the thread ends before it answers. */
  call<Name extends keyof Offered & string>(
    name: Name,
    argument: ArgumentOf<Offered, Name>,
  ): Promise<ResultOf<Offered, Name>> {
    if (this.#isGone) return Promise.reject(new Error(this.#reason ?? 'the thread is gone'));
    const call = this.#nextCall;
    this.#nextCall += 1;
    const result = createDeferred<unknown>();
    this.#waiting.set(call, result);
    this.#send({ call, name, argument });
    // The object on the other side has this very type.
    return result.promise as Promise<ResultOf<Offered, Name>>;
  }

  /** Resolves once the thread has turned to its messages; never if it is stuck or gone. */
  async turn(): Promise<void> {
    const pong = createDeferred<true>();
    this.#pings.push(pong);
    this.#send({ ping: true });
    await pong.promise;
  }

  /** Resolves once the thread has done what it does at its end, and is gone. */
  async stop(): Promise<void> {
    if (this.#isGone) return;
    this.#send({ ends: true });
    await this.#gone.promise;
  }

  /** Ends it wherever it is; calls that wait are told the reason, a clause. */
  async kill(reason: string): Promise<void> {
    this.#reason = reason;
    await this.#worker.terminate();
  }

  #send(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #take(message: FromThread): void {
    if ('notice' in message) this.#onNotice?.(message.notice as Notice);
    else if ('pong' in message) this.#pings.shift()?.resolve(true);
    else {
      const waiting = this.#waiting.get(message.call);
      this.#waiting.delete(message.call);
      if ('failure' in message) waiting?.reject(new Error(message.failure));
      else waiting?.resolve(message.result);
    }
  }

  #end(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
    this.#pings = [];
  }
}
