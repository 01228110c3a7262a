import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/** Reads what a view shows: only while it is visible, and once more if something changed while it was read. */
export class VisibleReading implements Disposable {
  readonly #view: Pick<vscode.TreeView<string>, 'visible'>;
  readonly #read: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #subscription: Disposable;
  #state: 'fresh' | 'stale' | 'reading' = 'stale';

  constructor(
    view: Pick<vscode.TreeView<string>, 'visible' | 'onDidChangeVisibility'>,
    read: () => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#view = view;
    this.#read = read;
    this.#onError = onError;
    this.#subscription = view.onDidChangeVisibility(() => this.#refresh());
  }

  /** What is shown is out of date. */
  touch(): void {
    const isReading = this.#state === 'reading';
    this.#state = 'stale';
    if (!isReading) this.#refresh();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #refresh(): void {
    if (!this.#view.visible || this.#state !== 'stale') return;
    this.#load().catch(this.#onError);
  }

  async #load(): Promise<void> {
    this.#state = 'reading';
    try {
      await this.#read();
    } catch (error) {
      this.#state = 'stale';
      throw error;
    }
    if (this.#state === 'reading') this.#state = 'fresh';
    else this.#refresh();
  }
}
