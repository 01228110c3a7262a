import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Choice } from './choice.ts';
import { askLive, type LivePick, type LiveQuestion } from './livePick.ts';
import { plainNotice } from './sanitizeLabel.ts';

/** Every question to the person, in one place: a test answers them, since an editor under test shows no dialogs. */
export interface Prompter {
  /** Resolves with the button that was pressed, or undefined. Modal only if going on without an answer would lose something. */
  info(message: string, ...buttons: string[]): Promise<string | undefined>;
  warn(message: string, ...buttons: string[]): Promise<string | undefined>;
  error(message: string, ...buttons: string[]): Promise<string | undefined>;
  /** The same for what happened by itself, which comes while a person does something else. */
  news(tone: 'info' | 'warn' | 'error', message: string, ...buttons: string[]): Promise<string | undefined>;
  /** A dialog that must be answered; undefined is "cancel". */
  confirm(message: string, detail: string, button: string): Promise<boolean>;
  pick<T>(choices: readonly Choice<T>[], options: vscode.QuickPickOptions): Promise<T | undefined>;
  /** A list that follows what is typed. */
  pickLive<T>(question: LiveQuestion<T>): Promise<LivePick<T> | undefined>;
  input(options: vscode.InputBoxOptions): Promise<string | undefined>;
  folder(options: vscode.OpenDialogOptions): Promise<vscode.Uri | undefined>;
  file(options: vscode.OpenDialogOptions): Promise<vscode.Uri | undefined>;
}

/** Messages quote what sessions and files say, so none is taken at its word. */
export const editorPrompter: Prompter = {
  info: async (message, ...buttons) => vscode.window.showInformationMessage(plainNotice(message), ...buttons),
  warn: async (message, ...buttons) => vscode.window.showWarningMessage(plainNotice(message), ...buttons),
  error: async (message, ...buttons) => vscode.window.showErrorMessage(plainNotice(message), ...buttons),
  news: async (tone, message, ...buttons) => editorPrompter[tone](message, ...buttons),
  async confirm(message, detail, button) {
    return (await vscode.window.showWarningMessage(message, { modal: true, detail }, button)) === button;
  },
  async pick(choices, options) {
    return (await vscode.window.showQuickPick(choices, options))?.value;
  },
  pickLive: askLive,
  input: async (options) => vscode.window.showInputBox(options),
  async folder(options) {
    return (await vscode.window.showOpenDialog({ ...options, canSelectFolders: true, canSelectFiles: false }))?.[0];
  },
  file: async (options) => (await vscode.window.showOpenDialog(options))?.[0],
};

/** For an `input` that has to say something. */
export function refuseEmpty(text: string): string | undefined {
  return text.trim() === '' ? t('Enter some text.') : undefined;
}
