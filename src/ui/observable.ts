import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';

/** A value that changes, and who wants to know. */
export class Observable<T> implements Disposable {
  readonly #changes: Emitter<T>;
  #value: T;

  constructor(value: T, onError: (error: unknown) => void) {
    this.#value = value;
    this.#changes = new Emitter(onError);
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (value === this.#value) return;
    this.#value = value;
    this.#changes.emit(value);
  }

  /** Calls the listener with each later value. */
  get onDidChange() {
    return this.#changes.event;
  }

  dispose(): void {
    this.#changes.dispose();
  }
}
