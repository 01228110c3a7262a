import * as vscode from 'vscode';

/**
 * Does something that the person can cancel, by a signal, since only the editor knows tokens. Cancelled work always
 * rejects with the editor's own error, whatever its outcome, and that error is not shown.
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
