import type { Diagnostic } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { ClientLine, RequestId } from '../model/protocol.ts';
import { outlivesClient } from '../model/requestKinds.ts';
import type { AnswerLine } from './lineTransport.ts';

export interface ApiConnectionOptions {
  readonly send: (line: AnswerLine) => void;
  /** Carries a request out, if this client may make it. */
  readonly ask: (request: string, params: unknown, signal: AbortSignal) => Promise<unknown>;
  /** What the client is told of an error. */
  readonly diagnosticOf: (error: unknown, request: string) => Diagnostic;
  /** Takes the failure of a request that was carried through although its client is gone. */
  readonly onUnheard?: (error: unknown, request: string) => void;
}

/** The answering end of an `Api`, opposite an `ApiClient`: the requests of one client, side by side. */
export class ApiConnection {
  readonly #options: ApiConnectionOptions;
  readonly #running = new Map<RequestId, { readonly line: ClientLine; readonly controller: AbortController }>();
  #isGone = false;

  constructor(options: ApiConnectionOptions) {
    this.#options = options;
  }

  /** Resolves once the client has its answer. The catch boundary of a request: whatever goes wrong becomes the answer. */
  async answer(line: ClientLine): Promise<void> {
    const { id, request } = line;
    try {
      const result = await this.#run(line);
      if (!this.#isGone) this.#options.send({ id, result });
    } catch (error) {
      if (!this.#isGone) this.#options.send({ id, error: this.#options.diagnosticOf(error, request) });
      else if (outlivesClient(request, line.params)) this.#options.onUnheard?.(error, request);
    }
  }

  /** Whether there was such a request. */
  cancel(id: RequestId): boolean {
    const running = this.#running.get(id);
    running?.controller.abort(failure('run/stopped', running.line.request, 'The client cancelled the request.'));
    return running !== undefined;
  }

  /** The client went away: what only it waited for is given up, what runs on for the plan runs on. */
  leave(): void {
    this.#isGone = true;
    for (const { line, controller } of this.#running.values()) {
      if (outlivesClient(line.request, line.params)) continue;
      controller.abort(failure('server/gone', line.request, 'The client went away.'));
    }
    this.#running.clear();
  }

  async #run(line: ClientLine): Promise<unknown> {
    const { id, request, params } = line;
    if (this.#running.has(id)) {
      throw failure('server/badParams', request, `Another request with the id ${id} is still running.`);
    }
    const controller = new AbortController();
    this.#running.set(id, { line, controller });
    try {
      return await this.#options.ask(request, params, controller.signal);
    } finally {
      if (this.#running.get(id)?.controller === controller) this.#running.delete(id);
    }
  }
}
