import { basename, dirname, join, relative, sep } from 'node:path';
import { settleAll } from '../base/async.ts';
import type { ReadingDisk } from '../base/disk.ts';
import { systemCode } from '../base/errors.ts';
import { isTemporaryName } from '../base/files.ts';
import { rootPlanName } from '../model/id.ts';
import { projectPaths, type VaultLayout } from './layout.ts';
import { isWatchedName } from './vaultSnapshot.ts';
import type { TreeListeners, TreeWatch, WatchTree } from './watcher.ts';

export interface FolderListeners {
  /** A state file below the folder of what may be a plan of this id. */
  onPlanFile(id: string): void;
  /** Something of the vault's own. */
  onVaultFile(): void;
  /** A folder came or went, or could not be watched. */
  onFolder(): void;
  /** The system allows no more watches; nothing is watched from now on. */
  onLimit(error: unknown): void;
}

export interface FolderParts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly watchTree: WatchTree;
  readonly listeners: FolderListeners;
}

/** What the system says when it has no watch left to give, or no descriptor for one. */
const limitCodes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/**
 * The folders of a vault that are watched: its own, and below the real path of each linked project those that can hold
 * plans. Never `runtime/`, a `.git`, or the source of a project.
 */
export class WatchedFolders {
  readonly #parts: FolderParts;
  /** By the real path of the folder on top. */
  readonly #trees = new Map<string, TreeWatch>();
  /** Folders whose watch ended, perhaps with another folder in their place. */
  readonly #lost = new Set<string>();

  constructor(parts: FolderParts) {
    this.#parts = parts;
  }

  /** Watches what is there now. True if something is watched that was not: what it held before may be news. */
  async follow(): Promise<boolean> {
    const wanted = await this.#wanted();
    for (const root of [...this.#trees.keys()]) if (!wanted.has(root)) await this.drop(root);
    await this.#dropReplaced();
    const added = [...wanted].filter(([root]) => !this.#trees.has(root));
    for (const [root, watch] of added) {
      const tree = watch();
      this.#trees.set(root, tree);
      // One at a time: all at once would hold up other work.
      await tree.ready;
    }
    return added.length > 0;
  }

  /** `follow` watches it again. */
  async drop(root: string): Promise<void> {
    const tree = this.#trees.get(root);
    this.#trees.delete(root);
    await tree?.stop();
  }

  async stop(): Promise<void> {
    const trees = [...this.#trees.values()];
    this.#trees.clear();
    await settleAll(trees.map((tree) => tree.stop()));
  }

  async #wanted(): Promise<ReadonlyMap<string, () => TreeWatch>> {
    const { disk, layout } = this.#parts;
    const wanted = new Map<string, () => TreeWatch>();
    const vault = await realFolderOf(disk, layout.root);
    if (vault !== undefined) wanted.set(vault, () => this.#watchVault(vault));
    for (const name of await linkNames(disk, layout.projects)) {
      const ravel = await realFolderOf(disk, layout.project(name));
      if (ravel === undefined || basename(ravel) !== projectPaths.ravel || wanted.has(ravel)) continue;
      wanted.set(ravel, () => this.#watchProject(name, ravel));
    }
    return wanted;
  }

  #watchVault(root: string): TreeWatch {
    const { layout, watchTree, listeners } = this.#parts;
    const folders = [layout.experts, layout.projects].map((path) => join(root, relative(layout.root, path)));
    return watchTree(root, (folder) => folder === root || folders.includes(folder), {
      ...this.#listeners(),
      onTouched: () => listeners.onVaultFile(),
    });
  }

  #watchProject(project: string, root: string): TreeWatch {
    const { watchTree, listeners } = this.#parts;
    const plans = join(root, rootPlanName);
    const accepts = (folder: string): boolean => {
      if (folder === root || folder === plans) return true;
      const name = basename(folder);
      return folder.startsWith(plans + sep) && name !== '.git' && !isTemporaryName(name);
    };
    return watchTree(root, accepts, {
      ...this.#listeners(),
      onTouched: (path) => {
        if (!isWatchedName(basename(path))) return;
        listeners.onPlanFile([project, ...relative(root, dirname(path)).split(sep)].join('/'));
      },
    });
  }

  #listeners(): TreeListeners {
    const { listeners } = this.#parts;
    return {
      onTouched: () => undefined,
      onFolder: () => listeners.onFolder(),
      onLost: (folder) => {
        this.#lost.add(folder);
        listeners.onFolder();
      },
      onFailed: (error) => {
        if (limitCodes.has(systemCode(error))) listeners.onLimit(error);
        else listeners.onFolder();
      },
    };
  }

  /** A folder that was removed and made again has its old name, but the watch on it has ended. */
  async #dropReplaced(): Promise<void> {
    const lost = [...this.#lost];
    this.#lost.clear();
    for (const folder of lost) {
      const root = [...this.#trees.keys()].find((top) => folder === top || folder.startsWith(top + sep));
      if (root !== undefined && (await realFolderOf(this.#parts.disk, folder)) !== undefined) await this.drop(root);
    }
  }
}

async function linkNames(disk: ReadingDisk, folder: string): Promise<string[]> {
  try {
    return (await disk.readDirectory(folder)).filter(({ kind }) => kind === 'symlink').map(({ name }) => name);
  } catch (error) {
    return whereUnreachable(error, []);
  }
}

async function realFolderOf(disk: ReadingDisk, path: string): Promise<string | undefined> {
  try {
    const real = await disk.realPath(path);
    return (await disk.stat(real)).kind === 'directory' ? real : undefined;
  } catch (error) {
    return whereUnreachable(error, undefined);
  }
}

/** What cannot be reached is not watched; the walk tells why. */
function whereUnreachable<T>(error: unknown, instead: T): T {
  if (systemCode(error) === undefined) throw error;
  return instead;
}
