import { dirname } from 'node:path';
import type { Disk, DiskFile, FileStamps } from './disk.ts';

/** Beyond this number the oldest notes are dropped; callers ask within seconds. */
const notesMax = 20_000;

type Move = 'put' | 'taken';

/**
 * A disk that remembers what was changed through it, so that a watcher of the same files can tell those changes from
 * the changes of others. A file is identified by its stamps (inode, size, time of its last change) and not by its path,
 * so another program's file that takes its place a moment later is not mistaken for it.
 */
export class OwnWrites {
  readonly disk: Disk;
  readonly #written = new Set<string>();
  readonly #moves = new Map<string, { readonly move: Move; readonly order: number }>();
  #order = 0;

  constructor(disk: Disk) {
    this.disk = this.#remembering(disk);
  }

  /** Whether a file with these stamps was written whole through this disk. */
  wrote(stamps: FileStamps): boolean {
    return this.#written.has(nameOf(stamps));
  }

  /** Whether this path, or a folder above it, was put in its place through this disk: a rename, a link. */
  put(path: string): boolean {
    return this.#moved(path, 'put');
  }

  /** Whether this path, or a folder above it, was removed or renamed away through this disk. */
  took(path: string): boolean {
    return this.#moved(path, 'taken');
  }

  /** What `forget` drops: whatever was done until now. */
  get mark(): number {
    return this.#order;
  }

  /** The watcher has seen all moves up to `mark`; from now on another program can change the same path. */
  forget(mark: number, below = ''): void {
    for (const [path, { order }] of this.#moves) {
      if (order <= mark && path.startsWith(below)) this.#moves.delete(path);
    }
  }

  #moved(path: string, move: Move): boolean {
    for (let at = path; ; at = dirname(at)) {
      if (this.#moves.get(at)?.move === move) return true;
      if (dirname(at) === at) return false;
    }
  }

  /**
   * Noted before the change and again after it: a watcher that looks in between finds the note, and forgets only the
   * first.
   */
  async #move(moves: readonly (readonly [string, Move])[], work: () => Promise<void>): Promise<void> {
    this.#record(moves);
    await work();
    this.#record(moves);
  }

  #record(moves: readonly (readonly [string, Move])[]): void {
    for (const [path, move] of moves) {
      this.#moves.delete(path);
      this.#moves.set(path, { move, order: ++this.#order });
    }
    dropOldest(this.#moves);
  }

  #remembering(disk: Disk): Disk {
    return {
      ...disk,
      open: async (path, mode, permissions) => {
        const file = await disk.open(path, mode, permissions);
        return mode === 'exclusive' ? this.#rememberedOnSync(disk, file, path) : file;
      },
      rename: (from, to) =>
        this.#move(
          [
            [from, 'taken'],
            [to, 'put'],
          ],
          () => disk.rename(from, to),
        ),
      renameIf: async (from, to, isStill) => {
        let isDone = false;
        const moves = [[from, 'taken'] as const, [to, 'put'] as const];
        await this.#move(moves, async () => {
          isDone = await disk.renameIf(from, to, isStill);
        });
        return isDone;
      },
      link: (existing, path) => this.#move([[path, 'put']], () => disk.link(existing, path)),
      symlink: (target, path) => this.#move([[path, 'put']], () => disk.symlink(target, path)),
      unlink: (path) => this.#move([[path, 'taken']], () => disk.unlink(path)),
      unlinkIf: async (path, isStill) => {
        let isDone = false;
        await this.#move([[path, 'taken']], async () => {
          isDone = await disk.unlinkIf(path, isStill);
        });
        return isDone;
      },
      removeDirectory: (path) => this.#move([[path, 'taken']], () => disk.removeDirectory(path)),
    };
  }

  /** While it has its temporary name: before another process can have written into it, and whole, as each write ends. */
  #rememberedOnSync(disk: Disk, file: DiskFile, path: string): DiskFile {
    return {
      read: (buffer, position) => file.read(buffer, position),
      write: (data) => file.write(data),
      sync: async () => {
        await file.sync();
        this.#written.add(nameOf(await disk.stampEach([path])));
        dropOldest(this.#written);
      },
      truncate: (length) => file.truncate(length),
      size: () => file.size(),
      close: () => file.close(),
    };
  }
}

/** Without the time of the last note: a rename and a new permission change that, and not the file. */
function nameOf(stamps: FileStamps): string {
  return `${stamps[0]} ${stamps[1]} ${stamps[2]}`;
}

/** In the order in which they were added. */
function dropOldest<Key>(notes: { keys(): Iterable<Key>; delete(key: Key): boolean; readonly size: number }): void {
  for (const key of notes.keys()) {
    if (notes.size <= notesMax) return;
    notes.delete(key);
  }
}
