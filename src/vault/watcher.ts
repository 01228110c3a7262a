import { basename, join } from 'node:path';
import { watch } from 'chokidar';
import { createDeferred } from '../base/async.ts';

/** What a watcher of folders says. None of it is the truth: it only says where to look. */
export interface TreeListeners {
  /** Something may have happened at this path. */
  onTouched(path: string): void;
  /** A folder came or went. */
  onFolder(path: string): void;
  /** A folder that was watched is gone, and what now has its name, if anything does, may not be watched. */
  onLost(folder: string): void;
  onFailed(error: unknown): void;
}

export interface TreeWatch {
  /** Resolves once changes are told, or once something failed. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Watches a folder and those below it that it `accepts`; no link is followed. */
export type WatchTree = (root: string, accepts: (folder: string) => boolean, listeners: TreeListeners) => TreeWatch;

/**
 * Watches folders alone: of a plan with eight files that is one watch of the system instead of nine, and the folder's
 * own watch names the files.
 */
export const watchTree: WatchTree = (root, accepts, listeners) => {
  const ready = createDeferred<void>();
  const watcher = watch([root], {
    ignoreInitial: true,
    followSymlinks: false,
    ignorePermissionErrors: false,
    atomic: false,
    ignored: (path, stats) => (stats !== undefined && !stats.isDirectory()) || !accepts(path),
  });
  watcher.on('ready', () => ready.resolve());
  watcher.on('addDir', (path) => listeners.onFolder(path));
  watcher.on('unlinkDir', (path) => listeners.onFolder(path));
  watcher.on('raw', (_event, name: unknown, details: unknown) => {
    const folder = watchedPath(details);
    if (folder === undefined) return;
    // The system tells a folder's own end under its own name.
    if (name === basename(folder)) listeners.onLost(folder);
    listeners.onTouched(typeof name === 'string' ? join(folder, name) : folder);
  });
  watcher.on('error', (error) => {
    listeners.onFailed(error);
    // A folder that cannot be read keeps the rest from being told as ready.
    ready.resolve();
  });
  return { ready: ready.promise, stop: () => watcher.close() };
};

function watchedPath(details: unknown): string | undefined {
  if (typeof details !== 'object' || details === null || !('watchedPath' in details)) return undefined;
  return typeof details.watchedPath === 'string' ? details.watchedPath : undefined;
}
