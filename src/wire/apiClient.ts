import { onAbort } from '../base/abort.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { RavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { RavelEvent } from '../model/event.ts';
import type { Api, ClientLine, RequestId, RequestName, RequestResults } from '../model/protocol.ts';
import type { ApiLine, LineTransport } from './lineTransport.ts';

export interface ApiClientOptions {
  /** Takes what a listener to events threw; the others hear the event all the same. */
  readonly onError: (error: unknown) => void;
  /** Called when the first listener to events comes, and when the last one goes. */
  readonly onListening?: (isListening: boolean) => void;
}

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/** An `Api` or a part of one: what a request can be given is up to the type by which its user holds it. */
export interface UncheckedApi extends Pick<Api, 'onEvent'> {
  request<Name extends RequestName>(name: Name, params: unknown, signal?: AbortSignal): Promise<RequestResults[Name]>;
}

/** The asking end of an `Api`: any number of requests over one transport, told apart by their ids. */
export class ApiClient {
  /** Its methods can be handed on by themselves. Each request rejects at once when its signal aborts. */
  readonly api: UncheckedApi;
  readonly #transport: LineTransport<ClientLine, ApiLine>;
  readonly #onListening: (isListening: boolean) => void;
  readonly #events: Emitter<RavelEvent>;
  readonly #pending = new Map<RequestId, Pending>();
  #nextId = 0;
  #listeners = 0;
  /** The error for a request, once the other end is gone. */
  #gone: ((subject: string) => RavelError) | undefined;

  constructor(transport: LineTransport<ClientLine, ApiLine>, options: ApiClientOptions) {
    this.#transport = transport;
    this.#onListening = options.onListening ?? (() => undefined);
    this.#events = new Emitter(options.onError);
    this.api = { request: this.#request.bind(this), onEvent: this.#listen.bind(this) };
    transport.onLine((line) => this.#take(line));
  }

  /** Says something about the connection itself; the answer to it changes nothing here. */
  tell(request: 'attach' | 'detach' | 'cancel', params: unknown): void {
    if (this.#gone === undefined) this.#transport.send({ id: this.#nextId++, request, params });
  }

  /** The other end is gone: every request rejects with `gone`, those that wait and those to come. */
  close(gone: (subject: string) => RavelError): void {
    if (this.#gone !== undefined) return;
    this.#gone = gone;
    for (const { reject } of this.#pending.values()) reject(gone('connection'));
    this.#pending.clear();
  }

  /** The other end is told when `signal` aborts, and its answer is dropped. */
  async #request<Name extends RequestName>(
    name: Name,
    params: unknown,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]> {
    if (signal?.aborted) throw givenUp(name, signal);
    if (this.#gone !== undefined) throw this.#gone(name);
    const id = this.#nextId++;
    const answer = new Promise<never>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    const listening = onAbort(signal, () => {
      this.tell('cancel', { id });
      this.#settled(id)?.reject(givenUp(name, signal));
    });
    this.#transport.send({ id, request: name, params });
    return answer.finally(() => listening.dispose());
  }

  #listen(listener: (event: RavelEvent) => void): Disposable {
    this.#listeners++;
    if (this.#listeners === 1) this.#onListening(true);
    const listening = this.#events.event(listener);
    return toDisposable(() => {
      listening.dispose();
      this.#listeners--;
      if (this.#listeners === 0) this.#onListening(false);
    });
  }

  #take(line: ApiLine): void {
    if ('event' in line) this.#events.emit(line.event);
    else if ('error' in line) this.#settled(line.id)?.reject(new RavelError(line.error));
    else this.#settled(line.id)?.resolve(line.result as never);
  }

  #settled(id: RequestId): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

/** What a request rejects with when its caller gave it up. */
export function givenUp(subject: string, signal: AbortSignal | undefined): RavelError {
  return failure('run/stopped', subject, 'The request was given up.', { cause: signal?.reason });
}
