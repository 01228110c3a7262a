import * as vscode from 'vscode';

/**
 * Does something that the person may cancel, by a signal, since only the editor knows tokens. What is cancelled rejects
 * with the editor's own error, whatever became of it, and that is told to nobody.
 */
export async function cancellable<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort(new vscode.CancellationError()));
  try {
    return await work(controller.signal);
  } catch (error) {
    throw token.isCancellationRequested ? new vscode.CancellationError() : error;
  } finally {
    listening.dispose();
  }
}
