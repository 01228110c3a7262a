import { Worker } from 'node:worker_threads';
import { onAbort } from '../base/abort.ts';
import { createDeferred } from '../base/async.ts';
import type { Diagnostic } from '../base/errors.ts';
import type { QualifiedId } from '../model/id.ts';

/** What a scan may be asked for: plans for a tree, for a list, or everything checked. */
export type ScanTask = 'outline' | 'overview' | 'verify';

/** Given to the thread when it starts. */
export interface ScanOrder {
  readonly task: ScanTask;
  readonly root: string;
  /** Of this program; a cache of another one is not used. */
  readonly version: string;
  /** Wall time when the scan was asked for. */
  readonly nowMs: number;
  /** The mark of a cache whose values the caller still has; those need not be told again. */
  readonly had?: string | undefined;
}

/**
 * A plan without what its id and project tell: the id, the id of its parent, and what was seen of it, unless the caller has
 * that already.
 */
export type PlanLine = readonly [id: QualifiedId, parent: QualifiedId | null, seen?: unknown];

/** What the thread tells; texts hold JSON, so that none takes this thread longer than a moment to read. */
export type ScanMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  /** The real path of each project's `ravel/`, by its name. */
  | { readonly kind: 'projects'; readonly text: string }
  | { readonly kind: 'plans'; readonly text: string }
  | { readonly kind: 'diagnostics'; readonly text: string }
  /** Nothing more is to be told of plans; the thread goes on to write its cache. */
  | { readonly kind: 'end'; readonly plans: number }
  /** The cache has each value that was told, and this mark; the thread ends. */
  | { readonly kind: 'cached'; readonly mark: string };

export interface ScanFindings {
  readonly diagnostics: readonly Diagnostic[];
  readonly plans: number;
}

export interface ScanListeners {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (done: number, total: number) => void;
  /** Plans in the order of their ids, some at a time; `projects` holds the `ravel/` of each project. */
  readonly onPlans?: (lines: readonly PlanLine[], projects: Readonly<Record<string, string>>) => void;
  /** Comes after the findings, if it comes. */
  readonly onCached?: (mark: string) => void;
}

export interface RunningScan {
  readonly findings: Promise<ScanFindings>;
  /** Resolves when the thread is gone. */
  readonly gone: Promise<void>;
}

/** Runs one scan in a thread of its own. An aborted signal ends the thread, wherever it is. */
export function startScanThread(
  program: string,
  order: ScanOrder,
  { signal, onProgress, onPlans, onCached }: ScanListeners,
): RunningScan {
  const findings = createDeferred<ScanFindings>();
  const gone = createDeferred<void>();
  // Most of what a scan makes is dropped at once; room for it saves half of the time that goes into clearing up.
  const worker = new Worker(program, { workerData: order, resourceLimits: { maxYoungGenerationSizeMb: youngSizeMb } });
  let projects: Readonly<Record<string, string>> = {};
  const diagnostics: Diagnostic[] = [];
  const listening = onAbort(signal, () => {
    findings.reject(signal?.reason);
    void worker.terminate();
  });
  worker.on('message', (message: ScanMessage) => {
    if (message.kind === 'progress') onProgress?.(message.done, message.total);
    else if (message.kind === 'projects') projects = JSON.parse(message.text);
    else if (message.kind === 'plans') onPlans?.(JSON.parse(message.text), projects);
    else if (message.kind === 'diagnostics') for (const problem of JSON.parse(message.text)) diagnostics.push(problem);
    else if (message.kind === 'cached') onCached?.(message.mark);
    else findings.resolve({ diagnostics, plans: message.plans });
  });
  worker.on('error', (error) => findings.reject(error));
  worker.on('exit', (code) => {
    listening.dispose();
    findings.reject(new Error(`the scan ended with code ${code} before it was done`));
    gone.resolve();
  });
  return { findings: findings.promise, gone: gone.promise };
}

/** MiB for young objects in the thread of a scan, which makes many that are dropped soon. */
const youngSizeMb = 192;
