import { createDeferred, type Deferred } from '../../src/base/async.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import type { Api, RequestName, RequestParams, RequestResults } from '../../src/model/protocol.ts';
import { protocolVersion } from '../../src/model/protocolVersion.ts';

export type FakeHandlers = {
  readonly [Name in RequestName]?: (
    params: RequestParams<Name>,
    signal: AbortSignal,
  ) => Promise<RequestResults[Name]> | RequestResults[Name];
};

export interface FakeApi extends Api {
  emit(event: RavelEvent): void;
  /** Names of the requests that came, in order. */
  readonly requested: readonly RequestName[];
}

/** An Api whose answers a test gives; `hello` answers by itself. */
export function createFakeApi(handlers: FakeHandlers): FakeApi {
  const events = new Emitter<RavelEvent>((error) => {
    throw error;
  });
  const requested: RequestName[] = [];
  const all: FakeHandlers = {
    hello: () => ({ protocol: protocolVersion, version: '0.0.0', vault: '/vault', pid: 1 }),
    ...handlers,
  };
  return {
    requested,
    async request(name, params, signal) {
      requested.push(name);
      const handler = all[name] as ((params: unknown, signal: AbortSignal) => unknown) | undefined;
      if (handler === undefined) throw new Error(`the test gives no answer to ${name}`);
      return (await handler(params, signal ?? new AbortController().signal)) as never;
    },
    onEvent: events.event,
    emit: (event) => events.emit(event),
  };
}

export const fakePlan = toQualifiedId('demo/project-root');

/** An event that a test tells from others by its reason. */
export function fakeEvent(reason: string): RavelEvent {
  return { at: '2026-01-02T03:04:05Z', actor: fakePlan, type: 'run.ended', reason };
}

export function reasonOf(event: RavelEvent): string {
  return event.type === 'run.ended' ? event.reason : event.type;
}

/** Gathers values and lets a test wait for the n-th one. */
export class Collector<T> {
  readonly values: T[] = [];
  #waiting: { readonly count: number; readonly deferred: Deferred<readonly T[]> }[] = [];

  readonly add = (value: T): void => {
    this.values.push(value);
    for (const { count, deferred } of this.#waiting) {
      if (this.values.length >= count) deferred.resolve(this.values);
    }
    this.#waiting = this.#waiting.filter(({ count }) => count > this.values.length);
  };

  /** Resolves once there are `count` values. */
  async waitFor(count: number): Promise<readonly T[]> {
    if (this.values.length >= count) return this.values;
    const deferred = createDeferred<readonly T[]>();
    this.#waiting.push({ count, deferred });
    return deferred.promise;
  }
}
