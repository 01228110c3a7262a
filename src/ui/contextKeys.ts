import * as vscode from 'vscode';
import type { UiContext } from './uiContext.ts';

/** What the editor's menus ask for. Only what changed is told: each key makes the editor look at all of its menus again. */
export class ContextKeys {
  readonly #onError: UiContext['onError'];
  /** As JSON, since a list is as good as another one with the same in it. */
  readonly #values = new Map<string, string>();

  constructor({ onError }: Pick<UiContext, 'onError'>) {
    this.#onError = onError;
  }

  set(keys: Readonly<Record<string, string | boolean | readonly string[]>>): void {
    for (const [key, value] of Object.entries(keys)) {
      const text = JSON.stringify(value);
      if (this.#values.get(key) === text) continue;
      this.#values.set(key, text);
      vscode.commands.executeCommand('setContext', key, value).then(undefined, this.#onError);
    }
  }
}
