import { type Disposable, toDisposable } from './disposable.ts';

export type Listener<T> = (value: T) => void;

/**
 * Passes each value to all listeners, in the order they came. If one throws, `onError` gets the error and the others
 * still run.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<Listener<T>>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event = (listener: Listener<T>): Disposable => {
    this.#listeners.add(listener);
    return toDisposable(() => this.#listeners.delete(listener));
  };

  emit(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
