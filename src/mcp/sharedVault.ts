import { isRavelError } from '../base/errors.ts';
import type { Api } from '../model/protocol.ts';

/** An open vault, as far as tools need it. */
export interface OpenedApi {
  readonly api: Api;
  stop(): Promise<void>;
}

/** `read` accepts a vault that has no owner; `own` makes this process the owner if there is none. */
export type VaultAccess = 'read' | 'own';

interface InUse {
  readonly opening: Promise<OpenedApi>;
  users: number;
}

/**
 * One vault for calls that come side by side: it is open only while a call uses it, so that another process can own it
 * in between. A call that only reads shares a vault that was opened to own.
 */
export class SharedVault {
  readonly #open: (access: VaultAccess) => Promise<OpenedApi>;
  readonly #inUse = new Map<VaultAccess, InUse>();

  constructor(open: (access: VaultAccess) => Promise<OpenedApi>) {
    this.#open = open;
  }

  async use<T>(access: VaultAccess, work: (api: Api) => Promise<T>): Promise<T> {
    const key = access === 'read' && this.#inUse.has('own') ? 'own' : access;
    const shared = this.#inUse.get(key) ?? { opening: this.#open(key), users: 0 };
    this.#inUse.set(key, shared);
    shared.users++;
    try {
      return await work((await shared.opening).api);
    } catch (error) {
      // The next call finds another owner, even while other calls have not noticed yet that theirs is gone.
      if (isRavelError(error, 'server/gone')) this.#forget(key, shared);
      throw error;
    } finally {
      shared.users--;
      if (shared.users === 0) {
        this.#forget(key, shared);
        // What could not be opened was told by the call itself.
        await shared.opening.then(
          (opened) => opened.stop(),
          () => undefined,
        );
      }
    }
  }

  #forget(key: VaultAccess, shared: InUse): void {
    if (this.#inUse.get(key) === shared) this.#inUse.delete(key);
  }
}
