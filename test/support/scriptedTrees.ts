import { createDeferred } from '../../src/base/async.ts';
import type { TreeListeners, WatchTree } from '../../src/vault/watcher.ts';

export interface ScriptedTree {
  readonly root: string;
  readonly accepts: (folder: string) => boolean;
  readonly listeners: TreeListeners;
}

/** A watcher of folders that says what a test has it say. */
export class ScriptedTrees {
  readonly #trees = new Set<ScriptedTree>();
  readonly #firstMade = createDeferred<void>();
  /** How often a watch was made. */
  made = 0;

  readonly watchTree: WatchTree = (root, accepts, listeners) => {
    const tree = { root, accepts, listeners };
    this.#trees.add(tree);
    this.made++;
    this.#firstMade.resolve();
    return { ready: Promise.resolve(), stop: async () => void this.#trees.delete(tree) };
  };

  /** Resolves once a watch was made. */
  get firstMade(): Promise<void> {
    return this.#firstMade.promise;
  }

  get roots(): string[] {
    return [...this.#trees].map(({ root }) => root).sort();
  }

  at(path: string): ScriptedTree {
    const found = [...this.#trees].find(({ root }) => path === root || path.startsWith(`${root}/`));
    if (found === undefined) throw new Error(`nobody watches ${path}`);
    return found;
  }

  touch(...paths: string[]): void {
    for (const path of paths) this.at(path).listeners.onTouched(path);
  }
}
