import { Worker } from 'node:worker_threads';
import { createDeferred, type Deferred } from '../../base/async.ts';
import type { SearchAnswer, SearchProblem, SearchRequest } from './vaultSearcher.ts';

/** Given to the thread when it starts. */
export interface SearchThreadOrder {
  readonly root: string;
  /** Of this program; an index of another one is not used. */
  readonly version: string;
  /** Whether what was saved is passed over. */
  readonly rebuilds: boolean;
}

export type ToSearchThread =
  | { readonly kind: 'search'; readonly id: number; readonly request: SearchRequest }
  /** Saves and ends. */
  | { readonly kind: 'stop' };

export type FromSearchThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: SearchAnswer }
  | { readonly kind: 'failed'; readonly id: number; readonly message: string }
  | { readonly kind: 'problem'; readonly problem: SearchProblem };

/** A thread that searches one vault, and answers several requests at once. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Deferred<SearchAnswer>>();
  readonly #gone = createDeferred<boolean>();
  #nextId = 1;
  #isStopping = false;

  constructor(program: string, order: SearchThreadOrder, onProblem: (problem: SearchProblem) => void) {
    this.#worker = new Worker(program, { workerData: order, resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    this.#worker.on('message', (message: FromSearchThread) => {
      if (message.kind === 'problem') onProblem(message.problem);
      else if (message.kind === 'answer') this.#take(message.id)?.resolve(message.answer);
      else this.#take(message.id)?.reject(new Error(message.message));
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', (code) => {
      this.#end(new Error(`the thread ended with code ${code}`));
      this.#gone.resolve(this.#isStopping && code === 0);
    });
  }

  /** Resolves once the thread is gone, with whether it was stopped and ended in order. */
  get gone(): Promise<boolean> {
    return this.#gone.promise;
  }

  /** Rejects if the thread ends before it answers. */
  search(request: SearchRequest): Promise<SearchAnswer> {
    const id = this.#nextId;
    this.#nextId += 1;
    const answer = createDeferred<SearchAnswer>();
    this.#waiting.set(id, answer);
    this.#send({ kind: 'search', id, request });
    return answer.promise;
  }

  /** Resolves once the index is saved and the thread is gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#send({ kind: 'stop' });
    await this.#gone.promise;
  }

  #send(message: ToSearchThread): void {
    this.#worker.postMessage(message);
  }

  #take(id: number): Deferred<SearchAnswer> | undefined {
    const answer = this.#waiting.get(id);
    this.#waiting.delete(id);
    return answer;
  }

  #end(error: Error): void {
    for (const answer of this.#waiting.values()) answer.reject(error);
    this.#waiting.clear();
  }
}

/** Of what is not in the lists of the index: names, ids and the files of the last answers. */
const heapMb = 1536;
