import { createDeferred } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disk, DiskFile } from '../base/disk.ts';
import type { Disposable } from '../base/disposable.ts';
import type { RavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import { keepFresh } from './claim.ts';
import type { HeldLock } from './lock.ts';

export interface OwnershipOptions {
  readonly lock: HeldLock;
  readonly disk: Disk;
  readonly clock: Clock;
  /** The vault's folder, for what is said about it. */
  readonly vault: string;
}

/** After this long without a check, in milliseconds, the next change waits for one: the process was suspended, or the machine slept. */
const leaseMs = 10_000;

/**
 * The right of an owner to change its vault. It checks now and then whether its lock is still the highest; if another
 * process has taken the vault, it is lost for good, and nothing is written through `disk` any more.
 */
export class Ownership {
  /** As the disk that was given; its changes fail with `vault/lost` once the vault is lost. */
  readonly disk: Disk;
  /** Resolves with `vault/lost`. */
  readonly lost: Promise<RavelError>;
  readonly #options: OwnershipOptions;
  readonly #loss = createDeferred<RavelError>();
  readonly #beat: Disposable;
  #error: RavelError | undefined;
  #checkedMs: number;
  #checking: Promise<void> | undefined;

  constructor(options: OwnershipOptions) {
    this.#options = options;
    this.#checkedMs = options.clock.wallMs();
    this.lost = this.#loss.promise;
    this.disk = guarded(options.disk, () => this.assertOwned());
    this.#beat = keepFresh(options.clock, () => this.check());
  }

  get isLost(): boolean {
    return this.#error !== undefined;
  }

  /** Looks whether the vault is still owned, and shows others that its owner lives. Throws what the disk refuses. */
  check(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** Rejects with `vault/lost` once the vault is lost; what changes it and is not `disk` asks here first. */
  async assertOwned(): Promise<void> {
    const awayMs = this.#options.clock.wallMs() - this.#checkedMs;
    if (this.#error === undefined && Math.abs(awayMs) > leaseMs) await this.check();
    if (this.#error !== undefined) throw this.#error;
  }

  /** Ends the checks; the code that took the lock releases it. */
  stop(): void {
    this.#beat.dispose();
  }

  async #checkOnce(): Promise<void> {
    const { lock, clock, vault } = this.#options;
    if (await lock.confirm()) {
      this.#checkedMs = clock.wallMs();
      return;
    }
    this.#error ??= failure(
      'vault/lost',
      vault,
      `Another process owns the vault ${vault} now; this one has given it up.`,
    );
    this.#beat.dispose();
    this.#loss.resolve(this.#error);
  }
}

function guarded(disk: Disk, assertOwned: () => Promise<void>): Disk {
  const change =
    <A extends readonly unknown[], R>(work: (...input: A) => Promise<R>) =>
    async (...input: A): Promise<R> => {
      await assertOwned();
      return work(...input);
    };
  const guardedFile = (file: DiskFile): DiskFile => ({
    read: (buffer, position) => file.read(buffer, position),
    write: change((data: Uint8Array) => file.write(data)),
    sync: () => file.sync(),
    truncate: change((length: number) => file.truncate(length)),
    size: () => file.size(),
    close: () => file.close(),
  });
  // Each operation is named: one that the port gains has to be put among those that read or those that change.
  return {
    ...{ readFile: disk.readFile, readEach: disk.readEach, readDirectory: disk.readDirectory, readLink: disk.readLink },
    ...{ lstat: disk.lstat, stat: disk.stat, stampEach: disk.stampEach, realPath: disk.realPath },
    ...{ freeBytes: disk.freeBytes, syncDirectory: disk.syncDirectory },
    open: async (path, mode, permissions) => {
      if (mode === 'read' || mode === 'readItself') return disk.open(path, mode, permissions);
      await assertOwned();
      return guardedFile(await disk.open(path, mode, permissions));
    },
    rename: change(disk.rename),
    renameIf: change(disk.renameIf),
    link: change(disk.link),
    symlink: change(disk.symlink),
    unlink: change(disk.unlink),
    unlinkIf: change(disk.unlinkIf),
    makeDirectory: change(disk.makeDirectory),
    removeDirectory: change(disk.removeDirectory),
    changeMode: change(disk.changeMode),
    cloneFile: change(disk.cloneFile),
  };
}
