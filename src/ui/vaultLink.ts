import { createDeferred, type Deferred } from '../base/async.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Api, RequestName, RequestParams, RequestResults } from '../model/protocol.ts';

/** How this window stands to its vault. `readOnly` is a vault that is looked at while nothing may run. */
export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'owner' }
  | { readonly kind: 'client'; readonly pid: number; readonly external: boolean }
  | { readonly kind: 'readOnly' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'closed' };

/** A vault once it is open: its Api, and how it was come by. */
export interface OpenedVault {
  readonly api: Api;
  readonly state: Extract<LinkState, { kind: 'owner' | 'client' | 'readOnly' }>;
  /** Calls back once, when the owner went away; never where this window owns. */
  onDidClose(listener: () => void): void;
  stop(): Promise<void>;
}

/** Opens a vault as whatever this window can be just now: its owner, or a client of who owns it. */
export type OpenVault = (vault: string, signal: AbortSignal) => Promise<OpenedVault>;

/**
 * One vault of this window, and an Api that outlives its owners: when one goes, the vault is opened again, by this
 * window or another. Requests wait for an open vault; one that was under way when the owner went rejects with
 * `server/gone`, since only who asked knows whether it may be repeated. Views hear of `onDidOpen` and take a new
 * snapshot.
 */
export class VaultLink implements Disposable {
  readonly vault: string;
  readonly api: Api;
  readonly #open: OpenVault;
  readonly #states: Emitter<LinkState>;
  readonly #opens: Emitter<void>;
  readonly #events: Emitter<RavelEvent>;
  readonly #stopping = new AbortController();
  #state: LinkState = { kind: 'connecting' };
  #opened: Deferred<OpenedVault> = createDeferred();
  #subscription: Disposable | undefined;

  constructor(vault: string, open: OpenVault, onError: (error: unknown) => void) {
    this.vault = vault;
    this.#open = open;
    this.#states = new Emitter(onError);
    this.#opens = new Emitter(onError);
    this.#events = new Emitter(onError);
    this.api = { request: this.#request.bind(this), onEvent: this.#events.event };
  }

  get state(): LinkState {
    return this.#state;
  }

  get onDidChangeState() {
    return this.#states.event;
  }

  /** The vault is open, for the first time or again: snapshots taken before it are out of date. */
  get onDidOpen() {
    return this.#opens.event;
  }

  /** Opens the vault; calling it again after a failure tries again. */
  async connect(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    this.#enter({ kind: 'connecting' });
    try {
      this.#take(await this.#open(this.vault, this.#stopping.signal));
    } catch (error) {
      this.#opened.promise.catch(() => undefined);
      this.#opened.reject(error);
      this.#opened = createDeferred();
      this.#enter({ kind: 'failed', error });
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#subscription?.dispose();
    const opened = this.#state.kind === 'connecting' || this.#state.kind === 'failed' ? undefined : this.#opened;
    this.#enter({ kind: 'closed' });
    await (await opened?.promise)?.stop();
  }

  dispose(): void {
    this.stop().catch(() => undefined);
  }

  #take(opened: OpenedVault): void {
    this.#subscription?.dispose();
    this.#subscription = opened.api.onEvent((event) => this.#events.emit(event));
    opened.onDidClose(() => {
      this.#opened = createDeferred();
      this.connect().catch(() => undefined);
    });
    this.#opened.resolve(opened);
    this.#enter(opened.state);
    this.#opens.emit();
  }

  #enter(state: LinkState): void {
    this.#state = state;
    this.#states.emit(state);
  }

  async #request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]> {
    const { api } = await this.#opened.promise;
    return api.request(name, params, signal);
  }
}
