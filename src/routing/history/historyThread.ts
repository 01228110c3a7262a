import { Worker } from 'node:worker_threads';
import { onAbort } from '../../base/abort.ts';
import { createDeferred } from '../../base/async.ts';
import type { Segment } from './historyFiles.ts';
import type { ReadRecords } from './historyIndex.ts';
import type { ReadEnd } from './readRecords.ts';

/** Given to the thread when it starts. */
export interface HistoryOrder {
  readonly segments: readonly Segment[];
}

export type HistoryMessage =
  | { readonly kind: 'records'; readonly records: ReadRecords }
  | { readonly kind: 'end'; readonly end: ReadEnd };

/** Reads the routing history in a thread of its own; tells the records in their order. An aborted signal ends the thread. */
export async function readInThread(
  program: string,
  order: HistoryOrder,
  onRecords: (records: ReadRecords) => void,
  signal: AbortSignal,
): Promise<ReadEnd> {
  signal.throwIfAborted();
  const end = createDeferred<ReadEnd>();
  const worker = new Worker(program, { workerData: order });
  const listening = onAbort(signal, () => {
    end.reject(signal.reason);
    void worker.terminate();
  });
  worker.on('message', (message: HistoryMessage) => {
    if (message.kind === 'records') onRecords(message.records);
    else end.resolve(message.end);
  });
  worker.on('error', (error) => end.reject(error));
  worker.on('exit', (code) => {
    listening.dispose();
    end.reject(new Error(`the thread ended with code ${code} before it was done`));
  });
  return end.promise;
}
