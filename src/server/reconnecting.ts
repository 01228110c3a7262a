import { type Backoff, backoffMs } from '../base/backoff.ts';
import { type Clock, delay } from '../base/clock.ts';
import { isRavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { RequestName, RequestParams, RequestResults } from '../model/protocol.ts';
import { type ClientApi, type ConnectOptions, connect } from './client.ts';

const pauses: Backoff = { firstMs: 50, longestMs: 1_000 };

/** Whether an owner is there; `sinceMs` is monotonic, `orderly` when the last one said goodbye. */
export type OwnerState =
  | { readonly kind: 'connected' }
  | { readonly kind: 'absent'; readonly sinceMs: number; readonly orderly: boolean };

export interface ReconnectingOptions {
  /** Socket paths to try, best guess first; asked again in each round, for the next owner may listen elsewhere. */
  readonly locate: () => Promise<readonly string[]>;
  readonly clock: Clock;
  /** How to connect; another one only in tests. */
  readonly connect?: (options: ConnectOptions) => Promise<ClientApi>;
}

/**
 * Requests to the owner of the vault. A lost connection is made again at once, and a request under way is repeated with
 * the same parameters: so use this only for requests that are harmless when repeated.
 */
export class ReconnectingClient {
  readonly #options: ReconnectingOptions;
  readonly #stopping = new AbortController();
  #owner: OwnerState;
  #client: Promise<ClientApi>;

  constructor(options: ReconnectingOptions) {
    this.#options = options;
    this.#owner = { kind: 'absent', sinceMs: options.clock.monotonicMs(), orderly: false };
    this.#client = this.#reconnect();
  }

  get owner(): OwnerState {
    return this.#owner;
  }

  /** Waits for an owner as long as it takes; rejects with what the owner answers, or `run/stopped` after `stop`. */
  async request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]> {
    for (;;) {
      const asked = this.#client;
      const client = await asked.catch((error: unknown) => {
        if (asked === this.#client && !this.#stopping.signal.aborted) this.#client = this.#reconnect();
        throw error;
      });
      try {
        return await client.request(name, params, signal);
      } catch (error) {
        const lost = isRavelError(error, 'server/gone') && asked !== this.#client;
        if (!lost) throw error;
      }
    }
  }

  stop(): void {
    this.#stopping.abort(failure('run/stopped', 'client', 'The client was stopped.'));
    this.#client.then(
      (client) => client.close(),
      () => undefined,
    );
  }

  #reconnect(): Promise<ClientApi> {
    const client = this.#connectToAny();
    // The next caller hears of a failure; without a caller there is no one to tell.
    client.catch(() => undefined);
    return client;
  }

  async #connectToAny(): Promise<ClientApi> {
    const { clock, locate } = this.#options;
    const { signal } = this.#stopping;
    for (let tryNumber = 0; ; tryNumber++) {
      for (const socketPath of await locate()) {
        const client = await this.#tryConnect(socketPath);
        if (client !== undefined) return this.#keep(client);
      }
      await delay(clock, backoffMs(pauses, tryNumber), signal);
    }
  }

  async #tryConnect(socketPath: string): Promise<ClientApi | undefined> {
    const { clock, connect: connectTo = connect } = this.#options;
    try {
      return await connectTo({ socketPath, clock, signal: this.#stopping.signal });
    } catch (error) {
      if (isRavelError(error, 'server/gone')) return undefined;
      throw error;
    }
  }

  #keep(client: ClientApi): ClientApi {
    this.#owner = { kind: 'connected' };
    client.onDidClose((reason) => {
      if (reason === 'closed') return;
      this.#owner = {
        kind: 'absent',
        sinceMs: this.#options.clock.monotonicMs(),
        orderly: reason === 'goodbye',
      };
      this.#client = this.#reconnect();
    });
    return client;
  }
}
