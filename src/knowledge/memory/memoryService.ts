import type { ArgumentOf, CallThread, ResultOf } from '../../base/callThread.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import { messageOf } from '../../base/errors.ts';
import { exists } from '../../base/files.ts';
import { IdleThread } from '../../base/idleThread.ts';
import type { Logger } from '../../base/log.ts';
import { failure } from '../../model/codes.ts';
import type { CallMemory } from './memoryForCall.ts';
import { OpenMemories, type OpenOrder, type PromptOrder, type RecallOrder } from './openMemories.ts';
import type { PromptMemory } from './promptMemory.ts';

/** A memory that tool calls are held against. */
export interface OpenMemory {
  /** Undefined if the memory has nothing new; rejects with `memory/failed` if the thread that holds it is gone. */
  recall(order: Omit<RecallOrder, 'memory'>): Promise<CallMemory | undefined>;
  close(): void;
}

export interface MemoryServicePorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Logger;
  /** The bundle of `memoryWorker.ts`; without it all memories are read in this thread. */
  readonly program?: string;
}

/** A memory of as many characters is read in some milliseconds, which is less than a thread takes to start. */
const hereMax = 64 * 1024;
const idleMs = 60_000;
const heapMb = 1024;

type Thread = CallThread<OpenMemories>;

/**
 * Chooses what sessions are given of their memories. That takes a second for ten thousand entries, during which the owner of
 * a vault must answer others: large memories are read in a thread, which ends a minute after it was last needed.
 */
export class MemoryService {
  readonly #ports: MemoryServicePorts;
  readonly #here = new OpenMemories();
  readonly #thread: IdleThread<OpenMemories>;
  #nextMemory = 1;

  constructor(ports: MemoryServicePorts) {
    this.#ports = ports;
    this.#thread = new IdleThread({ clock: ports.clock, idleMs, ends: 'at once' });
  }

  /** What a prompt is given of a memory. */
  async prompt(order: PromptOrder): Promise<PromptMemory> {
    const thread = await this.#threadFor(order.text);
    if (thread === undefined) return this.#here.prompt(order);
    try {
      return await thread.call('prompt', order);
    } catch (error) {
      // A session begins although the thread could not be started, or had too little memory.
      this.#ports.log.warn('a memory is read in the thread of its owner', { error: messageOf(error) });
      return this.#here.prompt(order);
    } finally {
      this.#thread.release();
    }
  }

  /** Rejects with `memory/failed` if it cannot be read in its thread. Close what you open. */
  async open(order: Omit<OpenOrder, 'memory'>): Promise<OpenMemory> {
    const memory = this.#nextMemory;
    this.#nextMemory += 1;
    const thread = await this.#threadFor(order.text);
    if (thread === undefined) {
      this.#here.open({ ...order, memory });
      return {
        recall: (asked) => Promise.resolve(this.#here.recall({ ...asked, memory })),
        close: () => this.#here.close({ memory }),
      };
    }
    try {
      await callOf(thread, 'open', { ...order, memory });
    } catch (error) {
      this.#thread.release();
      throw error;
    }
    return {
      recall: (asked) => callOf(thread, 'recall', { ...asked, memory }),
      close: () => {
        // Of a thread that is gone, nothing is open.
        callOf(thread, 'close', { memory }).catch(() => undefined);
        this.#thread.release();
      },
    };
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }

  /** Undefined for a memory that is read here; a thread is the caller's until it is released. */
  async #threadFor(text: string): Promise<Thread | undefined> {
    const { disk, program } = this.#ports;
    if (text.length <= hereMax || program === undefined || !(await exists(disk, program))) return undefined;
    return this.#thread.use(program, () => ({ resourceLimits: { maxOldGenerationSizeMb: heapMb } }));
  }
}

async function callOf<Name extends keyof OpenMemories & string>(
  thread: Thread,
  name: Name,
  argument: ArgumentOf<OpenMemories, Name>,
): Promise<ResultOf<OpenMemories, Name>> {
  try {
    return await thread.call(name, argument);
  } catch (error) {
    throw failure('memory/failed', 'memory', `The memory could not be read in its thread: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}
