import { t } from '@vscode/l10n';
import { rejectOnAbort } from '../base/abort.ts';
import { createDeferred, type Deferred } from '../base/async.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { isRavelError } from '../base/errors.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { failure } from '../model/codes.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Api, RequestName, RequestParams, RequestResults } from '../model/protocol.ts';
import { isReadOnly } from '../model/requestKinds.ts';
import { nextAttempt } from './nextAttempt.ts';

/** How this window stands to its vault. `readOnly` is a vault that is looked at while nothing may run. */
export type LinkState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'owner' }
  | { readonly kind: 'client'; readonly pid: number; readonly external: boolean }
  | { readonly kind: 'readOnly' }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'closed' };

/** Why an open vault is open no longer: its owner went away, or this window owned it and was asked to let go. */
export type VaultCloseReason = 'gone' | 'dismissed';

/** A vault once it is open: its Api, and how it was come by. */
export interface OpenedVault {
  readonly api: Api;
  readonly state: Extract<LinkState, { kind: 'owner' | 'client' | 'readOnly' }>;
  /** Calls back once. */
  onDidClose(listener: (reason: VaultCloseReason) => void): void;
  /** Events were lost on the way, since this side was too slow for them. */
  onDidDrop(listener: () => void): void;
  stop(): Promise<void>;
}

/**
 * Opens a vault as whatever this window can be just now: its owner, if `mayOwn` lets it, or a client of who owns it.
 * Looks once: who rejects is asked again.
 */
export type OpenVault = (vault: string, how: { readonly mayOwn: boolean }) => Promise<OpenedVault>;

export interface LinkOptions {
  readonly vault: string;
  readonly open: OpenVault;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * One vault of this window, and an Api that outlives its owners: when one goes, the vault is opened again, by this
 * window or another. Requests wait for an open vault. One that was under way when the owner went is asked of the next
 * owner if it only reads; else it rejects with `server/gone`, since only who asked knows whether it may be repeated.
 * Views hear of `onDidOpen` and take a new snapshot.
 */
export class VaultLink implements Disposable {
  readonly vault: string;
  readonly api: Api;
  readonly #options: LinkOptions;
  readonly #states: Emitter<LinkState>;
  readonly #opens: Emitter<void>;
  readonly #events: Emitter<RavelEvent>;
  readonly #stopping = new AbortController();
  /** One round of tries after the other, so that this window never stands in its own way. */
  readonly #rounds = new SerialQueue();
  #round = new AbortController();
  #state: LinkState = { kind: 'connecting' };
  #opened: OpenedVault | undefined;
  #subscription: Disposable | undefined;
  /** Requests wait for it. */
  #waited: Deferred<Api> = createWaited();

  constructor(options: LinkOptions) {
    const { vault, onError } = options;
    this.vault = vault;
    this.#options = options;
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

  /**
   * Opens the vault; after a failure it tries again. Resolves when it is known how this window stands to it. What passes
   * is tried again without being asked for, also after this.
   */
  async connect(): Promise<void> {
    if (this.#opened === undefined) await this.#connect({ mayOwn: true });
  }

  /** Opens the vault again, for what this window may do has changed. */
  async reopen(): Promise<void> {
    const before = this.#leave();
    const connected = this.#connect({ mayOwn: true }, before?.stop());
    await connected;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#round.abort();
    const before = this.#leave();
    this.#enter({ kind: 'closed' });
    this.#waited.reject(this.#closed());
    await before?.stop();
    await this.#rounds.drained();
  }

  dispose(): void {
    this.stop().catch(this.#options.onError);
  }

  #connect(how: { readonly mayOwn: boolean; readonly because?: unknown }, before?: Promise<void>): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve();
    this.#round.abort();
    const round = new AbortController();
    this.#round = round;
    const known = createDeferred<void>();
    if (how.because === undefined) this.#enter({ kind: 'connecting' });
    this.#rounds
      .run(async () => {
        await before;
        await this.#tryUntilOpen(how, round.signal, () => known.resolve());
      })
      .catch(this.#options.onError)
      .finally(() => known.resolve());
    return known.promise;
  }

  /** `onKnown` is called with the first thing that can be shown. */
  async #tryUntilOpen(
    { mayOwn, because }: { readonly mayOwn: boolean; readonly because?: unknown },
    round: AbortSignal,
    onKnown: () => void,
  ): Promise<void> {
    const { open, clock, random, onError } = this.#options;
    const startMs = clock.monotonicMs();
    for (let attempt = 0; !round.aborted; attempt++) {
      try {
        const opened = await open(this.vault, { mayOwn });
        // This vault was closed, or opened in another way, meanwhile.
        if (round.aborted) await opened.stop();
        else this.#take(opened);
        return;
      } catch (error) {
        if (round.aborted) return;
        const next = nextAttempt(error, { attempt, elapsedMs: clock.monotonicMs() - startMs, random: random() });
        if (next.isShown) this.#fail(because ?? error);
        if (next.isShown) onKnown();
        if (next.delayMs === undefined) return;
        await delay(clock, next.delayMs, round).catch(onlyAborted(round, onError));
      }
    }
  }

  #take(opened: OpenedVault): void {
    this.#opened = opened;
    this.#subscription = opened.api.onEvent((event) => this.#events.emit(event));
    opened.onDidClose((reason) => {
      if (this.#opened === opened) this.#lose(reason);
    });
    opened.onDidDrop(() => {
      if (this.#opened === opened) this.#opens.emit();
    });
    this.#waited.resolve(opened.api);
    this.#enter(opened.state);
    this.#opens.emit();
  }

  /** A window that was asked to release the vault does not take it again by itself, but follows the next owner. */
  #lose(reason: VaultCloseReason): void {
    const before = this.#leave();
    const { onError } = this.#options;
    if (reason === 'gone') {
      this.#connect({ mayOwn: true }, before?.stop()).catch(onError);
      return;
    }
    const because = failure('ui/dismissed', this.vault, t('Another program asked this window to release the vault.'));
    this.#fail(because);
    this.#connect({ mayOwn: false, because }, before?.stop()).catch(onError);
  }

  #leave(): OpenedVault | undefined {
    const before = this.#opened;
    this.#opened = undefined;
    this.#subscription?.dispose();
    if (before !== undefined) this.#waited = createWaited();
    return before;
  }

  #fail(error: unknown): void {
    this.#waited.reject(error);
    this.#waited = createWaited();
    this.#enter({ kind: 'failed', error });
  }

  #enter(state: LinkState): void {
    this.#state = state;
    this.#states.emit(state);
  }

  #closed() {
    return failure('run/stopped', this.vault, t('The vault was closed in this window.'));
  }

  async #request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]> {
    for (let tries = 1; ; tries++) {
      if (this.#state.kind === 'closed') throw this.#closed();
      if (this.#state.kind === 'failed') throw this.#state.error;
      const api = await rejectOnAbort(this.#waited.promise, signal);
      try {
        return await api.request(name, params, signal);
      } catch (error) {
        const mayRepeat = isRavelError(error, 'server/gone') && isReadOnly(name, params) && tries < readTriesMax;
        if (!mayRepeat) throw error;
        await this.#afterOwnerLeft(api, signal);
      }
    }
  }

  /** Resolves once the vault is open through this Api no longer: a request may hear of that first. */
  #afterOwnerLeft(api: Api, signal: AbortSignal | undefined): Promise<void> {
    const left = createDeferred<void>();
    const check = () => {
      if (this.#opened?.api !== api) left.resolve();
    };
    const subscription = this.#states.event(check);
    check();
    return rejectOnAbort(left.promise, signal).finally(() => subscription.dispose());
  }
}

/** The vault of the window; throws `ui/noVault` if it shows none. */
export function requireLink({ link }: { readonly link: { readonly value: VaultLink | undefined } }): VaultLink {
  if (link.value !== undefined) return link.value;
  throw failure('ui/noVault', 'window', t('No vault is open in this window.'));
}

/** A request that only reads is repeated until this many owners in turn have gone while it was under way. */
const readTriesMax = 4;

/** There is not always a caller that waits for it. */
function createWaited(): Deferred<Api> {
  const waited = createDeferred<Api>();
  waited.promise.catch(() => undefined);
  return waited;
}

function onlyAborted(signal: AbortSignal, onError: (error: unknown) => void): (error: unknown) => void {
  return (error) => {
    if (!signal.aborted) onError(error);
  };
}
