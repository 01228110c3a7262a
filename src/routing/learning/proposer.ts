/** When Ravel looks through the history for rules by itself. */
export interface ProposerParts {
  /** The number of routed messages between two looks; 0 for never. */
  readonly every: number;
  /** An abort ends it where it is; what it has asked by then stands. */
  readonly propose: (signal: AbortSignal) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/**
 * Searches the history for rules each time `every` messages were routed. Routing does not wait for it; only one
 * search runs at a time, and messages that are routed meanwhile count for the next.
 */
export class Proposer {
  readonly #parts: ProposerParts;
  #routed = 0;
  #search: Promise<unknown> | undefined;
  readonly #stopping = new AbortController();

  constructor(parts: ProposerParts) {
    this.#parts = parts;
  }

  recordRouted(): void {
    const { every, propose, onError } = this.#parts;
    const { signal } = this.#stopping;
    this.#routed++;
    if (every === 0 || this.#routed < every || this.#search !== undefined || signal.aborted) return;
    this.#routed = 0;
    this.#search = propose(signal)
      .catch((error: unknown) => {
        if (error !== signal.reason) onError(error);
      })
      .finally(() => {
        this.#search = undefined;
      });
  }

  /** Ends a search that is under way; the next owner of the vault searches again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#search;
  }
}
