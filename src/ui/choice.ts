import type * as vscode from 'vscode';

export interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}
