import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/** Reads what a view shows: only while it is visible, and once more if something changed while it was read. */
export class VisibleReading implements Disposable {
  readonly #view: Pick<vscode.TreeView<string>, 'visible'>;
  readonly #read: () => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #subscription: Disposable;
  #isStale = true;
  #isReading = false;

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
    this.#isStale = true;
    this.#refresh();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #refresh(): void {
    if (!this.#view.visible || !this.#isStale || this.#isReading) return;
    this.#load().catch(this.#onError);
  }

  async #load(): Promise<void> {
    this.#isReading = true;
    this.#isStale = false;
    try {
      await this.#read();
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      this.#isReading = false;
    }
    this.#refresh();
  }
}
