import * as vscode from 'vscode';
import { createDeferred } from '../base/async.ts';
import { messageOf } from '../base/errors.ts';
import type { Choice } from './choice.ts';
import { plainChoice } from './sanitizeLabel.ts';

export interface LiveChoices<T> {
  readonly choices: readonly Choice<T>[];
  /** A line above them; empty for none. */
  readonly message: string;
}

/** A list that follows what is typed. */
export interface LiveQuestion<T> {
  readonly title: string;
  readonly placeholder: string;
  /** What its button does with the entry that is selected. */
  readonly button: string;
  /** Shows what fits the text, as often as it learns more; aborted when the text changes. */
  find(text: string, show: (found: LiveChoices<T>) => void, signal: AbortSignal): Promise<void>;
}

export interface LivePick<T> {
  readonly value: T;
  /** What was typed. */
  readonly text: string;
  /** By the button, and not to be opened. */
  readonly isButton: boolean;
}

/** Resolves with what a person chose, or undefined. */
export function askLive<T>(question: LiveQuestion<T>): Promise<LivePick<T> | undefined> {
  const picked = createDeferred<LivePick<T> | undefined>();
  const pick = vscode.window.createQuickPick<Choice<T | undefined>>();
  const button: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('info'), tooltip: question.button };
  let searching = new AbortController();
  Object.assign(pick, { title: question.title, placeholder: question.placeholder, buttons: [button] });
  // The best entry comes first; the editor would put those first whose title begins as the text does.
  Object.assign(pick, { sortByLabel: false });
  const show = (signal: AbortSignal) => (found: LiveChoices<T>) => {
    if (!signal.aborted) pick.items = itemsOf(found, button);
  };
  const search = async (text: string): Promise<void> => {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    pick.busy = true;
    try {
      await question.find(text, show(signal), signal);
    } catch (error) {
      // Told where the person looks; the next letter asks again.
      show(signal)({ choices: [], message: plainChoice(messageOf(error)) });
    }
    if (!signal.aborted) pick.busy = false;
  };
  const choose = (choice: Choice<T | undefined> | undefined, isButton: boolean): void => {
    if (choice?.value === undefined) return;
    picked.resolve({ value: choice.value, text: pick.value, isButton });
    pick.hide();
  };
  pick.onDidChangeValue((text) => void search(text));
  pick.onDidAccept(() => choose(pick.selectedItems[0] ?? pick.activeItems[0], false));
  pick.onDidTriggerButton(() => choose(pick.activeItems[0], true));
  pick.onDidTriggerItemButton(({ item }) => choose(item, true));
  pick.onDidHide(() => {
    searching.abort();
    pick.dispose();
    picked.resolve(undefined);
  });
  pick.show();
  return picked.promise;
}

/** What was found was chosen by its words already, so the editor filters nothing of it. */
function itemsOf<T>({ choices, message }: LiveChoices<T>, button: vscode.QuickInputButton): Choice<T | undefined>[] {
  const said = message === '' ? [] : [{ label: message, alwaysShow: true, value: undefined }];
  return [...said, ...choices.map((choice) => ({ ...choice, alwaysShow: true, buttons: [button] }))];
}
